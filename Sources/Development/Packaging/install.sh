#!/bin/bash
# Installs the files of the program:  install.sh PROGRAM PREFIX [DESTDIR]
#
# A package, the portable folder and `make install` have the same files, because each of them is made here.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/version.sh"

program=$(realpath "$1")
prefix=$2
root=${3:-}

put() { # MODE SOURCE TARGET
    install -D -m "$1" "$2" "$root$prefix/$3"
}

put 755 "$program" bin/healthvault
# Also without the digests that depend on the folder of the build: those of modules, and of debug information. The toolchain's
# objcopy leaves segments as they are; GNU's strip would lose the one that is read-only after the start.
llvm-objcopy --strip-unneeded --remove-section=.comment --remove-section=.swift_modhash \
    --remove-section=.note.gnu.build-id "$root$prefix/bin/healthvault"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" manual | while read -r page; do
    "$program" manual "$page" > "$folder/$page"
    gzip -9 --no-name "$folder/$page"
    put 644 "$folder/$page.gz" "share/man/man${page##*.}/$page.gz"
done

# Debian keeps the folder that zsh reads first for the administrator.
zsh_folder=site-functions
if [[ $prefix == /usr ]]; then zsh_folder=vendor-completions; fi
for shell in bash zsh fish; do "$program" completions "$shell" > "$folder/$shell"; done
put 644 "$folder/bash" share/bash-completion/completions/healthvault
put 644 "$folder/zsh" "share/zsh/$zsh_folder/_healthvault"
put 644 "$folder/fish" share/fish/vendor_completions.d/healthvault.fish

for unit in "$HERE"/systemd/*; do
    sed "s|@BIN@|$prefix/bin|" "$unit" > "$folder/unit"
    put 644 "$folder/unit" "share/systemd/user/$(basename "$unit")"
done

put 644 "$ROOT/Sources/Readers/Python/decrypt.py" share/healthvault/decrypt.py
"$program" reader --output "$folder/open.html" > /dev/null
put 644 "$folder/open.html" share/healthvault/open.html
put 644 "$ROOT/SECURITY.md" share/doc/healthvault/SECURITY.md
put 644 "$HERE/debian/copyright" share/doc/healthvault/copyright
