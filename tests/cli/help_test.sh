#!/usr/bin/env bash
# The help texts name every verb and every option, with examples that the program would accept.
set -euo pipefail

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

repository=$(cd "$(dirname "$0")/../.." && pwd)
verbs=(train predict evaluate bench describe apply convert generate plot gallery demo)

"$COPPICE" --version | grep -Eqx 'coppice [0-9]+\.[0-9]+\.[0-9]+' || fail "--version"
help=$("$COPPICE" --help)
[[ $("$COPPICE" help) == "$help" ]] || fail "help differs from --help"
for verb in "${verbs[@]}"; do
  grep -Eq "^  $verb " <<<"$help" || fail "help does not mention $verb"
  text=$("$COPPICE" help "$verb")
  [[ $("$COPPICE" "$verb" --help) == "$text" ]] || fail "help $verb differs from $verb --help"
  grep -q "^Usage: coppice $verb " <<<"$text" || fail "usage of $verb"
  [[ $(grep -Ec "^  coppice $verb( |$)" <<<"$text") -ge 2 ]] || fail "help of $verb has few examples"
  for option in --json --quiet --threads --help; do
    grep -q -- "$option" <<<"$text" || fail "help of $verb does not mention $option"
  done
  grep -q "coppice $verb" "$repository/doc/cli.md" || fail "doc/cli.md does not describe $verb"
done

for option in $("$COPPICE" train --help | grep -Eo -- '--[a-z0-9-]+' | sort -u); do
  grep -q -- "$option\b" "$repository/doc/options.md" "$repository/doc/cli.md" ||
    fail "$option is in no document"
done

status=0
"$COPPICE" >/dev/null || status=$?
[[ $status -eq 2 ]] || fail "no verb at all gives $status"
