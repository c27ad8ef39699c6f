#!/bin/sh
# SPDX-License-Identifier: ISC
# sh tests/torture.sh BINDIR MOST [SEED [ROW | KIND ...]]: makes what torture/torture.pl needs, in a
# folder that goes away, and runs it; MOST 0: the short form.  With rotate [EVERY] in the place of
# MOST it runs torture/rotate.pl.  The folder is in memory, if files there have a time of birth:
# what is lost with the power is not left to the disk.
set -eu
bin=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)/torture
shift
if [ "$(uname -m)" != x86_64 ]; then
	echo "torture: this processor's registers are not known" >&2
	exit 2
fi
tmp=$(mktemp -d /dev/shm/torture.XXXXXX 2>/dev/null || mktemp -d)
trap 'rm -rf "$tmp"' EXIT
if [ "$(stat -c %W "$tmp")" = 0 ]; then
	rmdir "$tmp"
	tmp=$(mktemp -d)
fi
cd "$tmp"
${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -o trap "$here/trap.c"
if [ "$1" = rotate ]; then
	shift
	perl "$here/rotate.pl" "$bin" "$@"
else
	perl "$here/torture.pl" "$bin" "$@"
fi
