#!/bin/bash
# Makes the Debian package and the source tarball, with their digests:  debian.sh PROGRAM FOLDER LIBRARY.a...
#
# PROGRAM was linked with these static libraries.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/version.sh"

program=$(realpath "$1")
mkdir -p "$2"
output=$(realpath "$2")
shift 2
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
mkdir -p "$tree/DEBIAN" "$work/debian"

"$HERE/install.sh" "$program" /usr "$tree"
documents=$tree/usr/share/doc/healthvault
cat > "$documents/changelog" <<EOF
healthvault ($VERSION) unstable; urgency=medium

  * See Changes in the documentation.

 -- the healthvault authors <healthvault@users.noreply.github.com>  $(date --utc --rfc-email --date "@$SOURCE_DATE_EPOCH")
EOF
gzip -9 --no-name "$documents/changelog"
install -D -m 644 "$HERE/debian/lintian-overrides" "$tree/usr/share/lintian/overrides/healthvault"

# dpkg-shlibdeps reads the names of packages there.
printf 'Source: healthvault\n\nPackage: healthvault\nArchitecture: any\nDescription: one\n' > "$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "$tree/usr/bin/healthvault" | sed -n 's/^shlibs:Depends=//p')
# It looks at symbols only: relocations in their short form need this version as well.
if readelf --version-info --wide "$program" | grep GLIBC_ABI_DT_RELR > /dev/null; then
    depends=$(sed -E 's/libc6 \(>= 2\.3[0-5]\)/libc6 (>= 2.36)/' <<< "$depends")
fi
size=$(du --summarize --apparent-size --block-size=1024 --exclude=DEBIAN "$tree" | cut -f1)
sed -e "s|@VERSION@|$VERSION|" -e "s|@ARCHITECTURE@|$architecture|" -e "s|@SIZE@|$size|" -e "s|@DEPENDS@|$depends|" \
    "$HERE/debian/control.in" > "$tree/DEBIAN/control"
(cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
set_times "$tree"
dpkg-deb --root-owner-group --threads-max=1 -Zxz --build "$tree" "$output/healthvault_${VERSION}_$architecture.deb" > /dev/null

# By itself as well, so that its digest is in the list.
cp --preserve=timestamps "$tree/usr/share/healthvault/open.html" "$output"
"$HERE/source.sh" "$output"
python3 "$HERE/sbom.py" "$program" "$tree/usr/bin/healthvault" "$@" > "$output/healthvault_$VERSION.spdx.json"
touch --date "@$SOURCE_DATE_EPOCH" "$output/healthvault_$VERSION.spdx.json"
list_digests "$output"
