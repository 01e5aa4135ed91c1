#!/bin/bash
# Makes the linker prefer Debian's static libraries, where there are any:  static_libraries.sh FOLDER
#
# FOLDER/lib gets the archives, and FOLDER/pkgconfig descriptions of the libraries that name no folder: a build with
# PKG_CONFIG_PATH=FOLDER/pkgconfig and -LFOLDER/lib takes what is there, and shared libraries for the rest.
set -euo pipefail

mkdir -p "$1/lib" "$1/pkgconfig"
# Not that of zxcvbn, which cannot be part of a program that may lie anywhere in memory.
for name in stdc++ zstd sqlite3 utf8proc blkid; do
    ln -sf "$(clang -print-file-name="lib$name.a")" "$1/lib/"
done
# By the names of their descriptions: those that Package.swift asks for. Compiled as with the system's, so that a build is only
# linked anew.
while read -r description flags; do
    printf 'Name: %s\nDescription: %s\nVersion: 1\nCflags: %s\nLibs: %s\n' "$description" "$description" \
        "$(pkg-config --cflags "$description")" "$flags" > "$1/pkgconfig/$description.pc"
done <<'EOF'
libcrypto -lcrypto
libisal -lisal
libzstd -lzstd
libzip -lzip
sqlite3 -lsqlite3
blkid -lblkid
EOF
