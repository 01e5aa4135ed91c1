"""A key ring in place of a passphrase: whatever reads an archive reads it with either."""
import json
import re
import shutil

from assistants.client import STATELESS
from vault import BINARY, BY_MONTH, ITERATIONS, OPEN, SECRET, SHARED, CommandTest, environment, generated, run, shared

PLACES = ("--config-dir", "config", "--state-dir", "drive-state")
RING = ("--keyring", "study.keyring", "--key-file", "keys/study.key")
# Each line reads the archive with KEY, which is a passphrase or a ring. What it writes is in the folder `out`.
READING = """
inspect a.hvault KEY --all
inspect a.hvault KEY --profile --json
inspect study KEY
verify a.hvault KEY --json
verify study KEY --json
verify a.hvault KEY --source b.hvault OTHER --json
decrypt a.hvault -o out/folder KEY
decrypt a.hvault -o out/table --format csv --types heartRate KEY
decrypt a.hvault -o out/entries --entry export_cda.xml KEY
decrypt a.hvault --tar KEY
recover a.hvault -o out/recovered KEY --json
export a.hvault -o out/json --format json KEY
export study -o out/newest --last 30d KEY
encrypt a.hvault -o out/again.hvault ITERATIONS --passphrase-file SECRET SOURCE
export a.hvault -e -o out/part.hvault --last 30d ITERATIONS --passphrase-file SECRET SOURCE
session list named --state-dir state KEY --json
destination history PLACES --verify KEY
query a.hvault heartRate --limit 3 KEY
query study stepCount --gone KEY
stats a.hvault steps --by month KEY --csv
sleep a.hvault KEY
ecg list a.hvault KEY
ecg show a.hvault 1 KEY --csv
chart a.hvault heartRate KEY -o out/chart.svg
correlate a.hvault steps heartRate KEY
report a.hvault -o out/report.html KEY
analytics init a.hvault --database out/totals.sqlite KEY
analytics update a.hvault --database totals.sqlite KEY
changes b.hvault --since a.hvault KEY
sync a.hvault --target dir:out/copy --person anna KEY
mcp a.hvault KEY
shell a.hvault KEY
"""
# What needs the passphrase itself.
REFUSING = {"compact", "passphrase", "keyring", "schedule"}


