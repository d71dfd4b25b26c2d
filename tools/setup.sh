#!/usr/bin/env bash
# Installs the Debian packages that a build needs and that are not there yet; does nothing else.
# usage: tools/setup.sh [format|tidy|determinism|bench|fuzz]...   (more packages for these)
set -euo pipefail

packages=(g++ cmake ninja-build python3 zlib1g-dev libpng-dev nlohmann-json3-dev libfmt-dev
          libfast-float-dev libcli11-dev libgtest-dev liblinear-dev libspectra-dev
          libeigen3-dev)
for purpose in "$@"; do
  case $purpose in
    format) packages+=(clang-format) ;;
    tidy) packages+=(clang-tidy) ;;
    determinism | fuzz) packages+=(clang) ;;
    bench) packages+=(libbenchmark-dev) ;;
    *) echo "setup: unknown purpose '$purpose'" >&2; exit 2 ;;
  esac
done

installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian system; make sure that these are installed: ${packages[*]}" >&2
  exit 0
fi
missing=()
for package in "${packages[@]}"; do
  installed "$package" || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

command="apt-get install -y --no-install-recommends ${missing[*]}"
if [[ $(id -u) -eq 0 ]]; then
  as_root=(env)
elif command -v sudo >/dev/null; then
  as_root=(sudo env)
else
  echo "setup: packages are missing, and there is no right to install them. As root, run:" >&2
  echo "  apt-get update && $command" >&2
  exit 1
fi
echo "setup: installing ${missing[*]}; this may take some minutes"
"${as_root[@]}" DEBIAN_FRONTEND=noninteractive \
  sh -c "apt-get update -qq && $command -qq >/dev/null" || {
  echo "setup: could not install packages. As root, run:" >&2
  echo "  apt-get update && $command" >&2
  exit 1
}
