# Sourced by the tests of the program: a folder of their own, removed in the end, and fail().
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
