"""The generated exports that are measured, and what is made of them beforehand."""
import json
import shutil
import subprocess
import zipfile
from functools import cached_property

from rounds import Failure, environment

DOCUMENT = "apple_health_export/export.xml"
# From this size on, in megabytes, an export has the files of many years beside its document, as real ones have; a
# smaller one would consist of little else.
HEAVY_FROM = 500
# By name: what it is, and the options of the generator for a size.
KINDS = {
    "document": ("the document alone", lambda size: ("--side-files", "none")),
    "sideFiles": ("with routes, electrocardiograms and clinical documents",
                  lambda size: ("--side-files", "heavy" if size >= HEAVY_FROM else "some")),
    "newDevices": ("a new device pointer in every record: the worst case",
                   lambda size: ("--side-files", "none", "--shape", "newDevices")),
}


# A month of a type that is recorded all the time; generated exports reach from 2016 to 2026.
MONTH = "--types", "heartRate", "--since", "2023-05-01", "--until", "2023-05-31"
# A tiny export has nothing in most months.
YEAR = "--types", "heartRate", "--since", "2023-01-01", "--until", "2023-12-31"
MONTHS_FROM = 10


class Export:
    """A generated export.zip in a folder of its own."""

    def __init__(self, kind, size, folder, tools):
        self.kind, self.folder, self.tools = kind, folder, tools
        self.description, options = KINDS[kind]
        self.options = options(size)
        self.month = MONTH if size >= MONTHS_FROM else YEAR
        self.zip = folder / "export.zip"
        folder.mkdir(parents=True)
        self.prepare(tools["healthvault-generate"], "--output", self.zip, "--size", f"{size}MB", *self.options)
        with zipfile.ZipFile(self.zip) as file:
            self.members = file.infolist()

    def prepare(self, *command, output=None):
        done = subprocess.run(command, stdout=output or subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              env=environment())
        if done.returncode:
            raise Failure(f"{command[0]}: status {done.returncode}\n{done.stderr}")

    def facts(self):
        return {
            "description": self.description,
            "generatorOptions": list(self.options),
            "zipBytes": self.zip.stat().st_size,
            "documentBytes": next(member.file_size for member in self.members if member.filename == DOCUMENT),
            "sideFiles": len(self.members) - 1,
            "sideFileBytes": sum(member.file_size for member in self.members if member.filename != DOCUMENT),
            "heartRates": self.heart_rates,
        }

    @cached_property
    def xml(self):
        """The document, unpacked."""
        with zipfile.ZipFile(self.zip) as file:
            file.extract(DOCUMENT, self.folder)
        return self.folder / DOCUMENT

    @cached_property
    def zstd(self):
        """The document, compressed with zstd."""
        path = self.folder / "export.xml.zst"
        self.prepare(self.tools["zstd"], "-1", "-q", "-f", self.xml, "-o", path)
        return path

    @cached_property
    def member_list(self):
        """Where the compressed bytes of each file in the zip are, for `inflate_zlib`."""
        path = self.folder / "members"
        with open(self.zip, "rb") as file, open(path, "w") as sink:
            for member in self.members:
                if member.compress_type != zipfile.ZIP_DEFLATED:
                    raise Failure(f"{member.filename} is not deflated")
                # Behind 30 bytes come a name and further fields, the lengths of which are the last of the 30.
                file.seek(member.header_offset + 26)
                lengths = [int.from_bytes(file.read(2), "little") for _ in range(2)]
                print(member.header_offset + 30 + sum(lengths), member.compress_size, member.CRC, file=sink)
        return path

    @cached_property
    def plain_lengths(self):
        """The length of each file of the plain folder, for `digest_pieces`."""
        path, made = self.folder / "lengths", self.folder / "lengths-of"
        self.prepare(self.tools["healthvault"], "export", self.xml, "--quiet", "--output", made)
        files = sorted(file for file in made.rglob("*") if file.is_file())
        path.write_text("".join(f"{file.stat().st_size}\n" for file in files))
        shutil.rmtree(made)
        return path

    @cached_property
    def database(self):
        """What healthkit-to-sqlite makes of the zip, with an index on what is asked of it."""
        path = self.folder / "health.db"
        self.prepare(self.tools["healthkit-to-sqlite"], "--silent", self.zip, path)
        self.prepare(self.tools["sqlite3"], path, "create index heart on rHeartRate (startDate, value);"
                     "create index steps on rStepCount (startDate, value); analyze;")
        return path

    @cached_property
    def heart_rates(self):
        """The number of heart rates in the document."""
        done = subprocess.run([self.tools["healthvault"], "inspect", self.zip, "--json"], capture_output=True,
                              env=environment())
        if done.returncode:
            raise Failure(f"no contents of {self.zip}")
        return sum(found["count"] for found in json.loads(done.stdout)["types"]
                   if found["type"] == "HKQuantityTypeIdentifierHeartRate")

    @cached_property
    def passphrase(self):
        """The options that open an archive."""
        path = self.folder / "passphrase"
        path.write_text("a passphrase for the bench only\n")
        path.chmod(0o600)
        return "--passphrase-file", path

    @cached_property
    def question(self):
        """What an assistant asks first: the contents of the archive, in one message without a handshake."""
        path = self.folder / "question.jsonl"
        path.write_text(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "overview", "arguments": {}, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                                           "io.modelcontextprotocol/clientCapabilities": {}}}}) + "\n")
        return path

    def archive(self, name, preload=None):
        """An archive of the zip to read from, with or without a derivation."""
        path = self.folder / name
        more = {"LD_PRELOAD": str(preload)} if preload else {}
        done = subprocess.run([self.tools["healthvault"], "export", self.zip, "--encrypt", "--quiet", "--iterations",
                               "600000", "--output", path, *self.passphrase], env=environment(**more))
        if done.returncode:
            raise Failure(f"no archive of {self.zip}")
        return path
