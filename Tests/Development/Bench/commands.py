"""The commands that take turns: the program's own and those of its peers."""
import subprocess
from pathlib import Path

from rounds import Command

# The fewest PBKDF2 iterations that a new archive takes.
ITERATIONS = 600_000
ENCRYPT = "--encrypt", "--iterations", str(ITERATIONS)
# The commands that a machine may not be able to run, and the program that each needs.
NEEDS = {
    "unzip": "unzip", "inflateZlib": "inflate_zlib", "libxml2": "count_libxml2", "expat": "count_expat",
    "digestPieces": "digest_pieces", "xmllint": "xmllint", "zstd": "zstd", "zstdDecompress": "zstd", "age": "age",
    "healthkitToSQLite": "healthkit-to-sqlite", "sqliteMonth": "healthkit-to-sqlite",
    "sqliteDaily": "healthkit-to-sqlite", "sqliteMonthly": "healthkit-to-sqlite",
} | dict.fromkeys(("openUnderived", "queryMonth", "queryCSVUnderived", "queryJSONUnderived",
                   "statsDailyUnderived", "encryptZipUnderived", "encryptZipOneJob", "encryptXMLUnderived", "verifyUnderived",
                   "decryptUnderived", "decryptMonth", "analyticsUnderived", "reportUnderived"), "without_derivation.so")
# The types of a table of months, which `analytics` makes as well, and merges what two devices recorded.
MONTHLY = ("StepCount", "ActiveEnergyBurned", "BasalEnergyBurned", "DistanceWalkingRunning", "FlightsClimbed",
           "AppleExerciseTime")


def not_run(tools):
    """The commands that cannot be run here, and why."""
    return {command: tools.missing[tool] for command, tool in NEEDS.items() if tool in tools.missing}


def peers(export, tools, plain_folder):
    """Those that unpack the zip and do no more; with the document alone also those that read it, and what people do
    with an export today.
    """
    found = []

    def add(name, *arguments, **more):
        if NEEDS[name] in tools:
            inputs = tuple(part for part in arguments if isinstance(part, Path) and part != more.get("output"))
            found.append(Command(name, (tools[NEEDS[name]], *arguments), inputs, **more))

    add("unzip", "-p", export.zip)
    add("inflateZlib", export.zip, stdin=export.member_list)
    if export.kind != "document":
        return found
    add("libxml2", export.xml)
    add("expat", export.xml)
    # What a plain folder would cost without its lines.
    pieces = plain_folder / "pieces"
    add("digestPieces", pieces, output=pieces, stdin=export.plain_lengths)
    add("xmllint", "--stream", "--noout", export.xml)
    if "zstd" in tools:
        add("zstd", "-1", "-q", "-c", export.xml)
        add("zstdDecompress", "-dc", "-q", export.zstd)
    if "age" in tools:
        add("age", "-r", recipient(), export.zip)
    # Where the many times that it waits for the disk cost it nothing.
    database = plain_folder / "health.db"
    add("healthkitToSQLite", "--silent", export.zip, database, output=database, every=3)
    if "healthkit-to-sqlite" in tools:
        first, last = export.month[3], export.month[5]
        # All sources added up: the tool has nothing else.
        for name, query in (("sqliteMonth", "select startDate, value from rHeartRate "
                             f"where startDate >= '{first}' and startDate < '{last}x' order by startDate"),
                            ("sqliteDaily", "select substr(startDate, 1, 10), sum(value) from rStepCount group by 1"),
                            ("sqliteMonthly", " union all ".join(
                                f"select '{name}', substr(startDate, 1, 7), sum(value) from r{name} group by 2"
                                for name in MONTHLY))):
            found.append(Command(name, (tools["sqlite3"], export.database, query), (export.database,)))
    return found


def recipient():
    """A new key pair's public half; the other half is forgotten."""
    made = subprocess.run(["age-keygen"], capture_output=True, text=True, check=True)
    return next(line.split(": ")[1] for line in made.stdout.splitlines() if line.startswith("# public key: "))


