# SPDX-License-Identifier: ISC
# What make install installs, and the Debian package: what it says and holds, and that a clean
# system installs, runs and purges it.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..

# listed FOLDER: files there, but zsh's, whose place differs
listed() {
	(cd "$1" && find . -type f | grep -v /zsh/ | sort)
}

setup_file() {
	# what is built, and nothing else: a make of one's own, so that nothing is made twice
	cd "$BATS_FILE_TMPDIR"
	sh "$BATS_TEST_DIRNAME/../completions.sh" "$DP_BUILD/bin" "$DP_BUILD/completions"
	make -s -C "$BATS_TEST_DIRNAME/../.." -o completions O="$DP_BUILD" DESTDIR="$PWD/stage" \
	    PREFIX=/usr ZSHDIR="$PWD/stage/usr/share/zsh/vendor-completions" install >/dev/null
	du -sk stage/usr/bin >size
	cat stage/usr/bin/dp{count,audit} >installed
	listed stage/usr >list
	command -v dpkg-shlibdeps >/dev/null || return 0
	mkdir -p other/usr/bin other/usr/share/man
	cp stage/usr/bin/dpcount other/usr/bin
	env -u DEBEMAIL -u DEBFULLNAME sh "$BATS_TEST_DIRNAME/../deb.sh" stage 0.2 "$PWD" >name
	DEBEMAIL=dputils@debian.org DEBFULLNAME='A Person' \
	    sh "$BATS_TEST_DIRNAME/../deb.sh" other 0.2 "$PWD/other" >name.person
}

deb() {
	cat "$BATS_FILE_TMPDIR/name"
}

@test "the package holds every tool, page and completion, and says what it needs" {
	needs dpkg-shlibdeps
	dpkg-deb --fsys-tarfile "$(deb)" | tar -t | sed 's|^\.||' >files
	for tool in $(tools); do
		grep -qx "/usr/bin/$tool" files
		grep -qx "/usr/share/bash-completion/completions/$tool" files
		grep -qx "/usr/share/fish/vendor_completions.d/$tool.fish" files
	done
	for page in "$TOP"/man/*.[1-9]; do
		grep -qx "/usr/share/man/man${page##*.}/${page##*/}.gz" files
	done
	grep -qx /usr/share/zsh/vendor-completions/_dputils files
	run ! grep -vE '^/(usr/((bin|include|lib|share)/.*)?)?$' files
	# each library that a program asks for is of a package that is named
	depends=$(dpkg-deb -f "$(deb)" Depends)
	for library in $(ldd "$DP_BUILD/bin/dpcount" | awk '$3 ~ /^\// { print $3 }'); do
		package=$(dpkg -S "$(basename "$library")" | sed -n 's/:.*//p' | sort -u)
		[ -n "$package" ]
		grep -qwF "$(grep -xFf <(tr -s ' ,' '\n' <<<"$depends") <<<"$package")" \
		    <<<"$depends"
	done
	[[ $depends = *'libcsv3 ('* ]]
	[[ $depends = *'libsqlite3-0 ('* ]]	# what a ledger loads, no program asks for
}

@test "make install: programs are stripped, and of all together there is one copy" {
	[ "$(cut -f 1 "$BATS_FILE_TMPDIR/size")" -le 5120 ]
	! grep -q '\.debug_' "$BATS_FILE_TMPDIR/installed"
	grep -q '\.debug_' "$DP_BUILD/bin/dpcount"
}

# blanks ROOT: a program is compiled as a shell reads pkg-config's words
blanks() {
	[ -e "$1/include/dputils.h" ] && type -P pkg-config || return 0
	words=$(PKG_CONFIG_PATH=$1/lib/pkgconfig pkg-config --cflags --libs dputils)
	eval "${CC:-cc} -o count '$TOP/man/examples/dputils-count.c' $words"
}

@test "make install: anywhere, with blanks in the path, by anybody; make uninstall leaves no file" {
	mine() {
		env -u MAKEFLAGS -u MAKELEVEL make -s -C "$TOP" -o completions O="$DP_BUILD" "$@" \
		    >/dev/null
	}
	for at in "DESTDIR=$PWD/a b" DESTDIR=; do
		[ "$at" = DESTDIR= ] && prefix=$PWD/c\ d || prefix=/e\ f
		mine "$at" PREFIX="$prefix" install
		root=${at#DESTDIR=}$prefix
		[ "$(echo 1 | "$root/bin/dpcount" -q -e inf)" = 1 ]
		listed "$root" | diff "$BATS_FILE_TMPDIR/list" -
		[ "$at" != DESTDIR= ] || blanks "$root"
		mine "$at" PREFIX="$prefix" uninstall
		[ -z "$(find "$root" ! -type d)" ]
	done
}

@test "whose it is: DEBFULLNAME and DEBEMAIL, or an address that nobody has" {
	needs dpkg-shlibdeps
	[ "$(dpkg-deb -f "$(cat "$BATS_FILE_TMPDIR/name.person")" Maintainer)" = \
	    'A Person <dputils@debian.org>' ]
	[ "$(dpkg-deb -f "$(deb)" Maintainer)" = \
	    'the dputils authors <dputils@packages.invalid>' ]
}

@test "lintian has nothing against it" {
	needs dpkg-shlibdeps
	heavy lintian
	# it is no upload to Debian
	lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$(deb)"
}

@test "the package has the README" {
	needs dpkg-shlibdeps
	dpkg-deb --fsys-tarfile "$(deb)" | tar -xO ./usr/share/doc/dputils/README.md.gz | gunzip |
	    cmp - "$TOP/README.md"
}

# inside COMMAND ...: in the clean system
inside() {
	chroot root /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

@test "a clean Debian installs it, runs every tool, and purges it" {
	needs dpkg-shlibdeps
	heavy mmdebstrap
	[ "$(id -u)" = 0 ] || skip 'not root'
	. /etc/os-release
	# what it depends on, by name, and what dpkg itself cannot do without
	libraries=$(dpkg-deb -f "$(deb)" Depends | sed 's/ ([^)]*)//g; s/ //g')
	timeout 300 mmdebstrap --quiet --mode=root --variant=custom \
	    --include="dpkg,libc-bin,coreutils,dash,tar,diffutils,sed,grep,$libraries" \
	    --dpkgopt='path-exclude=/usr/share/locale/*' \
	    --dpkgopt='path-exclude=/usr/share/zoneinfo/*' "$VERSION_CODENAME" root 2>err ||
	    skip 'no packages to be had'
	state() {
		(cd root && find . -xdev \( -path ./proc -o -path ./var/log -o \
		    -path ./var/lib/dpkg -o -path ./var/cache \) -prune -o -print | sort)
	}
	state >before
	cp "$(deb)" root/tmp/dputils.deb
	inside dpkg -i /tmp/dputils.deb
	rm root/tmp/dputils.deb
	bits 20 >bits.txt
	[ "$(inside dpcount -q -e inf <bits.txt | tail -n 1)" = "$(running bits.txt | tail -n 1)" ]
	for tool in $(tools); do
		inside $tool --version | grep "^$tool (dputils)"
	done
	# the one thing that is only suggested says so
	echo 1 | inside dpplot --to=/tmp/a.png 2>&1 | grep 'librsvg2-bin'
	inside dpkg --purge dputils
	state | diff before -
	run ! inside dpkg -s dputils
}
