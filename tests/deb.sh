#!/bin/sh
# SPDX-License-Identifier: ISC
# usage: deb.sh STAGE VERSION OUTDIR; makes a Debian package of what make install has put into
# STAGE: pages compressed, programs stripped, dependencies as the programs' libraries have it.
# DEBFULLNAME and DEBEMAIL, as Debian's own tools take them, say whose it is; without DEBEMAIL an
# address at .invalid, which nobody has, and which is the same on every machine.
set -eu
stage=$1
version=$2
outdir=$3
top=$(dirname "$0")/..
command -v dpkg-shlibdeps >/dev/null || {
	echo "make deb needs dpkg-shlibdeps (Debian's package is dpkg-dev)" >&2
	exit 1
}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
umask 022
arch=$(dpkg --print-architecture)
who="${DEBFULLNAME:-the dputils authors} <${DEBEMAIL:-dputils@packages.invalid}>"
when=$(date -uRd "@${SOURCE_DATE_EPOCH:-$(date +%s)}")

doc=$stage/usr/share/doc/dputils
mkdir -p "$stage/DEBIAN" "$doc"
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$stage"/usr/bin/*
find "$stage/usr/share/man" -type f -exec gzip -9nf {} +
{
	echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
	echo 'Upstream-Name: dputils'
	echo
	echo 'Files: *'
	sed -n 's/^Copyright (c) /Copyright: /p' "$top/LICENSE"
	echo 'License: ISC'
	sed '1,/^Copyright/d; /./!d' "$top/LICENSE" | sed 's/^/ /'
} >"$doc/copyright"
gzip -9n <"$top/CHANGELOG.md" >"$doc/changelog.gz"
gzip -9n <"$top/README.md" >"$doc/README.md.gz"
printf 'dputils (%s-1) unstable; urgency=medium\n\n  * Built by make deb.\n\n -- %s  %s\n' \
    "$version" "$who" "$when" | gzip -9n >"$doc/changelog.Debian.gz"

mkdir "$tmp/debian"
printf 'Source: dputils\n\nPackage: dputils\nArchitecture: any\n' >"$tmp/debian/control"
libraries=$(
	bin=$(cd "$stage/usr/bin" && pwd)
	cd "$tmp"
	dpkg-shlibdeps -O "$bin"/* 2>/dev/null | sed -n 's/^shlibs:Depends=//p'
)
cat >"$stage/DEBIAN/control" <<EOT
Package: dputils
Version: $version-1
Architecture: $arch
Maintainer: $who
Installed-Size: $(du -sk --exclude=DEBIAN "$stage" | cut -f 1)
Depends: $libraries, libsqlite3-0 (>= 3.37)
Recommends: tzdata
Suggests: librsvg2-bin, xz-utils, zstd, bzip2
Section: utils
Priority: optional
Description: counts of private data, safe to be shown
 Unix filters: events go in, one differentially private estimate comes out
 after every time step.  Counts, sums, windows, decayed sums, leaders, distinct
 counts; what they print of a log may be shown to people who must not see the
 log.
EOT
(cd "$stage" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$stage/DEBIAN/md5sums"
deb=$outdir/dputils_$version-1_$arch.deb
dpkg-deb --root-owner-group -Zxz --build "$stage" "$deb" >/dev/null
echo "$deb"
