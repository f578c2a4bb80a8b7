#!/bin/bash
# Puts packages into bare Debian trees (debootstrap --variant=minbase) and asks a question there,
# without a network: the .tar.gz unpacked to a folder of its own, the .deb with its dependencies by
# apt. Usage, as root: bare_debian.sh TARBALL DEB [TREE], where TREE is one that debootstrap made
# before. Called by scripts/package --check.
# shellcheck disable=SC2016 # single quotes are meant
set -euo pipefail

# What is mounted here is mounted for nobody else, and gone at the end.
[ -n "${LOGIT_OWN_MOUNTS:-}" ] || exec unshare --mount env LOGIT_OWN_MOUNTS=1 bash "$0" "$@"

tarball=$(realpath "$1")
deb=$(realpath "$2")
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
work=$(mktemp -d)
clean_up() {
  awk -v top="$work/" 'index($2, top) == 1 {print $2}' /proc/mounts | sort -r |
    while read -r mount; do umount "$mount"; done
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT

# Making a tree takes most of the time, so the second one is a copy.
if [ -n "${3:-}" ]; then
  cp -a --one-file-system "$3" "$work/tarball"
else
  debootstrap --variant=minbase "$release" "$work/tarball" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} \
    >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
fi
cp -a --one-file-system "$work/tarball" "$work/deb"

# inside TREE COMMAND...: with the tree as the root, no network, and nothing of this environment.
inside() {
  local tree=$1
  shift
  unshare --net --mount --pid --fork --kill-child sh -c '
    mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" && tree=$1 && shift &&
    exec env -i PATH=/usr/sbin:/usr/bin HOME=/tmp LOGIT_THREADS=1 chroot "$tree" "$@"' sh "$tree" "$@"
}

# answers TREE PROGRAM: the model that came with it picks the obvious one of two options.
answers() {
  local reply
  reply=$(inside "$1" "$2" ask --state "I was charged twice for one order." \
    --choice "billing|shipping" --instructions "Which desk?" --json 2>"$work/err") ||
    { cat "$work/err"; echo "FAILED: $2 ask in $1"; exit 1; }
  case $reply in
    *'"choice":"billing"'*) echo "$2: $reply" ;;
    *) echo "FAILED: $2 answered $reply"; exit 1 ;;
  esac
}

mkdir "$work/tarball/opt/anywhere"
tar -xzf "$tarball" -C "$work/tarball/opt/anywhere" --strip-components 1
inside "$work/tarball" /opt/anywhere/bin/logit-classifier version
answers "$work/tarball" /opt/anywhere/bin/logit-classifier

cp "$deb" "$work/deb/tmp/it.deb"
cp /etc/resolv.conf "$work/deb/etc/resolv.conf"
# The apt of the tree reads the sources and the proxy of this machine.
cp -a /etc/apt/. "$work/deb/etc/apt/"
chroot "$work/deb" sh -c 'apt-get -q update && apt-get -q -y --no-install-recommends install /tmp/it.deb' \
  >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
chroot "$work/deb" dpkg-query -W -f='${Package} ${Version}: ${Depends}\n' logit-classifier
answers "$work/deb" logit-classifier
chroot "$work/deb" dpkg --purge logit-classifier >"$work/log" 2>&1
left=$(find "$work/deb/usr" "$work/deb/etc" -name '*logit-classifier*')
[ -z "$left" ] || { echo "FAILED: the purged package left $left"; exit 1; }
