"""What is claimed of the program's speed and size, and whether a measurement bears it out."""
from dataclasses import dataclass, field
from typing import Callable, NamedTuple

from spread import Spread, difference, ratio

MIB = 1 << 20
# The most that an archive may have of its zip's size, and what is aimed at, by kind of export; for 1 GB of XML.
ARCHIVE_SIZES = {"document": (0.43, 0.40), "sideFiles": (0.70, 0.65), "newDevices": (0.56, 0.45)}
# The same by megabytes of XML, the document alone.
LENGTH_SIZES = {1: (1.0, 0.6), 12: (0.50, 0.48), 40: (0.48, 0.46), 100: (0.455, 0.43)}
# What any archive may have beside: headers, manifest and index of the smallest are that long.
ALLOWANCE = 32 * 1024
# The commands of healthvault of which the memory counts.
WITH_TWO_JOBS = "encryptZip", "encryptXMLUnderived", "plainXML", "verify", "decrypt"


class NotMeasured(Exception):
    """Something that a target needs is missing; the message says what."""


@dataclass
class Measurements:
    """What one run of the bench measured, and why anything is missing."""

    # By kind of export and name of the command, the samples by round.
    runs: dict
    # By kind of export, the bytes of the zip.
    zip_bytes: dict
    # By megabytes of XML, the bytes of an archive and of its zip.
    lengths: dict = field(default_factory=dict)
    # By name of the command.
    missing: dict = field(default_factory=dict)
    processors: int = 1
    # Of the program without symbols.
    program_bytes: int | None = None
    # In the document.
    heart_rates: int = 0

    def of(self, kind, command, what):
        """One value of a command's samples, by round."""
        if command not in self.runs.get(kind, {}):
            raise NotMeasured(self.missing.get(command, "was not run"))
        return {number: getattr(sample, what) for number, sample in self.runs[kind][command].items()}

    def spread(self, kind, command, what):
        return Spread.of(self.of(kind, command, what).values())


class Target(NamedTuple):
    """A claim: what is measured against what, and which value it must not exceed."""

    name: str
    what: str
    against: str
    unit: str
    at_most: float | None
    aim: float | None
    measure: Callable

    def row(self, measurements):
        """The claim with what was measured and the verdict."""
        try:
            measured, reason = self.measure(measurements), None
        except NotMeasured as problem:
            measured, reason = None, str(problem)
        return {
            "name": self.name, "what": self.what, "against": self.against, "unit": self.unit,
            "measured": measured and measured._asdict(), "atMost": self.at_most, "aim": self.aim,
            "verdict": verdict(measured, self.at_most, self.aim), "reason": reason,
        }


def verdict(measured, at_most, aim):
    """The median decides."""
    if measured is None:
        return "not measured"
    if at_most is None:
        return "told"
    return "aim" if measured.median <= aim else "reached" if measured.median <= at_most else "missed"


def ratio_of(kind, command, what, peer):
    """The ratio of what a command and its peer took."""
    return lambda found: ratio(found.of(kind, command, what), found.of(kind, peer, what))


def archive_size(kind):
    def size(found):
        made = found.of(kind, "encryptZip", "made")
        return Spread.of(length / found.zip_bytes[kind] for length in made.values())
    return size


def archive_size_at(length, allowance):
    def size(found):
        if length not in found.lengths:
            raise NotMeasured("was not made")
        sizes = found.lengths[length]
        return Spread.of([(sizes["archiveBytes"] - allowance) / sizes["zipBytes"]])
    return size


def length_targets():
    for length, (at_most, aim) in LENGTH_SIZES.items():
        allowance, less = (ALLOWANCE, " less 32 KiB") if length == 1 else (0, "")
        yield Target(f"length{length}.size", f"archive of {length} MB of XML{less}, size", "the zip", "", at_most, aim,
                     archive_size_at(length, allowance))


