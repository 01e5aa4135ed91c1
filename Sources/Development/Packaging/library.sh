#!/bin/bash
# Links libhealthvault.so: library.sh BUILD OUTPUT [FOLDER]
#
# BUILD is a folder with the products of a release build. Swift's libraries go into the library, so that it runs where no Swift is
# installed, and so do the static ones in FOLDER. Nothing but the functions of healthvault.h is visible, so that it disturbs no
# other library with Swift inside. The library and the header are written to the folder OUTPUT.
set -euo pipefail
build=$1
output=$2
static=${3:-$build}
here=$(dirname "$0")
mkdir -p "$output"
script=$(mktemp)
trap 'rm -f "$script"' EXIT
echo '{ global: hv_*; local: *; };' > "$script"
swiftc -emit-library -static-stdlib -use-ld=lld -o "$output/libhealthvault.so.unfinished" \
    "@$build/healthvault-c.product/Objects.LinkFileList" -L "$static" \
    -Xlinker "--version-script=$script" -Xlinker -soname=libhealthvault.so -Xlinker --gc-sections -Xlinker -s -Xlinker -znow \
    $(pkg-config --libs libcrypto libisal libzstd libzip sqlite3 blkid) -lutf8proc -lzxcvbn
mv "$output/libhealthvault.so.unfinished" "$output/libhealthvault.so"
cp "$here/../../Interface/CHealthVault/healthvault.h" "$output/"
