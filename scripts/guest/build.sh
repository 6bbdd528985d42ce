#!/bin/sh
# Builds the guest that boot.sh boots: Debian's kernel with the modules that it needs, busybox, mdadm, fio, sqlite3, LVM and what
# makes and finds file systems, in one initramfs. Prints the folder where they are, and builds nothing when it is there already.
#
# What is not installed comes from Debian's archive by `apt-get download` (no root needed); programs that are installed are
# taken from this machine with their libraries. Everything lives in ${XDG_CACHE_HOME:-~/.cache}/diskwright-guest; remove that
# folder to have a newer kernel.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/diskwright-guest
# Of the guest's programs, these are copied from this machine.
programs="fio:fio mke2fs:e2fsprogs e2fsck:e2fsprogs dumpe2fs:e2fsprogs sqlite3:sqlite3 mkfs.xfs:xfsprogs lvm:lvm2
    blkid:util-linux wipefs:util-linux"
# Loaded at start, or by the kernel itself when they are asked for; their dependencies come with them.
modules="virtio_pci virtio_blk qemu_fw_cfg raid0 ext4 xfs dm_mod crc32c_generic"

say() { echo "guest: $*" >&2; }
fail() { say "$*"; exit 1; }

missing=
for pair in cpio:cpio dpkg-deb:dpkg apt-get:apt ldd:libc-bin flock:util-linux $programs; do
    PATH=$PATH:/usr/sbin:/sbin command -v "${pair%%:*}" >/dev/null || missing="$missing ${pair#*:}"
done
[ -z "$missing" ] || fail "missing programs; on Debian: apt-get install$missing"
[ "$(uname -m)" = x86_64 ] || fail "only x86_64 is supported, this is $(uname -m)"

key=$( (cat "$here/build.sh" "$here/init" "$here/lib.sh"; dpkg-query -W fio e2fsprogs sqlite3 xfsprogs lvm2 util-linux) | sha256sum | cut -c1-16)
image=$cache/$key
mkdir -p "$cache/packages"
exec 9>"$cache/lock"
flock 9 # two tests at once build one image
if [ -e "$image/complete" ]; then
    echo "$image"
    exit 0
fi

rm -rf "$cache"/build.* # of one that was stopped
work=$(mktemp -d "$cache/build.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/packages" "$work/unpacked" "$work/root"

kernel_package=$(apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
[ -n "$kernel_package" ] ||
    fail "apt knows no linux-image-amd64: the guest's kernel is Debian's; run apt-get update, or use a Debian container"
for package in "$kernel_package" busybox-static mdadm; do
    file=$(find "$cache/packages" -name "${package}_*.deb" | head -n 1)
    if [ -z "$file" ]; then
        say "downloading $package"
        (cd "$work/packages" && apt-get download -qq "$package" 2>"$work/apt.log") ||
            fail "apt-get download $package: $(cat "$work/apt.log"); an old list of packages? run apt-get update"
        mv "$work/packages/${package}_"*.deb "$cache/packages/"
        file=$(find "$cache/packages" -name "${package}_*.deb" | head -n 1)
    fi
    dpkg-deb -x "$file" "$work/unpacked"
done

release=${kernel_package#linux-image-}
release=${release%-unsigned}
busybox=$work/unpacked/bin/busybox
[ -e "$busybox" ] || busybox=$work/unpacked/usr/bin/busybox
modules_from=$work/unpacked/lib/modules/$release
[ -d "$modules_from" ] || modules_from=$work/unpacked/usr/lib/modules/$release

root=$work/root
mkdir -p "$root/bin" "$root/sbin" "$root/dev" "$root/proc" "$root/sys" "$root/run" "$root/tmp" "$root/mnt" "$root/etc" \
    "$root/lib/modules/$release"
cp "$busybox" "$root/bin/busybox"
"$busybox" --list | while read -r applet; do
    [ "$applet" = busybox ] || ln -s busybox "$root/bin/$applet"
done
ln -s ../bin/busybox "$root/sbin/modprobe" # where the kernel looks for it
cp "$here/lib.sh" "$root/lib/guest.sh"
cp "$here/init" "$root/init"
chmod +x "$root/init"
ln -s /proc/mounts "$root/etc/mtab"

# add_program FILE: the program, and every library that the loader would open for it.
add_program() {
    cp -L "$1" "$root/bin/$(basename "$1").new" && mv "$root/bin/$(basename "$1").new" "$root/bin/$(basename "$1")"
    ldd "$1" >"$work/ldd"
    ! grep 'not found' "$work/ldd" >&2 || fail "$1 has libraries that this machine does not have"
    grep -o '/[^ ]*' "$work/ldd" | while read -r library; do
        [ -e "$root$library" ] || { mkdir -p "$root$(dirname "$library")" && cp -L "$library" "$root$library"; }
    done
}
for pair in $programs; do add_program "$(PATH=$PATH:/usr/sbin:/sbin command -v "${pair%%:*}")"; done
ln -s mke2fs "$root/bin/mkfs.ext4"
for command in pvs vgs lvs pvcreate vgcreate lvcreate vgchange vgremove pvremove; do ln -s lvm "$root/bin/$command"; done
add_program "$(find "$work/unpacked" -name mdadm -path '*sbin/*' -type f)"

# add_module FILE: a module and all that it depends on, as modules.dep has them, relative to the modules' folder.
ln -sfn "$(dirname "$modules_from")" "$work/unpacked/modules"
depmod_root=$work/unpacked
[ -d "$depmod_root/lib/modules" ] || ln -s usr/lib "$depmod_root/lib"
"$busybox" depmod -b "$depmod_root" "$release"
for module in $modules; do
    line=$(grep -E "(^|/)$(echo "$module" | sed 's/[-_]/[-_]/g')\.ko[^:/]*:" "$modules_from/modules.dep") ||
        { grep -q "/$module\.ko" "$modules_from/modules.builtin" && continue; fail "the kernel has no module $module"; }
    for file in $(echo "$line" | tr -d ':'); do
        mkdir -p "$root/lib/modules/$release/$(dirname "$file")"
        cp "$modules_from/$file" "$root/lib/modules/$release/$file"
    done
done
"$busybox" depmod -b "$root" "$release"

mkdir "$work/image"
(cd "$root" && find . | LC_ALL=C sort | cpio -o -H newc -R 0:0 --quiet) >"$work/image/initramfs.cpio"
cp "$work/unpacked/boot/vmlinuz-$release" "$work/image/vmlinuz"
echo "$modules" >"$work/image/modules"
echo "$release" >"$work/image/release"
touch "$work/image/complete"
find "$cache" -maxdepth 1 -type d -name '????????????????' -mtime +0 -exec rm -rf {} + # images of other days
rm -rf "$image"
mv "$work/image" "$image"
say "built $image: kernel $release, initramfs of $(du -m "$image/initramfs.cpio" | cut -f1) MB"
echo "$image"
