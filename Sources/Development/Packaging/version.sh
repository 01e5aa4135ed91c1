# Read by the scripts beside it: what is packaged, and when it was made.
#
# The day of the version is the time of everything in a package, so that packing it again gives the same bytes.

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=$(cd "$HERE/../../.." && pwd)

# Prints a text of the program's version.
tool_version() {
    sed -n "s/.*static let $1 = \"\\(.*\\)\"/\\1/p" "$ROOT/Sources/Interface/Wording/Texts/ToolVersion.swift"
}

VERSION=$(tool_version number)
DAY=$(tool_version day)
SOURCE_DATE_EPOCH=$(date --utc --date "$DAY" +%s)
export SOURCE_DATE_EPOCH
# The same order, names of months and permissions for everyone.
export LC_ALL=C.UTF-8 TZ=UTC
umask 022

# Gives all files of a folder the time of the version.
set_times() {
    find "$1" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
}

# Lists the digests of all files of a folder in its SHA256SUMS.
list_digests() {
    (cd "$1" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\0' | sort -z | xargs -0 sha256sum > SHA256SUMS)
}
