"""The programs that are measured: ours, those that are compiled here, and those that are installed or not."""
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from rounds import Failure

HERE = Path(__file__).resolve().parent
C_FLAGS = "-std=gnu17 -O2 -Wall -Wextra -Werror".split()
# Source, the package for pkg-config, further flags.
COMPILED = {
    "measure": ("measure.c", None, ()),
    "without_derivation.so": ("without_derivation.c", "libcrypto", ("-fPIC", "-shared")),
    "inflate_zlib": ("peers/inflate_zlib.c", "zlib", ()),
    "count_libxml2": ("peers/count_libxml2.c", "libxml-2.0", ()),
    "count_expat": ("peers/count_expat.c", "expat", ()),
    "digest_pieces": ("peers/digest_pieces.c", "libcrypto", ()),
}
# How each says which version it is.
PEERS = {
    "unzip": "-v",
    "inflate_zlib": "--version",
    "count_libxml2": "--version",
    "xmllint": "--version",
    "count_expat": "--version",
    "digest_pieces": "--version",
    "zstd": "--version",
    "age": "--version",
    "sqlite3": "--version",
    # Tells none; see python_version.
    "healthkit-to-sqlite": None,
}


def output(*command):
    """What a command prints, on whichever of the two ways; None if it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace")
    return done.stdout if done.returncode == 0 else None


def python_version(script, package):
    """What the Python that runs an installed script knows of its package."""
    with open(script, errors="replace") as file:
        python = file.readline().removeprefix("#!").strip()
    question = f"from importlib.metadata import version; print(version({package!r}))"
    return output(python, "-c", question) if os.path.isabs(python) else None


def compile_program(name, folder):
    """Compiles one of the programs of this folder; why not, or None."""
    source, package, flags = COMPILED[name]
    libraries = []
    if package:
        if not shutil.which("pkg-config"):
            return "pkg-config is not installed"
        found = output("pkg-config", "--cflags", "--libs", package)
        if found is None:
            return f"the headers of {package} are not installed"
        libraries = found.split()
    done = subprocess.run(["cc", *C_FLAGS, *flags, HERE / source, "-o", folder / name, *libraries],
                          capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"{source} does not compile:\n{done.stderr}")
    return None


class Tools:
    """Where every program is, or why it is not there."""

    def __init__(self, programs, folder):
        """Takes healthvault and its generator from the folder `programs`, and compiles the rest into `folder`."""
        self.paths, self.missing = {}, {}
        if not shutil.which("cc"):
            raise Failure("there is no C compiler; `make deps-bench` installs it")
        folder.mkdir(parents=True, exist_ok=True)
        for name in COMPILED:
            reason = compile_program(name, folder)
            if reason:
                self.missing[name] = reason
            else:
                self.paths[name] = folder / name
        for name in "healthvault", "healthvault-generate":
            self.paths[name] = programs / name
            if not os.access(programs / name, os.X_OK):
                raise Failure(f"there is no {programs / name}; `make build` makes it")
        for name in PEERS.keys() - COMPILED.keys():
            self.find(name, folder.parent / "venv" / "bin")
        self.versions = {name: self.version(name) for name in PEERS}

    def find(self, name, beside):
        path = shutil.which(name) or shutil.which(name, path=beside)
        if path:
            self.paths[name] = Path(path)
        else:
            self.missing[name] = f"{name} is not installed"

    def version(self, name):
        """The version of a peer, or None where it is missing."""
        if name in self.missing:
            return None
        told = output(self.paths[name], PEERS[name]) if PEERS[name] else python_version(self.paths[name], name)
        found = re.search(r"\d+\.\d+(\.\d+)*|\d{5}", told or "")
        return found[0] if found else "unknown"

    def __getitem__(self, name):
        return self.paths[name]

    def __contains__(self, name):
        return name in self.paths


def stripped_size(path):
    """The bytes of a program without its symbols; None if it needs Swift's libraries or strip is missing."""
    if b"libswiftCore.so" in path.read_bytes() or not shutil.which("strip"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        stripped = Path(folder) / "stripped"
        subprocess.run(["strip", "-o", stripped, path], check=True)
        return stripped.stat().st_size