def worker_ratio(found):
    if found.processors < 2:
        raise NotMeasured("there is only one processor")
    return ratio(found.of("document", "encryptZipUnderived", "wall"), found.of("document", "encryptZipOneJob", "wall"))


def start_up(found):
    return difference(found.of("startUp", "version", "wall"), found.of("startUp", "true", "wall")) * 1000


def peak(found):
    """That of the command that needs most. PBKDF2 needs none, so that it does not matter whether a key is derived."""
    peaks = [found.spread(kind, command, "peak") for kind in ARCHIVE_SIZES for command in WITH_TWO_JOBS
             if command in found.runs.get(kind, {})]
    if not peaks:
        raise NotMeasured("was not run")
    return max(peaks, key=lambda spread: spread.median) * (1 / MIB)


def program_size(found):
    if found.program_bytes is None:
        raise NotMeasured("has no Swift libraries in it, or strip is missing; `make build` puts them in")
    return Spread.of([found.program_bytes / 1e6])


def zip_targets():
    for kind, (size, size_aim) in ARCHIVE_SIZES.items():
        in_kind = "" if kind == "document" else f" ({kind})"
        yield Target(f"{kind}.encryptZip.wall", f"zip to archive, wall{in_kind}", "unzip -p", "", 0.22, 0.19,
                     ratio_of(kind, "encryptZipUnderived", "wall", "unzip"))
        yield Target(f"{kind}.encryptZip.wallWithDerivation", f"the same with derivation{in_kind}", "unzip -p", "",
                     None, None, ratio_of(kind, "encryptZip", "wall", "unzip"))
        yield Target(f"{kind}.encryptZip.cpu", f"zip to archive, CPU{in_kind}", "zlib inflate and CRC", "", 1.25, 1.05,
                     ratio_of(kind, "encryptZipUnderived", "cpu", "inflateZlib"))
        if kind == "document":
            # With two jobs, one processor reads what the other one has just written, which takes longer.
            yield Target("document.encryptZipOneJob.cpu", "the same with one job", "zlib inflate and CRC", "", None, None,
                         ratio_of(kind, "encryptZipOneJob", "cpu", "inflateZlib"))
        yield Target(f"{kind}.encryptZip.size", f"zip to archive, size{in_kind}", "the zip", "", size, size_aim,
                     archive_size(kind))


def document_targets():
    def cpu(name, what, against, at_most, aim, command, peer):
        return Target(f"document.{name}.cpu", f"{what}, CPU", against, "", at_most, aim,
                      ratio_of("document", command, "cpu", peer))

    push, decompress = "libxml2 push, counting", "zstd -dc of zstd -1"
    yield cpu("encryptXML", "XML to archive", push, 0.20, 0.12, "encryptXMLUnderived", "libxml2")
    yield cpu("plainXML", "XML to NDJSON", push, 0.15, 0.06, "plainXML", "libxml2")
    yield cpu("decrypt", "archive to NDJSON", decompress, 2.6, 2.2, "decryptUnderived", "zstdDecompress")
    # Below it, no decryption into a folder can come that digests what it writes.
    yield cpu("decryptFloor", "digesting and writing as many bytes, nothing else", decompress, None, None, "digestPieces",
              "zstdDecompress")
    yield cpu("verify", "verify", decompress, 1.5, 1.0, "verifyUnderived", "zstdDecompress")
    yield Target("document.verify.wall", "verify, wall", "unzip -p", "", 0.10, 0.08,
                 ratio_of("document", "verifyUnderived", "wall", "unzip"))


def seconds(command):
    return lambda found: found.spread("document", command, "wall")


def milliseconds(command):
    return lambda found: found.spread("document", command, "wall") * 1000


def per_row(command):
    """Microseconds of all processors for each heart rate."""
    def measure(found):
        if not found.heart_rates:
            raise NotMeasured("there are no heart rates")
        return found.spread("document", command, "cpu") * (1e6 / found.heart_rates)
    return measure