class Vault:
    """The commands of healthvault for one export. Archives lie beside the export, plain folders in a folder given.

    "Underived" ones run without the key derivation, and so do those that made what they read.
    """

    def __init__(self, export, tools, plain_folder):
        self.export, self.plain, self.program = export, plain_folder, tools["healthvault"]
        self.without_derivation = tools.paths.get("without_derivation.so")

    def command(self, name, verb, source, *options, output=None, jobs=2, underived=False):
        arguments = [self.program, verb, source, *options, "--jobs", str(jobs)]
        if output:
            arguments += ["--output", output]
        return Command(name, tuple(arguments), (source,), output, reports="--json" in options,
                       preload=self.without_derivation if underived else None)

    def encrypt(self, name, source, **more):
        return self.command(name, "export", source, *ENCRYPT, "--json", *self.export.passphrase,
                            output=self.export.folder / f"{name}.hvault", **more)

    def verify(self, name, archive, **more):
        return self.command(name, "verify", archive, "--json", *self.export.passphrase, **more)

    def decrypt(self, name, archive, *options, **more):
        return self.command(name, "decrypt", archive, *options, "--quiet", *self.export.passphrase,
                            output=self.plain / name, **more)

    def answer(self, name, verb, source, *options, underived=False, form="--csv"):
        return Command(name, (self.program, verb, source, *options, form), (source,),
                       preload=self.without_derivation if underived else None)

    def analytics(self, name, source, *options, **more):
        database = self.plain / f"{name}.sqlite"
        return Command(name, (self.program, "analytics", "init", source, "--database", database, *options), (source,), database,
                       **more)

    def report(self, name, source, *options, **more):
        page = self.plain / f"{name}.html"
        return Command(name, (self.program, "report", source, "--output", page, *options), (source,), page, **more)

    def reading_zip(self):
        yield self.encrypt("encryptZip", self.export.zip)
        if self.without_derivation:
            yield self.encrypt("encryptZipUnderived", self.export.zip, underived=True)

    def others(self):
        archive = self.export.archive("read.hvault")
        yield self.command("plainXML", "export", self.export.xml, "--quiet", output=self.plain / "plainXML")
        yield self.verify("verify", archive)
        yield self.decrypt("decrypt", archive)
        # The archive is opened with its passphrase, and the server ends with its input, after one answer.
        yield Command("mcpAnswer", (self.program, "mcp", archive, *self.export.passphrase), (archive,),
                      stdin=self.export.question, reports=True)
        yield self.answer("statsDailyZip", "stats", self.export.zip, "stepCount", "--by", "day")
        yield self.analytics("analyticsZip", self.export.zip)
        yield self.report("reportZip", self.export.zip)
        for name, format, target in (("sqliteZip", "sqlite", "health.sqlite"), ("jsonZip", "json", "health.json"),
                                     ("csvZip", "csv", "tables"), ("appleXMLZip", "apple-xml", "again.xml")):
            yield self.command(name, "export", self.export.zip, "--format", format, "--quiet", output=self.plain / target)
        if not self.without_derivation:
            return
        archive = self.export.archive("readUnderived.hvault", self.without_derivation)
        yield self.encrypt("encryptZipOneJob", self.export.zip, jobs=1, underived=True)
        yield self.encrypt("encryptXMLUnderived", self.export.xml, underived=True)
        yield self.verify("verifyUnderived", archive, underived=True)
        yield self.decrypt("decryptUnderived", archive, underived=True)
        yield self.decrypt("decryptMonth", archive, *self.export.month, underived=True)
        for make, name in (self.analytics, "analyticsUnderived"), (self.report, "reportUnderived"):
            yield make(name, archive, *self.export.passphrase, preload=self.without_derivation)
        # What comes before any answer: the header, the index and the manifest.
        yield self.answer("openUnderived", "inspect", archive, *self.export.passphrase, underived=True, form="--json")
        yield self.answer("queryMonth", "query", archive, "heartRate", *self.export.month[2:],
                          *self.export.passphrase, underived=True)
        for name, form in ("queryCSVUnderived", "--csv"), ("queryJSONUnderived", "--json"):
            yield self.answer(name, "query", archive, "heartRate", *self.export.passphrase, underived=True, form=form)
        yield self.answer("statsDailyUnderived", "stats", archive, "stepCount", "--by", "day", *self.export.passphrase,
                          underived=True)


def start_up(tools):
    """What starting costs, and what starting anything costs."""
    return [Command("version", (tools["healthvault"], "--version")), Command("true", ("/bin/true",))]


def commands(export, tools, plain_folder):
    """What is measured with an export: everything with the document alone, only reading the zip with the others."""
    vault = Vault(export, tools, plain_folder)
    found = peers(export, tools, plain_folder) + list(vault.reading_zip())
    return found + list(vault.others()) if export.kind == "document" else found
