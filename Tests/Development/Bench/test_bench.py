"""The benchmark runs through with a tiny export, and its peers do the work that they are compared for."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.parsers import expat

from commands import NEEDS
from exports import KINDS, Export
from targets import TARGETS
from tools import COMPILED, Tools

HERE = Path(__file__).resolve().parent
NO_COMPILER = "there is no C compiler; `make deps-bench` installs it"
# Where the programs lie.
FOLDER = Path(os.environ.get("HEALTHVAULT_PROGRAMS") or HERE.parents[2] / ".build" / "release")
PROGRAMS = {"healthvault": "HEALTHVAULT_BINARY", "healthvault-generate": "HEALTHVAULT_GENERATE"}


def skip_loudly(reason):
    """Skips in a way that nobody overlooks: what is skipped is not proved."""
    print(f"\nSKIPPED a test of the benchmark: {reason}", file=sys.stderr)
    raise unittest.SkipTest(reason)


def link_programs(folder):
    """Puts healthvault and its generator into a folder."""
    for name, variable in PROGRAMS.items():
        path = os.environ.get(variable) or FOLDER / name
        (folder / name).symlink_to(os.path.abspath(path))


class Peers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not shutil.which("cc"):
            skip_loudly(NO_COMPILER)
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="healthvault-test-")))
        link_programs(cls.folder)
        cls.tools = Tools(cls.folder, cls.folder / "compiled")

    def setUp(self):
        self.export = Export("sideFiles", 1, self.folder / self.id(), self.tools)

    def printed(self, name, *arguments, stdin=subprocess.DEVNULL):
        if name not in self.tools:
            skip_loudly(self.tools.missing[name])
        return subprocess.run([self.tools[name], *arguments], stdin=stdin, capture_output=True, text=True,
                              check=True).stdout

    def counts(self):
        """The elements and attributes that Python's expat counts."""
        elements = attributes = 0

        def start(_, of_element):
            nonlocal elements, attributes
            elements, attributes = elements + 1, attributes + len(of_element)

        parser = expat.ParserCreate()
        parser.StartElementHandler = start
        parser.Parse(self.export.xml.read_bytes(), True)
        return f"{elements} elements, {attributes} attributes\n"

    def test_libxml2_counts_every_element_and_attribute(self):
        self.assertEqual(self.printed("count_libxml2", self.export.xml), self.counts())

    def test_expat_counts_every_element_and_attribute(self):
        self.assertEqual(self.printed("count_expat", self.export.xml), self.counts())

    def test_zlib_inflates_every_file_and_notices_a_changed_byte(self):
        def inflate():
            with open(self.export.member_list) as members:
                return self.printed("inflate_zlib", self.export.zip, stdin=members)

        facts = self.export.facts()
        self.assertEqual(inflate(), f"{facts['documentBytes'] + facts['sideFileBytes']} bytes\n")
        with open(self.export.zip, "r+b") as file:
            file.seek(facts["zipBytes"] // 8)
            byte = file.read(1)[0]
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte ^ 1]))
        with self.assertRaises(subprocess.CalledProcessError):
            inflate()

    def test_the_floor_of_a_plain_folder_writes_as_many_files_and_bytes(self):
        made = self.folder / "pieces"
        with open(self.export.plain_lengths) as lengths:
            printed = self.printed("digest_pieces", made, stdin=lengths)
        wanted = sorted(map(int, self.export.plain_lengths.read_text().split()))
        self.assertEqual(sorted(file.stat().st_size for file in made.iterdir()), wanted)
        self.assertEqual(printed, f"{len(wanted)} files of {sum(wanted)} bytes\n")
        self.assertGreater(sum(wanted), 1_000_000)

    def test_every_program_compiles(self):
        missing = COMPILED.keys() & self.tools.missing.keys()
        if missing:
            skip_loudly(", ".join(self.tools.missing[name] for name in sorted(missing)))


class Bench(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        if not shutil.which("cc"):
            skip_loudly(NO_COMPILER)
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="healthvault-test-")))
        link_programs(self.folder)

    def bench(self, *arguments, status=0):
        done = subprocess.run([sys.executable, HERE / "bench.py", "--programs", self.folder, "--folder",
                               self.folder / "results", *arguments], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def report(self, name):
        left = {path.name for path in (self.folder / "results").iterdir()}
        self.assertEqual(left, {"programs", name}, "nothing else is left behind")
        return json.loads((self.folder / "results" / name).read_text())

    def test_one_round_with_one_megabyte(self):
        printed = self.bench("--size", "1", "--rounds", "1").stdout
        report = self.report("1.json")
        self.assertEqual(list(report), [
            "format", "sizeMegabytes", "rounds", "time", "program", "machine", "processorsBusyWithOthers",
            "plainFolder", "peers", "missing", "data", "lengths", "runs", "keyDerivation", "targets"])
        self.assertEqual(list(report["data"]), list(KINDS))
        for row in report["targets"]:
            self.assertEqual(list(row), ["name", "what", "against", "unit", "measured", "atMost", "aim", "verdict",
                                         "reason"])
            self.assertEqual(row["measured"] is None, row["verdict"] == "not measured", row)
            self.assertIn(row["what"], printed)
        self.assertEqual([row["name"] for row in report["targets"]], [target.name for target in TARGETS])
        self.check_runs(report)

    def check_runs(self, report):
        runs = report["runs"]["document"]
        self.assertEqual(runs.keys() & NEEDS.keys() | report["missing"].keys(), NEEDS.keys())
        for run in runs.values():
            self.assertEqual(list(run), ["command", "runs", "wallSeconds", "cpuSeconds", "peakBytes", "madeBytes"])
            for values in run["wallSeconds"], run["cpuSeconds"], run["peakBytes"]:
                self.assertEqual(list(values), ["minimum", "median", "maximum"])
            self.assertGreater(run["wallSeconds"]["minimum"], 0)
        if "encryptZipUnderived" in runs:
            self.assertEqual(runs["encryptZipUnderived"]["madeBytes"], runs["encryptZip"]["madeBytes"])
            self.assertGreater(report["keyDerivation"]["cpuSeconds"]["median"], 0.02)

    def test_the_peaks_of_memory(self):
        self.bench("--memory", "1")
        peaks = self.report("memory.json")["peakBytes"]
        self.assertEqual(peaks.keys(), {"encryptZip", "verify", "decrypt"})
        for by_size in peaks.values():
            self.assertEqual(list(by_size), ["1"])
            self.assertGreater(by_size["1"], 1 << 20)

    def test_a_program_that_fails_ends_it(self):
        (self.folder / "healthvault").unlink()
        (self.folder / "healthvault").symlink_to(shutil.which("false"))
        done = self.bench("--size", "1", "--rounds", "1", status=1)
        self.assertRegex(done.stderr, r"bench.py: .*healthvault --version: status 1")


if __name__ == "__main__":
    unittest.main()
