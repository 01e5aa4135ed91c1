#!/bin/bash
# Builds the newest commit in two folders and compares what comes out:  reproduce.sh FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/version.sh"

mkdir -p "$1"
folder=$(realpath "$1")
for place in one another/place; do
    rm -rf "${folder:?}/$place"
    mkdir -p "$folder/$place"
    git -C "$ROOT" archive HEAD | tar --extract --directory "$folder/$place"
    make --directory "$folder/$place" build PRODUCT=healthvault > "$folder/build.log" 2>&1
    "$folder/$place/Sources/Development/Packaging/debian.sh" "$folder/$place/.build/release/healthvault" "$folder/$place/packages" \
        "$folder/$place"/.build/static/*.a
done
cd "$folder"
# The package contains the program as it is installed; the other files are digests of them.
diff -r one/packages another/place/packages
cat one/packages/SHA256SUMS
echo "the same bytes from two folders"