def reading_targets():
    """Questions to an archive of ten years, beside the filled and indexed database of a peer."""
    yield Target("document.open.wall", "an archive opened and its contents told", "", "ms", None, None,
                 milliseconds("openUnderived"))
    yield Target("document.mcpAnswer.wall", "an assistant's first answer, with start and derivation", "", "ms", 600, 450,
                 milliseconds("mcpAnswer"))
    for name, what in ("decryptMonth", "out of"), ("queryMonth", "asked of"):
        yield Target(f"document.{name}.wall", f"a month of heart rates {what} an archive", "", "ms", 20, 10,
                     milliseconds(name))
    yield Target("document.queryMonth.sqlite", "a month of heart rates asked of an archive",
                 "healthkit-to-sqlite, indexed", "", None, None, ratio_of("document", "queryMonth", "wall", "sqliteMonth"))
    for name, form in ("queryCSV", "CSV"), ("queryJSON", "JSON"):
        yield Target(f"document.{name}.cpu", f"all heart rates as {form}, CPU", "", "µs a row", 0.5, 0.2,
                     per_row(f"{name}Underived"))
    yield Target("document.statsDaily.wall", "daily steps of ten years, merged, from an archive", "", "ms", 200, 60,
                 milliseconds("statsDailyUnderived"))
    yield Target("document.statsDaily.sqlite", "daily steps of ten years, merged, from an archive",
                 "healthkit-to-sqlite, indexed", "", 1.0, 0.7,
                 ratio_of("document", "statsDailyUnderived", "wall", "sqliteDaily"))
    yield Target("document.statsDailyZip.wall", "the same from the zip", "", "ms", 1500, 1000,
                 milliseconds("statsDailyZip"))


def format_targets():
    yield Target("document.sqliteZip.wall", "zip to SQLite, wall", "healthkit-to-sqlite", "", 0.05, 0.03,
                 ratio_of("document", "sqliteZip", "wall", "healthkitToSQLite"))
    for name, what in ("sqliteZip", "SQLite"), ("jsonZip", "JSON"), ("csvZip", "CSV"), ("appleXMLZip", "Apple's XML"):
        yield Target(f"document.{name}.seconds", f"zip to {what}, wall", "", "s", None, None, seconds(name))


def answer_targets():
    """The months of ten years and the report, beside a database of a peer and SQL."""
    for name, what in (("analyticsZip", "analytics of ten years from the zip"), ("analyticsUnderived", "the same from an archive"),
                       ("reportZip", "the report of ten years from the zip"), ("reportUnderived", "the same from an archive")):
        yield Target(f"document.{name}.seconds", f"{what}, wall", "", "s", None, None, seconds(name))
        yield Target(f"document.{name}.peak", f"{what}, peak memory", "", "MiB", 64, 48,
                     lambda found, name=name: found.spread("document", name, "peak") * (1 / MIB))
    yield Target("document.analyticsZip.sqlite", "analytics from the zip", "healthkit-to-sqlite", "", 0.05, 0.03,
                 ratio_of("document", "analyticsZip", "wall", "healthkitToSQLite"))
    yield Target("document.sqliteMonthly.seconds", "six sums by month of its database, wall", "", "s", None, None,
                 seconds("sqliteMonthly"))


TARGETS = (
    *zip_targets(),
    *length_targets(),
    *document_targets(),
    *format_targets(),
    *reading_targets(),
    *answer_targets(),
    Target("peak", "peak memory with two jobs", "", "MiB", 36, 28, peak),
    Target("document.workers.wall", "two workers, wall", "one worker", "", 0.70, 0.55, worker_ratio),
    Target("startUp.wall", "start-up: --version", "/bin/true", "ms more", 10, 4, start_up),
    Target("program.size", "stripped program with Swift's libraries", "", "MB", 20, 12, program_size),
)
