#!/bin/sh
# usage: deps.sh [PACKAGE ...]; installs what is missing from Debian: says what, uses sudo where
# needed, does nothing if all is there.
set -eu
want="gcc g++ make libcsv-dev libpcre2-dev libsodium-dev libmpfr-dev libpcg-cpp-dev bats"
want="$want mandoc mawk jq tzdata"
[ $# -eq 0 ] || want=$*
missing=
for p in $want; do
	dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' ||
		missing="$missing $p"
done
[ -n "$missing" ] || exit 0
echo "installing:$missing" >&2
sudo=
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null || {
		echo "please install as root:$missing" >&2
		exit 1
	}
	sudo=sudo
fi
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086	# one word each
$sudo apt-get install -y -qq $missing >/dev/null 2>&1 || {
	$sudo apt-get update -qq
	$sudo apt-get install -y -qq $missing >/dev/null
}
