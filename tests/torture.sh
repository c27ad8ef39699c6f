#!/bin/sh
# sh tests/torture.sh BINDIR SECONDS: makes what torture.pl needs, in a folder that goes away, and
# runs it; SECONDS 0: the short form
set -eu
bin=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
bash -c 'unsanitized() { :; }; . "$1/lib/dying.bash"; preload' sh "$here"
perl "$here/torture.pl" "$bin" "$2" "${3:-1}"
