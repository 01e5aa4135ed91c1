"""Makes the wheel of the Python package: `wheel.py LIBRARY FOLDER` writes it into FOLDER and prints its path.

LIBRARY is the folder with libhealthvault.so.

A wheel is a zip of the package, the library and three files about them (https://packaging.python.org/specifications/binary-
distribution-format/). The library is Linux's and calls no function of Python, so one wheel serves every version of it.
"""
import base64
import hashlib
import platform
import re
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOOL_VERSION = HERE.parents[1] / "Interface" / "Wording" / "Texts" / "ToolVersion.swift"
# The same files make the same bytes.
TIME = (1980, 1, 1, 0, 0, 0)


def metadata(version):
    return "\n".join([
        "Metadata-Version: 2.1", "Name: healthvault", f"Version: {version}",
        "Summary: Reads encrypted archives of Apple Health exports into pyarrow, pandas, polars and DuckDB",
        "License: MIT", "Requires-Python: >=3.9", "Classifier: Operating System :: POSIX :: Linux",
        "Classifier: Typing :: Typed", "Description-Content-Type: text/markdown", "",
        (HERE / "README.md").read_text()])


def make(library, folder):
    version = re.search(r'number = "([^"]+)"', TOOL_VERSION.read_text())[1]
    tag = f"py3-none-linux_{platform.machine()}"
    facts = f"healthvault-{version}.dist-info"
    files = {f"{path.parent.name}/{path.name}": path.read_bytes() for package in ("healthvault", "pyspark_healthvault")
             for path in sorted((HERE / package).iterdir()) if path.suffix in {".py", ".typed"}}
    files["healthvault/libhealthvault.so"] = (Path(library) / "libhealthvault.so").read_bytes()
    files[f"{facts}/METADATA"] = metadata(version).encode()
    files[f"{facts}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: healthvault\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{facts}/RECORD"] = f"{record}{facts}/RECORD,,\n".encode()
    target = Path(folder) / f"healthvault-{version}-{tag}.whl"
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as wheel:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    return target


if __name__ == "__main__":
    print(make(*sys.argv[1:]))
