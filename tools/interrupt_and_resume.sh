#!/usr/bin/env bash
# Interrupts trainings of every method at random moments, Ctrl-C and SIGTERM by turns, and checks
# that each stops soon with a checkpoint that can be used; continues some of them, with further
# interrupts, by the command that the program prints, and checks that the model is that of an
# undisturbed training, bit for bit.
# usage: tools/interrupt_and_resume.sh [INTERRUPTS [RESUMES]]; COPPICE names the program.
set -euo pipefail

coppice=$(realpath "${COPPICE:-$(cd "$(dirname "$0")/.." && pwd)/build/release/coppice}")
interrupts=${1:-200}
resumes=${2:-50}
most_milliseconds=5000
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir bin && ln -s "$coppice" bin/coppice && PATH=$scratch/bin:$PATH

coppice generate spirals --classes 5 --rows 5000 --noise 0.3 --noise-features 6 -o classes.csv -q
coppice generate friedman1 --rows 4000 -o numbers.csv -q
coppice generate arms --rows 3000 --classes 3 --noise 0.3 -o points.csv -q
coppice generate swiss-roll --rows 3000 -o roll.csv -q
coppice generate moons --rows 1500 --labels 20 -o few.csv -q
trainings=(
  'classes.csv --trees 60'
  'classes.csv --trees 12 --split oblique,axis,lda'
  'classes.csv --trees 120 --extra-trees'
  'numbers.csv --trees 60 --leaf linear'
  'classes.csv --trees 30 --method adf'
  'numbers.csv --trees 30 --method arf --loss huber'
  'classes.csv --trees 20 --method irrf --max-depth 5'
  'numbers.csv --trees 150 --method boosted'
  'classes.csv --trees 30 --method boosted'
  'classes.csv --trees 40 --method newton'
  'classes.csv --trees 60 --method dynamic'
  'points.csv --trees 60 --task density --ignore label'
  'roll.csv --trees 60 --task manifold'
  'few.csv --trees 60 --task semi-supervised'
  'numbers.csv --trees 30 --refine gr'
  'classes.csv --trees 20 --refine gp'
)

now() { echo $((${EPOCHREALTIME/./} / 1000)); }  # in milliseconds
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# The undisturbed model of training $n, once it is needed, and how long it took.
declare -a length
train_whole() {
  [[ ! -e whole.$n ]] || return 0
  local begin
  begin=$(now)
  # shellcheck disable=SC2086
  coppice train ${trainings[n]} -o "whole.$n" -q >/dev/null
  length[n]=$(($(now) - begin))
}

slowest=0 usable=0 finished=0 early=0 continued=0 further=0

# interrupt MILLISECONDS SIGNAL COMMAND...: so long after the data were read. Leaves the exit code in
# $status, what the program said in errors.txt, and in $slowest how long it took to stop at most.
interrupt() {
  local after=$1 signal=$2 process begin took
  shift 2
  : >out.txt
  # Not in a job of its own, a background process would ignore SIGINT.
  set -m
  "$@" >out.txt 2>errors.txt &
  process=$!
  set +m
  for _ in $(seq 1000); do
    if grep -q ' rows, read in ' out.txt; then break; fi
    sleep 0.01
  done
  sleep "$(printf '%d.%03d' $((after / 1000)) $((after % 1000)))"
  begin=$(now)
  kill "-$signal" "$process" 2>/dev/null || true
  status=0
  wait "$process" || status=$?
  took=$(($(now) - begin))
  if ((took > slowest)); then slowest=$took; fi
  ((took <= most_milliseconds)) || fail "'$*' stopped after $took ms"
}

# The training $n was interrupted: what it left behind is whole.
check() {
  if [[ $status -eq 0 ]]; then
    cmp -s model.coppice "whole.$n" || fail "'${trainings[n]}' ended in another model"
    ! compgen -G 'model.coppice.checkpoint*' >/dev/null || fail "'${trainings[n]}' left a checkpoint"
    return
  fi
  [[ $status -eq 130 || $status -eq 143 ]] || fail "'${trainings[n]}': $status: $(cat errors.txt)"
  [[ ! -e model.coppice ]] || fail "'${trainings[n]}' was interrupted, but left a model"
  local file
  for file in model.coppice.checkpoint model.coppice.checkpoint.first; do
    [[ ! -e $file ]] || coppice describe "$file" >/dev/null || fail "$file cannot be read"
  done
}

# The command after "continue with: ", or the same one if nothing was there to be kept.
next_command() {
  local printed
  printed=$(sed -n 's/.*continue with: //p' errors.txt)
  echo "${printed:-$1}"
}

first=$((RANDOM % ${#trainings[@]}))
for ((i = 0; usable + early < interrupts; ++i)); do
  n=$(((first + i) % ${#trainings[@]}))
  train_whole
  signal=$([[ $((i / ${#trainings[@]} % 2)) -eq 0 ]] && echo INT || echo TERM)
  rm -f model.coppice*
  command="coppice train ${trainings[n]} -o model.coppice"
  # Every other one writes what it can in parts before it is interrupted.
  ((i % 2)) || command+=' --checkpoint 0.01'
  interrupt $((RANDOM % (length[n] * 3 / 4 + 1))) "$signal" bash -c "exec $command"
  check
  if [[ $status -eq 0 ]]; then
    finished=$((finished + 1))
    continue
  fi
  if grep -q 'continue with: ' errors.txt; then
    compgen -G 'model.coppice.checkpoint*' >/dev/null || fail "'$command' left no checkpoint"
    usable=$((usable + 1))
  else
    grep -q 'stopped before' errors.txt || fail "'$command' said: $(cat errors.txt)"
    early=$((early + 1))
  fi
  ((continued < resumes)) || continue
  for ((chain = 0; chain < 4 && status != 0; ++chain)); do
    command=$(next_command "$command")
    ((RANDOM % 2)) || break
    interrupt $((RANDOM % (length[n] * 3 / 4 + 1))) "$signal" bash -c "exec $command"
    check
    further=$((further + 1))
  done
  if [[ $status -ne 0 ]]; then
    status=0
    bash -c "exec $command" >/dev/null 2>errors.txt || fail "'$command': $(cat errors.txt)"
    check
  fi
  continued=$((continued + 1))
done

left=$(find . -name '.*.tmp' | wc -l)
[[ $left -eq 0 ]] || fail "$left temporary files were left behind"
echo "$interrupts interrupts: $usable usable checkpoints, $early before anything was kept; the" \
  "slowest stop took $slowest ms; $finished trainings were done first"
echo "$continued continued, with $further further interrupts: all to the identical model"
