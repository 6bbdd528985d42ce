#!/bin/sh
# Installs the programs that tests compare with, on Debian and Ubuntu: fio (3.33 is what we follow; python3-six is for its
# converter), chromium (reports are looked at in it) with axe-core from npm, nbdkit with its delay filter, libnbd's tools,
# valgrind, shellcheck, and what the guest of scripts/guest takes from here. Does nothing when they are all there.
set -eu

missing=
for pair in fio:fio nbdkit:nbdkit nbdinfo:libnbd-bin valgrind:valgrind \
    qemu-system-x86_64:qemu-system-x86 cpio:cpio sqlite3:sqlite3 mkfs.xfs:xfsprogs lvm:lvm2 shellcheck:shellcheck \
    nbdsh:python3-libnbd qemu-img:qemu-utils mkfs.ext4:e2fsprogs fusermount3:fuse3 openssl:openssl \
    chromium:chromium npm:npm \
    cc:gcc pkg-config:pkg-config dpkg-source:dpkg-dev; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
done
/usr/bin/python3 -c 'import prometheus_client' >/dev/null 2>&1 || missing="$missing python3-prometheus-client"
python3 -c 'import six' >/dev/null 2>&1 || missing="$missing python3-six"
for library in glib-2.0:libglib2.0-dev gnutls:libgnutls28-dev; do
    pkg-config --exists "${library%%:*}" 2>/dev/null || missing="$missing ${library#*:}"
done
tester=$(dirname "$0")/build-nbd-tester.sh
# What judges whether a page can be used without seeing it: from npm, into the cache folder where the tests look.
tools=${XDG_CACHE_HOME:-$HOME/.cache}/diskwright-test-tools
install_axe() {
    [ -f "$tools/node_modules/axe-core/axe.min.js" ] && return
    mkdir -p "$tools"
    npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tools" axe-core@4.14.1 >&2 ||
        echo "note: no axe-core, its test is left out: npm cannot install it" >&2
}
build_the_rest() {
    install_axe
    "$tester" || echo "note: no nbd-tester-client, its tests are left out: give $tester a folder with the source of nbd" >&2
    exit 0
}
[ -n "$missing" ] || build_the_rest

as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || { echo "not root and no sudo: install$missing by hand" >&2; exit 1; }
    as_root="sudo -n"
fi
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086 # a list of names
$as_root apt-get install -y -qq --no-install-recommends $missing </dev/null
build_the_rest
