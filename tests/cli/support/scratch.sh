# Sourced by the tests of the program: a folder of their own, removed in the end, fail(), says() and
# refused().
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# says WORDS ARGUMENTS...: true if the program succeeds and prints WORDS. Not a pipe: grep would close
# it at the first match, and the program may still be writing.
says() {
  local words=$1
  shift
  "$COPPICE" "$@" >said.txt && grep -q -- "$words" said.txt
}

# refused WORDS ARGUMENTS...: the program must end with 2 and one line of errors that holds WORDS.
refused() {
  local words=$1 status=0
  shift
  "$COPPICE" "$@" >/dev/null 2>errors.txt || status=$?
  [[ $status -eq 2 && $(wc -l <errors.txt) -eq 1 ]] || fail "$* gives $status: $(cat errors.txt)"
  grep -q -- "$words" errors.txt || fail "$* says: $(cat errors.txt)"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