# What an assistant asks.
REQUEST = json.dumps({
    "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "list_types", "arguments": {}, "_meta": {"io.modelcontextprotocol/protocolVersion": STATELESS}}}) + "\n"


def study(place):
    """A folder with archives, a ring, a session, a destination and a database."""
    def vault(*arguments):
        result = run(BINARY, *arguments, cwd=place)
        assert result.status == 0, result
    for folder in place, place / "keys", place / "study", place / "drive":
        folder.mkdir()
    encrypt = ("-e", *BY_MONTH, *ITERATIONS, *OPEN)
    vault("export", generated().zip, "-o", "study/health.hvault", *encrypt)
    shutil.copy(place / "study" / "health.hvault", place / "a.hvault")
    vault("export", generated().zip, "-o", "b.hvault", "--session", "named", "--state-dir", "state", *encrypt)
    vault("destination", "add", "drive", "drive", *PLACES[:2])
    vault("export", generated().zip, "--to", "drive", *PLACES, *encrypt)
    vault("analytics", "init", "b.hvault", "--database", "totals.sqlite", "--person", "anna", *OPEN)
    vault("keyring", "make", ".", "-o", "study.keyring", "--key-file", "keys/study.key", *OPEN)


class Reading(CommandTest):
    def arguments(self, line, own, other, source):
        """The words of a line with what opens the archive that it is about, another one, and a source."""
        return [part for word in line.split() for part in {
            "KEY": own, "OTHER": other, "SOURCE": source, "ITERATIONS": ITERATIONS, "SECRET": (SECRET,),
            "PLACES": PLACES}.get(word, (word,))]

    def answer(self, line, *keys):
        """What a command says and writes, without how long it took."""
        shutil.copy(self.study / "totals.sqlite", self.folder)
        (self.folder / "out").mkdir()
        lines = {"shell": b"stats steps --by year\ninspect --json\n", "mcp": REQUEST.encode()}
        result = self.vault(
            *self.arguments(line, *keys), status=(0, 10), input=lines.get(line.split()[0], b""))
        written = {}
        for path in sorted((self.folder / "out").rglob("*")):
            if path.suffix == ".hvault":
                written[path.name] = self.vault("decrypt", path, "--tar", *OPEN).stdout.partition(b"export.json")[2]
            elif path.is_file() and path.suffix != ".sqlite":
                written[path.name] = re.sub(rb"[0-9]+ tests", b"", path.read_bytes())
            else:
                written[path.name] = None
        shutil.rmtree(self.folder / "out")
        output = re.sub(rb'"(\w*[sS]econds)":[0-9.]+', rb"\1", result.stdout)
        return result.status, output, re.sub(r"[0-9.]+ (ms|s|MB/s)\b", "", result.stderr), written

    def setUp(self):
        super().setUp()
        self.study = shared(SHARED / "study-of-two", study)
        shutil.copytree(self.study, self.folder, dirs_exist_ok=True)

    def test_whatever_reads_an_archive_takes_a_ring(self):
        other = ("--other-passphrase-file", SECRET)
        for line in filter(None, READING.splitlines()):
            with self.subTest(line):
                asked = self.answer(line, OPEN, other, other)
                self.assertEqual(self.answer(line, RING, (), RING), asked)

    def test_no_key_is_derived(self):
        for line in filter(None, READING.splitlines()):
            if "SECRET" not in line:
                (self.folder / "out").mkdir()
                found = self.vault(*self.arguments(line, RING, (), RING), status=(0, 10), env=environment(
                    HEALTHVAULT_LOG="debug"))
                self.assertNotIn("derived a key", found.stderr, line)
                shutil.rmtree(self.folder / "out")

    def test_the_table_has_every_command_that_takes_a_passphrase(self):
        tried = {line.split()[0] for line in filter(None, READING.splitlines())} | REFUSING
        names = re.findall(r"(?m)^  ([a-z]+)  ", self.vault("help").stdout.decode())
        texts = {name: self.vault("help", name).stdout.decode() for name in names}
        commands = {name: text for name, text in texts.items() if text.startswith("usage:")}
        takers = {name for name, text in commands.items() if re.search("(?m)^ +--passphrase-file", text)}
        self.assertEqual(takers, tried)
        offering = {name for name, text in commands.items() if re.search("(?m)^ +--keyring FILE  ", text)}
        self.assertEqual(offering, takers - REFUSING)

    def test_what_needs_the_passphrase_itself_says_so(self):
        for name in "compact study -o out.hvault", "passphrase list a.hvault":
            found = self.vault(*name.split(), *RING, status=2)
            self.assertIn("--keyring does not work here: a key ring has no passphrase, which", found.stderr)
        self.assertIn("'resume' takes no --keyring, which is for list", self.vault(
            "session", "resume", "named", *RING, status=2).stderr)
        self.assertIn("--keyring", self.vault("schedule", "set", *RING, status=2).stderr)

    def test_combinations(self):
        for arguments, message in [
                (("decrypt", "a.hvault", *RING[:2]), "--keyring and --key-file are needed together"),
                (("verify", "a.hvault", *RING, *OPEN), "a key ring takes the place of a passphrase"),
                (("export", "a.hvault", *RING, *OPEN), "a key ring takes the place of a passphrase"),
                (("export", generated().zip, "-o", "x", *RING), "--keyring is for an archive as SOURCE"),
                (("encrypt", generated().zip, "-o", "x.hvault", *RING, *OPEN), "--keyring is for an archive as SOURCE"),
                (("destination", "history", *RING), "works only with --verify"),
                (("session", "list", *RING), "works only with the name of a session")]:
            self.assertIn(message, self.vault(*arguments, status=2).stderr)

    def test_an_archive_that_is_not_in_the_ring(self):
        self.vault("encrypt", generated().zip, "-o", "study/new.hvault", *ITERATIONS, *OPEN)
        reason = "study/new.hvault: the key ring does not have the key of this archive"
        for line in "decrypt study/new.hvault -o new", "verify study/new.hvault", "recover study/new.hvault", \
                "verify a.hvault --source study/new.hvault":
            self.assertIn(reason, self.vault(*line.split(), *RING, status=12).stderr)
        self.assertIn(f"not checked: {reason}", self.vault("verify", "study", *RING, status=3).stderr)

    # SECURITY.md: "With a key ring (section 35), a preamble is enough"
    def test_without_a_key_slot_a_ring_recovers_everything(self):
        place = self.folder / "a.hvault"
        data = bytearray(place.read_bytes())
        for start in 128, len(data) - 4096 + 128:
            data[start:start + 3968] = bytes(3968)
        place.write_bytes(data)
        self.vault("recover", "a.hvault", *OPEN, status=14)
        self.vault("recover", "a.hvault", "-o", "recovered", *RING)
        self.vault("decrypt", "b.hvault", "-o", "whole", *OPEN)
        self.assert_same_folder("whole", "recovered", "recovery.json", "session.json", "SHA256SUMS")
