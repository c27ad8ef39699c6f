#!/bin/sh
# SPDX-License-Identifier: ISC
# usage: debian.sh RELEASE [COMMAND ...]; makes a clean root of that release of Debian (bookworm,
# trixie), with what is committed in it, and runs `make test` there, or COMMAND.  As root, with
# mmdebstrap and a mirror; the root is removed again.
set -eu
[ $# -gt 0 ] || {
	echo "usage: debian.sh RELEASE [COMMAND ...]" >&2
	exit 2
}
release=$1
shift
[ $# -gt 0 ] || set -- make test
root=$(mktemp -d "${TMPDIR:-/var/tmp}/debian.XXXXXX")
trap 'rm -rf "$root"' EXIT
trap 'exit 1' HUP INT TERM
mmdebstrap --quiet --mode=root --variant=minbase --include=make "$release" "$root"
mkdir "$root/dputils"
git -C "$(dirname "$0")/.." archive HEAD | tar -xf - -C "$root/dputils"
for f in resolv.conf hosts; do
	rm -f "$root/etc/$f"
	cat "/etc/$f" >"$root/etc/$f" || :
done
# Mounts and processes are gone with the last command
# shellcheck disable=SC2016	# expanded inside
unshare --mount --pid --fork sh -c '
	root=$0
	mount --make-rprivate /
	mount -t proc proc "$root/proc"
	mount --rbind /dev "$root/dev"
	exec chroot "$root" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
	    sh -c "cd /dputils && exec \"\$@\"" sh "$@"
' "$root" "$@"
