#!/bin/bash
# Makes a folder that runs on other distributions, and a tarball of it:  portable.sh PROGRAM FOLDER LIBRARY.a...
#
# PROGRAM was linked with these static libraries, and looks for others in ../lib/healthvault: all but the C library's, which
# every distribution has, lie in that folder, which nothing else is put into, and not beside the program.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/version.sh"

program=$(realpath "$1")
mkdir -p "$2"
output=$(realpath "$2")
shift 2
name=healthvault-$VERSION-linux-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/$name
"$HERE/install.sh" "$program" "" "$tree"
# Units name absolute paths; 'healthvault schedule set' writes them for this folder.
rm -r "$tree/share/systemd"
ldd "$program" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | while read -r library; do
    case $(basename "$library") in
        libc.so.* | libm.so.* | ld-linux*) ;;
        *) install -D -m 644 "$(realpath "$library")" "$tree/lib/healthvault/$(basename "$library")" ;;
    esac
done
cat > "$tree/README" <<EOF
healthvault $VERSION, for Linux with glibc 2.35 or later ($(uname -m))

Run bin/healthvault; 'man -l share/man/man1/healthvault.1.gz' shows the manual. Copy bin, lib and share into a folder such
as ~/.local to install it.
EOF
set_times "$tree"
tar --create --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu \
    "$name" | xz -6 --threads=1 > "$output/$name.tar.xz"
python3 "$HERE/sbom.py" "$program" "$tree/bin/healthvault" "$@" > "$output/$name.spdx.json"
touch --date "@$SOURCE_DATE_EPOCH" "$output/$name.spdx.json"
list_digests "$output"
