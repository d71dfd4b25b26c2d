#!/usr/bin/env bash
# --json prints one valid object with the promised fields, from every verb and for errors.
set -euo pipefail

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

python=${PYTHON:-python3}
if ! command -v "$python" >/dev/null; then
  echo "SKIPPED: there is no python3 to read JSON with"
  exit 77
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# usage: has FIELD... <JSON
has() {
  "$python" -c '
import json, sys
answer = json.load(sys.stdin)
missing = [name for name in sys.argv[1:] if name not in answer]
sys.exit(f"no {missing} in {sorted(answer)}" if missing else 0)' "$@" || fail "fields $*"
}

"$COPPICE" generate rings --classes 3 --rows 200 -o rings.csv --json | has shape rows output
"$COPPICE" generate rings --rows 5 --json | has table
"$COPPICE" generate friedman1 --rows 100 -o friedman.csv --quiet
"$COPPICE" train rings.csv --trees 5 -o rings.coppice --json |
  has train_seconds trees nodes oob_error rows features task leaves max_depth model model_bytes \
    read_seconds importances options
"$COPPICE" train friedman.csv --trees 5 -o friedman.coppice --json | has oob_error oob_rmse
"$COPPICE" train friedman.csv --dry-run --json | has data_bytes training_bytes model_bytes_at_most
"$COPPICE" evaluate rings.coppice rings.csv --json |
  has accuracy error log_loss balanced_accuracy confusion per_class
"$COPPICE" evaluate friedman.coppice friedman.csv --json | has rmse mae r2 per_target
"$COPPICE" evaluate friedman.coppice friedman.csv --by-depth --json | has rmse error_by_depth
"$COPPICE" bench rings.coppice rings.csv --repeats 2 --json |
  has rows threads trees max_depth batch_engine single_row_engine reason engines
"$COPPICE" predict rings.coppice rings.csv --json | has rows predictions
"$COPPICE" predict rings.coppice rings.csv -o answers.csv --json | has rows output
"$COPPICE" apply rings.coppice rings.csv --json | has rows trees table
"$COPPICE" describe rings.coppice --json --tree 1 |
  has trees nodes leaves max_depth facts options features classes importances rules
"$COPPICE" convert rings.coppice rings.json --json | has output output_bytes
"$COPPICE" plot rings.coppice rings.csv -o rings.svg --json | has what output output_bytes
"$COPPICE" gallery --list --json | has figures
"$COPPICE" demo --json | has results picture
[[ $(head -c 4 coppice-demo.png | tail -c 3) == PNG ]] || fail "the picture is no PNG"

for command in 'train none.csv -o m --json' 'train rings.csv -o m --trees x --json' \
  'describe rings.csv --json' 'nonsense --json' 'train --jsn --json'; do
  # shellcheck disable=SC2086
  if "$COPPICE" $command >error.json 2>error.txt; then fail "'$command' succeeded"; fi
  has error kind <error.json
  [[ $(wc -l <error.txt) -eq 1 ]] || fail "'$command' says more than a sentence"
done

# The numbers of the .npy file are those of the CSV file.
"$COPPICE" predict rings.coppice rings.csv -o answers.npy --quiet
"$python" - <<'CHECK' || fail ".npy"
import ast, csv, struct
with open("answers.npy", "rb") as file:
    data = file.read()
assert data[:8] == b"\x93NUMPY\x01\x00" and (10 + struct.unpack("<H", data[8:10])[0]) % 64 == 0
start = 10 + struct.unpack("<H", data[8:10])[0]
header = ast.literal_eval(data[10:start].decode())
with open("answers.csv") as file:
    rows = [[float(value) for value in row[1:]] for row in list(csv.reader(file))[1:]]
assert header["shape"] == (len(rows), len(rows[0])), header
numbers = struct.unpack(f"<{len(rows) * len(rows[0])}d", data[start:])
assert list(numbers) == [value for row in rows for value in row]
CHECK
