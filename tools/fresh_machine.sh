#!/usr/bin/env bash
# For maintainers: what a newcomer meets. Makes a minimal Debian 12 with nothing but git, make and
# ca-certificates in a temporary folder, clones the last commit into it and runs commands there.
# usage, as root: tools/fresh_machine.sh [COMMAND...]     (default: 'make demo' 'make test')
# COPPICE_DATA, if set, is visible inside, read-only. KEEP=1 keeps the folder.
set -euo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)
suite=bookworm

[[ $(id -u) -eq 0 ]] || { echo "fresh_machine: must be run as root" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "fresh_machine: needs debootstrap" >&2; exit 2; }
[[ $# -gt 0 ]] || set -- "make demo" "make test"

root=$(mktemp -d --tmpdir coppice-fresh.XXXXXX)
chmod 755 "$root"  # apt's own user must reach its folders
mounts=()
clean_up() {
  local mount
  for mount in "${mounts[@]}"; do
    umount "$mount" || { echo "fresh_machine: cannot unmount $mount; left in place" >&2; return; }
  done
  if [[ -n ${KEEP:-} ]]; then
    echo "fresh_machine: kept $root" >&2
  else
    rm -rf --one-file-system "$root"
  fi
}
trap clean_up EXIT

# The Debian sources that apt uses on this machine, as lines of a sources.list.
host_sources() {
  apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' 'Origin: Debian' | grep " $suite" | sort -u
}

# How apt on this machine reaches its sources: proxies, certificates, validity of old snapshots.
host_acquire_settings() {
  apt-config dump |
    grep -iE '^Acquire::(https?(::|$)|Retries|Check-Valid-Until)' | grep -v ' "";$' || true
}

prepare() {
  local mirror
  mirror=$(host_sources | awk -v suite="$suite" '$3 == suite { print $2; exit }')
  [[ -n $mirror ]] || { echo "fresh_machine: apt knows no source for $suite" >&2; exit 2; }
  echo "== a minimal Debian $suite in $root"
  debootstrap --variant=minbase --include=git,make,ca-certificates "$suite" "$root" "$mirror" \
    >"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; exit 1; }
  rm -f "$root.log"
  host_sources >"$root/etc/apt/sources.list"
  host_acquire_settings >"$root/etc/apt/apt.conf.d/90host"
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  if compgen -G '/usr/local/share/ca-certificates/*.crt' >/dev/null; then
    cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/"
  fi
  chroot "$root" update-ca-certificates >/dev/null 2>&1
  mount -t proc proc "$root/proc"
  mounts+=("$root/proc")
  mount -t devpts devpts "$root/dev/pts"
  mounts+=("$root/dev/pts")
  git clone --quiet --no-local "$repository" "$root/root/coppice"
  if [[ -n ${COPPICE_DATA:-} ]]; then
    mkdir "$root/data"
    mount --bind -o ro "$COPPICE_DATA" "$root/data"
    mounts+=("$root/data")
  fi
}

# A new user's environment: nothing of this machine but its proxies.
inside() {
  local path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  local environment=(HOME=/root LANG=C.UTF-8 "PATH=$path")
  local name
  for name in http_proxy https_proxy no_proxy; do
    [[ -z ${!name:-} ]] || environment+=("$name=${!name}")
  done
  [[ -z ${COPPICE_DATA:-} ]] || environment+=(COPPICE_DATA=/data)
  env -i "${environment[@]}" chroot "$root" sh -c "cd /root/coppice && $1"
}

prepare
failures=0
report=""
for command in "$@"; do
  echo "== $command"
  start=$SECONDS
  if inside "$command"; then verdict=ok; else verdict=FAILED failures=$((failures + 1)); fi
  report+=$(printf '%-8s %5d s  %s' "$verdict" $((SECONDS - start)) "$command")$'\n'
done
printf '== on a fresh machine\n%s' "$report"
[[ $failures -eq 0 ]]
