#!/bin/sh
# SPDX-License-Identifier: ISC
# usage: release.sh OUTDIR VERSION [MAKE]; makes a release of a clean work tree: what is unreleased
# in CHANGELOG.md gets the version and the day, and is committed and tagged; in OUTDIR are then the
# source, whose bytes anybody makes again of the tag, the source package for Debian, the static
# programs that MAKE static makes, and SHA256SUMS.  To publish it is left to the caller.
set -eu
out=$1
version=$2
make=${3-}
tag=v$version
cd "$(dirname "$0")/.."

die() {
	echo "release: $*" >&2
	exit 1
}

[ -z "$(git status --porcelain)" ] || die 'the work tree has changes; commit them first'
! git rev-parse -q --verify "refs/tags/$tag" >/dev/null ||
    die "$tag is there; raise DP_VERSION in lib/base/dp.h, and commit that"
sed '1,/^## \[Unreleased\]$/d; /^## /,$d' CHANGELOG.md | grep -q '[^[:space:]]' ||
    die 'CHANGELOG.md has nothing under Unreleased'

sed "s/^## \[Unreleased\]\$/&\n\n## [$version] - $(date -u +%F)/" CHANGELOG.md >CHANGELOG.new
mv CHANGELOG.new CHANGELOG.md
git commit -q -m "release $version" CHANGELOG.md
git tag -a -m "dputils $version" "$tag"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$tag")
export SOURCE_DATE_EPOCH

rm -rf "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd)
source=dputils-$version
git archive --format=tar --prefix="$source/" "$tag" | gzip -9n >"$out/$source.tar.gz"
if command -v dpkg-source >/dev/null; then
	cp "$out/$source.tar.gz" "$out/dputils_$version.orig.tar.gz"
	tar -xzf "$out/$source.tar.gz" -C "$out"
	sh tests/deb.sh --source "$version" "$out/$source"
	(cd "$out" && dpkg-source -Zxz -b "$source" >/dev/null)
	rm -r "${out:?}/$source"
else
	echo 'release: no source package for Debian: dpkg-source is not there' >&2
fi
if [ -n "$make" ] && grep -q '^static:' Makefile; then
	"$make" -s static
	name=$source-linux-$(uname -m)
	mkdir -p "$out/$name"
	cp -a build-static/bin man LICENSE README.md "$out/$name"
	tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner \
	    --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" | xz -9 >"$out/$name.tar.xz"
	rm -r "${out:?}/$name"
fi
(cd "$out" && sha256sum dputils* >SHA256SUMS)
cat <<E
$out has
$(cd "$out" && ls)
To publish: git push origin HEAD $tag, and these files.
To undo: git tag -d $tag; git reset --hard HEAD^
E
