#!/bin/bash
# Makes the source tarball of the files that the repository has, as they are on disk:  source.sh FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/version.sh"

output=$(realpath "$1")
name=healthvault-$VERSION
cd "$ROOT"
files() {
    if git rev-parse --is-inside-work-tree > /dev/null 2>&1; then
        git ls-files -z
    else
        find . -path ./.build -prune -o -type f -printf '%P\0'
    fi
}
files | sort -z | tar --create --null --files-from=- --transform "flags=r;s|^|$name/|" --owner=0 --group=0 --numeric-owner \
    --mode=go=rX,u+w --mtime="@$SOURCE_DATE_EPOCH" --format=gnu | xz -6 --threads=1 > "$output/$name.tar.xz"
