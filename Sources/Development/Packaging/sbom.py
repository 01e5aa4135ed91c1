#!/usr/bin/env python3
"""Prints a list of what a program consists of and needs, as SPDX 2.3 in JSON:  sbom.py PROGRAM INSTALLED [LIBRARY.a ...]

INSTALLED is the program as it is installed, whose digest is listed: without what tells a debugger the folder of the build.
Libraries are those that the program loads when it starts and those that it loads when a command needs them, with the version
that is installed here; the files `LIBRARY.a` are those that it was linked with instead.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
VERSION = ROOT / "Sources/Interface/Wording/Texts/ToolVersion.swift"
# The licence of each library, by the name of the library without its version.
LICENCES = {
    "libblkid": "LGPL-2.1-or-later", "libbz2": "bzip2-1.0.6", "libc": "LGPL-2.1-or-later", "libcrypto": "Apache-2.0",
    "libcurl": "curl", "libedit": "BSD-3-Clause", "libgcc_s": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libisal": "BSD-3-Clause", "libm": "LGPL-2.1-or-later", "libpq": "PostgreSQL", "libsqlite3": "blessing",
    "libstdc++": "GPL-3.0-or-later WITH GCC-exception-3.1", "libutf8proc": "MIT", "libz": "Zlib", "libzip": "BSD-3-Clause",
    "libzstd": "BSD-3-Clause OR GPL-2.0-only", "libzxcvbn": "MIT", "ld-linux-x86-64": "LGPL-2.1-or-later",
    "ld-linux-aarch64": "LGPL-2.1-or-later",
}
# What single commands load when they need it, with the packages, which ours recommends.
LOADED_LATER = {"libcurl.so.4": ("libcurl4", "sync"), "libedit.so.2": ("libedit2", "shell"), "libpq.so.5": ("libpq5", "sync")}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def package_of(path):
    """The Debian package that a file belongs to, and its version."""
    for name in path, path.replace("/usr/lib", "/lib", 1), path.replace("/lib", "/usr/lib", 1):
        found = subprocess.run(("dpkg", "-S", name), capture_output=True, text=True)
        if found.returncode == 0:
            package = found.stdout.split(": ")[0].split(",")[0]
            return package.split(":")[0], output("dpkg-query", "-W", "-f", "${Version}", package)
    raise SystemExit(f"no package has the file {path}")


def libraries(program):
    """The libraries that a program loads when it starts: name and path of each."""
    found = {}
    for line in output("ldd", program).splitlines():
        match = re.match(r"\s+(?:(\S+) => )?(/\S+)", line)
        if match:
            found[match[1] or os.path.basename(match[2])] = os.path.realpath(match[2])
    return found


def element(name, version, licence, comment):
    return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", name), "name": name, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": licence,
            "licenseDeclared": licence, "copyrightText": "NOASSERTION", "comment": comment}


def licence_of(name):
    return LICENCES[name.split(".so")[0].removesuffix(".a")]


def main(program, installed, archives):
    source = VERSION.read_text()
    number, day = (re.search(rf'static let {name} = "(.*)"', source)[1] for name in ("number", "day"))
    created = datetime.strptime(day, "%B %d, %Y").replace(tzinfo=timezone.utc)
    digest = hashlib.sha256(Path(installed).read_bytes()).hexdigest()
    swift = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    parts = [(element("swift-runtime", swift, "Apache-2.0 WITH Swift-exception",
                      "the standard library and the runtime of Swift, linked statically"), "STATIC_LINK")]
    for name, path in sorted(libraries(program).items()):
        package, version = package_of(path)
        parts.append((element(name, version, licence_of(name), f"loaded at the start; Debian package {package}"),
                      "DYNAMIC_LINK"))
    for path in sorted(archives):
        package, version = package_of(os.path.realpath(path))
        name = os.path.basename(path)
        parts.append((element(name, version, licence_of(name), f"linked statically; Debian package {package}"), "STATIC_LINK"))
    for name, (package, command) in sorted(LOADED_LATER.items()):
        parts.append((element(name, "NOASSERTION", licence_of(name), f"loaded by '{command}' only; Debian package {package}"),
                      "OPTIONAL_DEPENDENCY_OF"))
    tool = element("healthvault", number, "MIT", "the program") | {
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest}]}
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": tool["SPDXID"]}]
    for part, kind in parts:
        ends = (part["SPDXID"], tool["SPDXID"])
        first, second = ends if kind.endswith("_OF") else ends[::-1]
        relations.append({"spdxElementId": first, "relationshipType": kind, "relatedSpdxElement": second})
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"healthvault-{number}",
        "documentNamespace": f"https://spdx.org/spdxdocs/healthvault-{number}-{digest[:32]}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: healthvault-sbom"]},
        "packages": [tool] + [part for part, _ in parts], "relationships": relations,
        "hasExtractedLicensingInfos": [],
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
