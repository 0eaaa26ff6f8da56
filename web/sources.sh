#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# web/sources.sh FOLDER: the sources of expat, jansson and zlib, which Debian has no WebAssembly builds of, as Debian patches them: FOLDER/expat and so
# on. Comes back at once where they are there already. apt-get downloads them (10 MB) by a deb-src entry and package lists of its own, which are gone
# afterwards: what the machine installs from stays as it is. CMake unpacks and Git patches, since a build needs both anyway; dpkg-dev is not needed.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: web/sources.sh FOLDER" >&2; exit 2; }
[ -e "$1/complete" ] && exit
mkdir -p "$1"
folder=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p lists/partial cache
echo "deb-src http://deb.debian.org/debian $(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}") main" >entry.list
get() {
    apt-get -qq -o Dir::Etc::sourcelist="$work/entry.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" \
        -o APT::Sandbox::User=root "$@" >apt.out 2>&1 || { cat apt.out >&2; exit 1; }
}
get update
get source --download-only expat jansson zlib
for name in expat jansson zlib; do
    rm -rf "${folder:?}/$name"
    mkdir "$name"
    (cd "$name" && cmake -E tar xf ../"$name"_*.orig.tar.* && mv -T ./* "$folder/$name")
    (cd "$folder/$name" && cmake -E tar xf "$work/$name"_*.debian.tar.xz &&
        grep -v '^#' debian/patches/series | sed 's| .*||;s|^|debian/patches/|' | GIT_CEILING_DIRECTORIES=$folder xargs -r git apply --whitespace=nowarn)
done
touch "$folder/complete"
