# SPDX-License-Identifier: ISC
# make release in a clone, without a network: the changelog, the tag, archives that are the same
# when made again, Debian's source package, checksums; and what the papers beside README say.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..

@test "a release is a commit, a tag, archives with their checksums, and never the same one twice" {
	needs git
	git -C "$TOP" rev-parse -q --verify HEAD >/dev/null || skip 'no repository'
	git clone -q "$TOP" clone
	cd clone
	git config user.name x
	git config user.email x@x
	version=$("$DP_BUILD/bin/dpcount" -V | sed 's/.* //')
	git tag -d "v$version" 2>/dev/null || :
	offline=
	! unshare -n true 2>/dev/null || offline='unshare -n'
	$offline make -s release PROGRAMS=no >../said
	[ "$(git log -1 --format=%s)" = "release $version" ]
	[ "$(git diff --name-only HEAD^ HEAD)" = CHANGELOG.md ]
	[ "$(git rev-parse "v$version^{commit}")" = "$(git rev-parse HEAD)" ]
	[ "$(sed -n '/^## \[Unreleased\]/,$p' CHANGELOG.md | sed -n 3p)" = \
	    "## [$version] - $(date -u +%F)" ]
	cd build/release
	sha256sum --quiet -c SHA256SUMS
	[ "$(wc -l <SHA256SUMS)" -ge 1 ]
	# the source is what anybody makes of the tag, and all of it
	git -C ../.. archive --prefix="dputils-$version/" "v$version" | gzip -9n |
	    cmp - "dputils-$version.tar.gz"
	tar -tzf "dputils-$version.tar.gz" | sed "s|^dputils-$version/||; /\/\$/d; /^\$/d" |
	    sort >in
	git -C ../.. ls-tree -r --name-only HEAD | sort | diff - in
	if type -P dpkg-source >/dev/null; then
		dpkg-source -x "dputils_$version-1.dsc" source >/dev/null
		grep -qx "dputils ($version-1) unstable; urgency=medium" source/debian/changelog
		# what it needs to be built is what README has for Debian
		sed -n '/^Build-Depends/,/^$/p' source/debian/control | grep -o '[a-z0-9-]*-dev' |
		    sort >needs
		sed -n 's/^| Debian.*`sudo apt install \(.*\)`.*/\1/p' ../../README.md |
		    tr ' ' '\n' | grep -e -dev | sort | diff needs -
		make -n -C source -f debian/rules binary | grep -q 'dpkg-distaddfile'
	fi
	cd ../..
	fails 2 make -s release PROGRAMS=no
	[[ $stderr = *"v$version is there; raise DP_VERSION in lib/base/dp.h"* ]]
	echo >>README.md
	fails 2 make -s release PROGRAMS=no
	[[ $stderr = *'the work tree has changes'* ]]
	# again, with static programs, of a make that makes two names of one
	git tag -d "v$version" >/dev/null
	git reset -q --hard HEAD^
	grep -q '^static:' Makefile || echo 'static:' >>Makefile
	git commit -q --allow-empty -am static
	cat >../make <<-'E'
		#!/bin/sh
		[ "$*" = '-s static' ] && mkdir -p build-static/bin && cd build-static/bin &&
		echo program >dpcount && ln dpcount dpwindow
	E
	chmod +x ../make
	sh tests/release.sh out "$version" ../make >/dev/null
	tar -tvJf out/dputils-*-linux-*.tar.xz >in
	grep -q '/bin/dpwindow link to .*/bin/dpcount$' in
	grep -q '/man/dpcount.1$' in
	grep -q 'linux-.*tar.xz$' out/SHA256SUMS
}

@test "the version stands in one place" {
	version=$(sed -n 's/^#define DP_VERSION "\(.*\)"$/\1/p' "$TOP/lib/base/dp.h")
	[ -n "$version" ]
	[ "$("$DP_BUILD/bin/dpbudget" -V)" = "dpbudget (dputils) $version" ]
	[ "$(make -s -C "$TOP" -f - version <<<'include Makefile
version: ; @echo $(VERSION)')" = "$version" ]
	run ! grep -rnF "VERSION = $version" "$TOP/Makefile"
}

@test "CONTRIBUTING.md and SECURITY.md: short; what they and the page name is there" {
	for f in CONTRIBUTING SECURITY; do
		[ "$(wc -l <"$TOP/$f.md")" -le 60 ]
		grep -qF "$f.md" "$TOP/README.md"
		grep -oE '\]\([^)]*\)|dputils-[a-z]+\([57]\)' "$TOP/$f.md" |
		    sed -E 's/\]\((.*)\)/\1/; s|(dputils-[a-z]+)\(([57])\)|man/\1.\2|'
	done | sort -u >named
	[ "$(wc -l <named)" -ge 4 ]
	grep -oE '\<(lib|tests|man|cmd)/[a-z_/]+\.[a-z0-9]+' \
	    "$TOP/man/dputils-contributing.7" >>named
	[ "$(wc -l <named)" -ge 25 ]
	while read -r f; do
		[ -e "$TOP/$f" ] || { echo "no $f"; false; }
	done <named
	# what was found is there to be read
	grep -qx '### Security' "$TOP/CHANGELOG.md"
	for option in --change --expire -P; do
		grep -qe "$option" "$TOP/CHANGELOG.md"
	done
}
