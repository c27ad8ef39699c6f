#!/bin/sh
# SPDX-License-Identifier: ISC
# usage: deps.sh [--optional | PACKAGE ...]; installs what is missing from Debian: says what, uses
# sudo where needed, does nothing if all is there.  Without arguments: what the build and the demo
# need.  --optional: what some tests run besides; where it cannot be installed those are skipped.
set -eu
want="gcc g++ make libcsv-dev libpcre2-dev libjson-c-dev libsodium-dev libsqlite3-dev"
want="$want libmpfr-dev libpcg-cpp-dev bats procps mandoc mawk jq tzdata sqlite3 librsvg2-bin"
want="$want xz-utils zstd bzip2"
optional="datamash miller parallel munge slurm-wlm chromium zsh fish mmdebstrap lintian rsyslog"
optional="$optional clang libclang-rt-dev coq poppler-utils libxml2-utils"

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
	$sudo apt-get install -y -qq "$@" >/dev/null 2>&1 || {
		$sudo apt-get update -qq
		$sudo apt-get install -y -qq "$@" >/dev/null
	}
}

# shellcheck disable=SC2046,SC2086	# one word each
if [ "${1-}" = --optional ]; then
	set -- $(missing $optional)
	[ $# -eq 0 ] || install "$@" || for p; do	# the others do not wait for one
		install "$p" || :
	done
	set -- $(missing "$@")
	[ $# -eq 0 ] || echo "not installed, tests that need them are skipped: $*" >&2
else
	[ $# -gt 0 ] || set -- $want
	set -- $(missing "$@")
	[ $# -eq 0 ] || install "$@"
fi
