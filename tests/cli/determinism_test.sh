#!/usr/bin/env bash
# The model file depends on neither the number of threads nor the order of growth; and a program
# that does depend on the number of threads would be noticed.
set -euo pipefail

determinism=$(cd "$(dirname "$0")/../.." && pwd)/tools/determinism.sh
COPPICE_A=$COPPICE "$determinism"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/coppice" <<'PROGRAM'
#!/usr/bin/env bash
# Writes the number of threads into the "model".
while [[ $# -gt 0 ]]; do
  case $1 in
    -o) output=$2 ;;
    --threads) threads=$2 ;;
  esac
  shift
done
echo "${threads:-}" >"$output"
PROGRAM
chmod +x "$scratch/coppice"
if COPPICE_A=$scratch/coppice "$determinism" >"$scratch/report"; then
  echo "a program whose models depend on threads passed:"
  cat "$scratch/report"
  exit 1
fi
grep -q 'no: 4 different files' "$scratch/report"
