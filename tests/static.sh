#!/bin/sh
# SPDX-License-Identifier: ISC
# usage: static.sh PREFIX; puts into PREFIX what `make static` links, built by $CC (musl-gcc) of the
# sources of this Debian, which apt-get fetches from where it has its packages, and whose signatures
# it checks.  Installs the packages it needs; takes two minutes of a processor.  A library that is
# there is left as it is.
set -eu
[ $# -eq 1 ] || {
	echo "usage: static.sh PREFIX" >&2
	exit 2
}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
prefix=$(cd "$1" && pwd)
: "${CC:=musl-gcc}"
jobs=-j$(nproc)
unset MAKEFLAGS MAKELEVEL MFLAGS
command -v apt-get >/dev/null || {
	echo "static.sh: no apt-get here: give a folder with static libraries for musl of libcsv," \
	    "pcre2, libsodium, sqlite3, json-c, gmp and mpfr: make static MUSL_PREFIX=DIR" >&2
	exit 1
}
sh "$here/deps.sh" musl-tools dpkg-dev tcl cmake make gcc m4 autoconf automake libtool
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
cd "$tmp"

# The lists of this system, for sources
mkdir -p lists/partial cache/archives/partial parts
for f in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
	[ -f "$f" ] || continue
	case $f in
	*.sources) sed 's/^Types:.*/Types: deb-src/' "$f" >"parts/${f##*/}" ;;
	*.list) sed -n 's/^deb /deb-src /p' "$f" >"parts/${f##*/}" ;;
	esac
done
cat >apt.conf <<END
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$tmp/parts";
Dir::State::Lists "$tmp/lists";
Dir::Cache "$tmp/cache";
APT::Sandbox::User "";
END
export APT_CONFIG="$tmp/apt.conf"
apt-get -qq update

# fetch NAME: the sources of its newest version that can be had, in the folder NAME
fetch() {
	for version in $(apt-cache showsrc --only-source "$1" | sed -n 's/^Version: //p' |
	    sort -rVu); do
		apt-get -qq source --only-source "$1=$version" >log 2>&1 || continue
		mv "$1"-[0-9]*/ "$1"
		return
	done
	cat log >&2
	echo "static.sh: the sources of $1 cannot be had" >&2
	exit 1
}

# step NAME COMMAND ...: in the folder NAME, quietly
step() {
	folder=$1
	shift
	(cd "$folder" && "$@") >log 2>&1 || {
		tail -n 20 log >&2
		echo "static.sh: $folder: $* failed" >&2
		exit 1
	}
}

# autotools OPTION ...
autotools() {
	[ -e "$name/configure" ] || step "$name" autoreconf -fi
	step "$name" ./configure --prefix="$prefix" --disable-shared "$@"
	step "$name" make "$jobs" install
}

# Small: what is hot in them is PCRE2's, which makes machine code of patterns, and libsodium's
small='-fPIE -ffunction-sections -fdata-sections -fstack-protector-strong'
small="$small -fno-asynchronous-unwind-tables"
export CC
for name in libcsv pcre2 libsodium sqlite3 json-c gmp mpfr4; do
	[ ! -e "$prefix/.$name" ] || continue
	fetch $name
	case $name in
	pcre2 | sqlite3 | mpfr4) CFLAGS="-Os $small" ;;
	*) CFLAGS="-O2 $small" ;;
	esac
	export CFLAGS
	case $name in
	libcsv)
		step libcsv make -f /dev/null libcsv.o
		mkdir -p "$prefix/lib" "$prefix/include"
		step libcsv ar rcs "$prefix/lib/libcsv.a" libcsv.o
		step libcsv cp csv.h "$prefix/include"
		;;
	json-c)
		step json-c cmake -DCMAKE_INSTALL_PREFIX="$prefix" -DBUILD_SHARED_LIBS=OFF \
		    -DBUILD_APPS=OFF -DBUILD_TESTING=OFF -DCMAKE_INSTALL_LIBDIR=lib .
		step json-c make "$jobs" install
		;;
	pcre2) autotools --enable-jit ;;
	sqlite3)
		CFLAGS="$CFLAGS -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_JSON -DSQLITE_OMIT_DEPRECATED"
		autotools --disable-tcl --disable-readline --disable-load-extension
		;;
	gmp)		# for any processor of its kind; dpaudit alone computes with it
		step gmp autoreconf -fi		# Debian has no doc/
		autotools --build="$(uname -m)-pc-linux-gnu"
		;;
	mpfr4) autotools --with-gmp="$prefix" ;;
	*) autotools ;;
	esac
	: >"$prefix/.$name"
done
