#!/bin/sh
# SPDX-License-Identifier: ISC
# usage: deb.sh STAGE VERSION OUTDIR; makes a Debian package of what make install has put into
# STAGE: pages compressed, programs stripped, dependencies as the programs' libraries have it.
# deb.sh --source VERSION DIR: writes DIR/debian, with which dpkg-source makes a source package;
# its rules are make deb.
# DEBFULLNAME and DEBEMAIL, as Debian's own tools take them, say whose it is; without DEBEMAIL an
# address at .invalid, which nobody has, and which is the same on every machine.
set -eu
stage=$1
version=$2
outdir=$3
top=$(dirname "$0")/..
who="${DEBFULLNAME:-the dputils authors} <${DEBEMAIL:-dputils@packages.invalid}>"
when=$(date -uRd "@${SOURCE_DATE_EPOCH:-$(date +%s)}")
umask 022

copyright() {
	echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
	echo 'Upstream-Name: dputils'
	echo
	echo 'Files: *'
	sed -n 's/^Copyright (c) /Copyright: /p' "$top/LICENSE"
	echo 'License: ISC'
	sed '1,/^Copyright/d; /./!d' "$top/LICENSE" | sed 's/^/ /'
}

changelog() {
	printf 'dputils (%s-1) unstable; urgency=medium\n\n  * %s\n\n -- %s  %s\n' \
	    "$version" "$1" "$who" "$when"
}

description() {
	cat <<-'EOT'
	Section: utils
	Priority: optional
	Description: counts of private data, safe to be shown
	 Unix filters: events go in, one differentially private estimate comes out
	 after every time step.  Counts, sums, windows, decayed sums, leaders, distinct
	 counts; what they print of a log may be shown to people who must not see the
	 log.
	EOT
}

if [ "$stage" = --source ]; then
	debian=$outdir/debian
	mkdir -p "$debian/source"
	echo '3.0 (quilt)' >"$debian/source/format"
	copyright >"$debian/copyright"
	changelog "Version $version." >"$debian/changelog"
	{
		echo 'Source: dputils'
		echo "Maintainer: $who"
		description | sed -n '1,2p'
		echo 'Standards-Version: 4.6.2'
		echo 'Rules-Requires-Root: no'
		echo 'Build-Depends: libcsv-dev, libpcre2-dev, libjson-c-dev, libsodium-dev,'
		echo ' libsqlite3-dev, libmpfr-dev, mandoc'
		printf '\nPackage: dputils\nArchitecture: any\n'
		description | sed -n '3,$p'
	} >"$debian/control"
	cat >"$debian/rules" <<'EOT'
#!/usr/bin/make -f
# SPDX-License-Identifier: ISC
clean:
	$(MAKE) clean
build build-arch:
	$(MAKE) all
build-indep binary-indep:
binary binary-arch:
	$(MAKE) deb
	mv build/dputils_*.deb ..
	dpkg-distaddfile $$(cd .. && ls dputils_*_$$(dpkg --print-architecture).deb) utils optional
.PHONY: clean build build-arch build-indep binary binary-arch binary-indep
EOT
	chmod +x "$debian/rules"
	exit
fi

command -v dpkg-shlibdeps >/dev/null || {
	echo "make deb needs dpkg-shlibdeps (Debian's package is dpkg-dev)" >&2
	exit 1
}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
arch=$(dpkg --print-architecture)

doc=$stage/usr/share/doc/dputils
mkdir -p "$stage/DEBIAN" "$doc"
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$stage"/usr/bin/*
find "$stage/usr/share/man" -type f -exec gzip -9nf {} +
find "$stage/usr/share/man" -type l | while read -r page; do
	ln -s "$(readlink "$page").gz" "$page.gz"
	rm "$page"
done
copyright >"$doc/copyright"
gzip -9n <"$top/CHANGELOG.md" >"$doc/changelog.gz"
gzip -9n <"$top/README.md" >"$doc/README.md.gz"
changelog "Built by make deb." | gzip -9n >"$doc/changelog.Debian.gz"

# The library is one with the tools, for who has them: no package of its own, which is what Debian's
# archive would want.  Its .pc file stands where other architectures' would stand beside it.
if [ -n "$(find "$stage" -name 'lib*.so.*')" ]; then
	mkdir -p "$stage/usr/share/lintian/overrides"
	printf 'dputils: %s\n' link-to-shared-library-in-wrong-package \
	    package-name-doesnt-match-sonames >"$stage/usr/share/lintian/overrides/dputils"
	places=$stage/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
	mkdir -p "$places"
	mv "$stage/usr/lib/pkgconfig" "$places/"
fi

mkdir "$tmp/debian"
printf 'Source: dputils\n\nPackage: dputils\nArchitecture: any\n' >"$tmp/debian/control"
libraries=$(
	usr=$(cd "$stage/usr" && pwd)
	cd "$tmp"
	# shellcheck disable=SC2046	# one word each
	dpkg-shlibdeps -O "$usr"/bin/* $(find "$usr" -name 'lib*.so.*') 2>/dev/null |
	    sed -n 's/^shlibs:Depends=//p'
)
{
	cat <<-EOT
	Package: dputils
	Version: $version-1
	Architecture: $arch
	Maintainer: $who
	Installed-Size: $(du -sk --exclude=DEBIAN "$stage" | cut -f 1)
	Depends: $libraries, libsqlite3-0 (>= 3.37)
	Recommends: tzdata
	Suggests: librsvg2-bin, xz-utils, zstd, bzip2
	EOT
	description
} >"$stage/DEBIAN/control"
[ -z "$(find "$stage" -name 'lib*.so.*')" ] || {
	echo 'activate-noawait ldconfig' >"$stage/DEBIAN/triggers"
	echo "libdputils 1 dputils (>= $version)" >"$stage/DEBIAN/shlibs"
}
(cd "$stage" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$stage/DEBIAN/md5sums"
deb=$outdir/dputils_$version-1_$arch.deb
dpkg-deb --root-owner-group -Zxz --build "$stage" "$deb" >/dev/null
echo "$deb"
