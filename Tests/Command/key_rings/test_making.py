"""healthvault keyring: the keys of many archives in one file."""
import json
import os
import shutil

from documents import RECORD, document
from key_rings import rings
from vault import ENCRYPT, ITERATIONS, OPEN, PASSPHRASE, CommandTest, Gated, environment

NAMES = ("a.hvault", "b.hvault", "deeper/c.hvault")
MAKE = ("keyring", "make", "study", "-o", "study.keyring", "--key-file", "keys/study.key")
RING = ("--keyring", "study.keyring", "--key-file", "keys/study.key")


class Study(CommandTest):
    """Each test has a folder with three archives of one passphrase, and one for keys."""

    passphrases = {}

    def setUp(self):
        super().setUp()
        (self.folder / "export.xml").write_text(document(RECORD * 20))
        (self.folder / "study" / "deeper").mkdir(parents=True)
        (self.folder / "keys").mkdir()
        for name in NAMES:
            self.export(name, self.passphrases.get(name))

    def export(self, name, passphrase=None):
        options = ENCRYPT
        if passphrase:
            (self.folder / "secret").write_text(passphrase)
            options = ("--encrypt", *ITERATIONS, "--passphrase-file", "secret")
        self.vault("export", "export.xml", "-o", f"study/{name}", *options)

    def bytes(self, name):
        return (self.folder / name).read_bytes()

    def derivations(self, *arguments, **more):
        """How many keys a command derives, by its own log."""
        found = self.vault(*arguments, env=environment(HEALTHVAULT_LOG="debug"), **more)
        return found.stderr.count("derived a key")

    def keys(self):
        return rings.file_keys(self.bytes("study.keyring"), self.bytes("keys/study.key"))

    def assert_opens(self, *names):
        keys = self.keys()
        archives = [self.bytes(f"study/{name}") for name in names]
        self.assertEqual(set(keys), {archive[32:64] for archive in archives})
        for archive in archives:
            self.assertTrue(rings.is_file_key(keys[archive[32:64]], archive))


class Making(Study):
    # SECURITY.md: "reads a ring without any code of this program"
    # SECURITY.md: "`healthvault keyring make` derives once for each archive"
    def test_each_archive_costs_one_derivation_and_then_none(self):
        self.assertEqual(self.derivations(*MAKE, *OPEN), len(NAMES))
        self.assert_opens(*NAMES)
        for name in NAMES:
            question = ("query", f"study/{name}", "heartRate", "--json")
            self.assertEqual(self.derivations(*question, *RING), 0)
            self.assertEqual(self.vault(*question, *RING).stdout, self.vault(*question, *OPEN).stdout)

    # SECURITY.md: "The key file is made with mode 0600"
    def test_the_key_is_made_once_for_its_owner_alone(self):
        made = self.vault(*MAKE, *OPEN)
        key = self.folder / "keys" / "study.key"
        self.assertEqual((key.stat().st_mode & 0o777, key.stat().st_size), (0o600, 32))
        self.assertIn("a new key", made.stderr)
        before = key.read_bytes()
        made = self.vault(*MAKE, *OPEN, "--overwrite")
        self.assertEqual(key.read_bytes(), before)
        self.assertNotIn("a new key", made.stderr)
        self.assert_opens(*NAMES)

    # SECURITY.md: "RING is random for each ring that is written"
    def test_two_rings_with_one_key_have_nothing_in_common_but_identifiers(self):
        self.vault(*MAKE, *OPEN)
        first = self.bytes("study.keyring")
        self.vault(*MAKE, *OPEN, "--overwrite")
        second = self.bytes("study.keyring")
        self.assertNotEqual(first[32:64], second[32:64])
        for start in range(rings.HEADER, len(first) - rings.CODE, rings.ENTRY):
            self.assertEqual(first[start:start + 32], second[start:start + 32])
            self.assertNotEqual(first[start + 32:start + 80], second[start + 32:start + 80])

    def test_what_an_older_ring_has_is_not_derived_again(self):
        self.vault(*MAKE, *OPEN)
        self.assertEqual(self.derivations(*MAKE, *OPEN, "--overwrite"), 0)
        self.export("new.hvault")
        self.assertEqual(self.derivations(*MAKE, *OPEN, "--overwrite"), 1)
        self.assert_opens(*NAMES, "new.hvault")
        # Nothing is kept of an archive that is gone.
        os.remove(self.folder / "study" / "a.hvault")
        self.assertEqual(self.derivations(*MAKE, *OPEN, "--overwrite"), 0)
        self.assert_opens(*NAMES[1:], "new.hvault")

    # SECURITY.md: "and all archives that they continue"
    # SECURITY.md: "`healthvault keyring make` derives once for each archive"
    def test_a_chain_costs_one_derivation(self):
        shutil.rmtree(self.folder / "study")
        (self.folder / "study").mkdir()
        places = ("--config-dir", "config", "--state-dir", "state")
        self.vault("destination", "add", "drive", "study", *places[:2])
        records = [RECORD.replace("2023-05", f"2023-{month}") * 20 for month in ("05", "06")]
        for count in 1, 2:
            (self.folder / "export.xml").write_text(document(*records[:count]))
            self.vault("export", "export.xml", "--to", "drive", "--incremental", *places, *ENCRYPT)
        names = [name for name in self.names(self.folder / "study") if name.endswith(".hvault")]
        self.assertEqual(len(names), 2)
        self.assertEqual(self.derivations(*MAKE, *OPEN, "--jobs", "1"), 1)
        self.assert_opens(*names)
        for name in names:
            self.assertEqual(self.derivations("query", f"study/{name}", "heartRate", "--json", *RING), 0)

    def test_what_it_reports_in_json(self):
        report = json.loads(self.vault(*MAKE, *OPEN, "--json").stdout)
        self.assertEqual(report, {
            "path": "study.keyring", "keyFile": "keys/study.key", "keyIsNew": True, "keys": 3, "keyDerivations": 3,
            "failures": [], "warnings": []})

    # SECURITY.md: "A ring has its name once it is complete"
    def test_nothing_has_its_name_before_it_is_complete(self):
        for calls in range(1, 4):
            command = Gated([self.program, *MAKE, *OPEN], ("rename",), cwd=self.folder)
            if not command.gate.next():
                self.fail("nothing is renamed")
            self.assertFalse((self.folder / "study.keyring").exists())
            command.kill()
            self.assertFalse((self.folder / "study.keyring").exists())
        self.vault(*MAKE, *OPEN)
        self.assert_opens(*NAMES)
        self.assertEqual(self.names(), ["export.xml", "keys", "study", "study.keyring"])

    # SECURITY.md: "none of them is ever written, printed or handed out"
    def test_no_secret_is_said(self):
        found = self.vault(*MAKE, *OPEN, env=environment(HEALTHVAULT_LOG="debug"))
        texts = found.stdout + found.stderr.encode() + self.bytes("study.keyring")
        key = self.bytes("keys/study.key")
        for secret in [PASSPHRASE.encode(), key, *self.keys().values()]:
            for form in secret, secret.hex().encode():
                self.assertNotIn(form, texts)


class Lists(Study):
    passphrases = {"a.hvault": "the first one of them", "deeper/c.hvault": "the third one of them"}
    MAKE = (*MAKE, "--passphrases", "list.tsv")

    def list(self, *lines):
        (self.folder / "list.tsv").write_text("".join(f"{line}\n" for line in lines))

    def test_a_passphrase_for_each_archive(self):
        self.list("a.hvault\tthe first one of them", f"b.hvault\t{PASSPHRASE}", "",
                  "deeper/c.hvault\tthe third one of them\r")
        self.assertEqual(self.derivations(*self.MAKE), len(NAMES))
        self.assert_opens(*NAMES)

    def test_those_that_do_not_open_are_listed_and_the_others_are_in_the_ring(self):
        self.list("a.hvault\tthe wrong one of them", f"b.hvault\t{PASSPHRASE}")
        made = self.vault(*self.MAKE, status=3)
        self.assertIn("not in the ring: study/a.hvault: wrong passphrase", made.stderr)
        self.assertIn("not in the ring: study/deeper/c.hvault: no passphrase was given", made.stderr)
        self.assert_opens("b.hvault")
        report = json.loads(self.vault(*self.MAKE, "--overwrite", "--json", status=3).stdout)
        self.assertEqual([(failure["path"], failure["code"]) for failure in report["failures"]], [
            ("study/a.hvault", "wrongPassphrase"), ("study/deeper/c.hvault", "wrongPassphrase")])

    def test_mistakes(self):
        for lines, status, message in [
                (["a.hvault the first one of them"], 2, "line 1 is not an archive, a tab and a passphrase"),
                (["", "a.hvault\t"], 2, "line 2 is not"), (["\tsecret"], 2, "line 1 is not"),
                (["a.hvault\tx", "a.hvault\ty"], 2, "line 2 names an archive for a second time"),
                (["z.hvault\tthe first one of them"], 10, "names z.hvault, which is not an archive"),
                (["a.hvault\tbell\x07"], 2, "control character")]:
            with self.subTest(message):
                self.list(*lines)
                found = self.vault(*self.MAKE, status=status)
                self.assertIn(message, found.stderr)
                self.assertNotIn("the first one of them", found.stderr)
                self.assertEqual(self.names(self.folder / "keys"), [])


class Refusals(Study):
    def refuse(self, *arguments, status, message):
        before = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        found = self.vault(*arguments, status=status)
        self.assertIn(message, found.stderr)
        self.assertEqual(before, {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()})

    # SECURITY.md: "the program refuses to put the key into the folder of its ring"
    def test_a_key_beside_its_ring(self):
        os.symlink("keys", self.folder / "link")
        for ring, key in [("r.keyring", "r.key"), ("r.keyring", f"{self.folder}/r.key"), ("keys/r", "link/r.key")]:
            self.refuse("keyring", "make", "study", "-o", ring, "--key-file", key, *OPEN, status=2,
                        message="would lie in the same folder as its key ring")
        self.vault(*MAKE, *OPEN)
        os.symlink("keys/study.key", self.folder / "study.key")
        self.refuse("keyring", "make", "study", "-o", "keys/r.keyring", "--key-file", "study.key", *OPEN, status=2,
                    message="would lie in the same folder as its key ring")

    # SECURITY.md: "refuses a key for which other users than its owner have permissions"
    def test_keys_that_are_none(self):
        key = self.folder / "keys" / "study.key"
        for content in b"", bytes(31), bytes(33), b"5" * 64:
            key.write_bytes(content)
            key.chmod(0o600)
            self.refuse(*MAKE, *OPEN, status=2, message="exactly 32 bytes")
        key.write_bytes(bytes(range(32)))
        for mode in 0o640, 0o604, 0o644, 0o660:
            key.chmod(mode)
            self.refuse(*MAKE, *OPEN, status=2, message="other users have permissions for this key")

    def test_what_is_there_already(self):
        (self.folder / "study.keyring").write_bytes(b"something else")
        self.refuse(*MAKE, *OPEN, status=16, message="study.keyring")
        self.refuse(*MAKE, *OPEN, "--overwrite", status=16, message="study.keyring")
        os.remove(self.folder / "study.keyring")
        self.vault(*MAKE, *OPEN)
        self.refuse(*MAKE, *OPEN, status=16, message="--overwrite")

    def test_no_archive_that_opens(self):
        (self.folder / "wrong").write_text("not the passphrase")
        self.refuse(*MAKE, "--passphrase-file", "wrong", status=12, message="wrong passphrase")
        self.assertEqual(self.names(self.folder / "keys"), [])
        (self.folder / "empty").mkdir()
        self.refuse("keyring", "make", "empty", *MAKE[3:], *OPEN, status=10, message="contains no archive")

    def test_a_damaged_archive_is_left_out(self):
        place = self.folder / "study" / "a.hvault"
        data = bytearray(place.read_bytes())
        data[4096 + 60:] = bytes(len(data) - 4096 - 60)
        place.write_bytes(data)
        made = self.vault(*MAKE, *OPEN, status=3)
        self.assertIn("not in the ring: study/a.hvault", made.stderr)
        self.assert_opens(*NAMES[1:])

    # SECURITY.md: "A reader checks, in this order"
    def test_opening(self):
        self.vault(*MAKE, *OPEN)
        question = ("query", "study/a.hvault", "heartRate", "--json")
        ring, key = self.folder / "study.keyring", self.folder / "keys" / "study.key"
        good = ring.read_bytes()
        self.refuse(*question, "--keyring", "study.keyring", status=2, message="needed together")
        self.refuse(*question, *RING, *OPEN, status=2, message="takes the place of a passphrase")
        for change, status, message in [
                (b"x" + good[1:], 14, "not a key ring"), (good[:8] + b"\2" + good[9:], 14, "unsupported format version"),
                (good[:-1], 13, "the key ring is damaged"), (good[:200] + bytes([good[200] ^ 1]) + good[201:], 13, "tampered with"),
                (good[:64] + bytes(32) + good[96:], 12, "the key is not that of this key ring")]:
            ring.write_bytes(change)
            self.refuse(*question, *RING, status=status, message=message)
        ring.write_bytes(good)
        key.chmod(0o644)
        self.refuse(*question, *RING, status=2, message="other users have permissions")
        key.chmod(0o600)
        right = key.read_bytes()
        key.write_bytes(bytes(32))
        self.refuse(*question, *RING, status=12, message="the key is not that of this key ring")
        key.write_bytes(right)
        self.export("new.hvault")
        self.refuse("query", "study/new.hvault", *question[2:], *RING, status=12,
                    message="study/new.hvault: the key ring does not have the key of this archive")
        self.vault(*question, *RING)


class Forgeries(Study):
    # SECURITY.md: "`keyring make` opens each archive to its end, also one whose key it has already"
    def test_the_headers_of_another_archive_over_the_segments_of_one(self):
        a, b = self.bytes("study/a.hvault"), self.bytes("study/b.hvault")
        (self.folder / "study" / "z.hvault").write_bytes(a[:4096] + b[4096:-4096] + a[-4096:])
        made = self.vault(*MAKE, *OPEN, "--jobs", "1", status=3)
        self.assertIn("not in the ring: study/z.hvault", made.stderr)
        self.assert_opens(*NAMES)

    def test_what_a_crash_left_of_a_key_is_not_in_the_way(self):
        part = self.folder / "keys" / "study.key.part"
        for left in b"", bytes(32):
            part.write_bytes(left)
            part.chmod(0o600)
            self.vault(*MAKE, *OPEN)
            self.assertEqual(self.names(self.folder / "keys"), ["study.key"])
            key = self.folder / "keys" / "study.key"
            self.assertEqual(key.stat().st_size, 32)
            self.assertNotEqual(key.read_bytes(), bytes(32))
            os.remove(key)
            os.remove(self.folder / "study.keyring")
        part.write_bytes(b"notes of somebody else, which are longer")
        self.assertIn("study.key.part", self.vault(*MAKE, *OPEN, status=16).stderr)
        self.assertEqual(part.read_bytes(), b"notes of somebody else, which are longer")


class Showing(Study):
    # SECURITY.md: "see that it is one, how many archives it is for, and their identifiers, which also stand in the archives"
    def test_identifiers(self):
        self.vault(*MAKE, *OPEN)
        expected = sorted(self.bytes(f"study/{name}")[32:64].hex() for name in NAMES)
        stated = self.vault("keyring", "show", "study.keyring")
        self.assertEqual(stated.stdout.decode().split(), expected)
        self.assertIn("not checked", stated.stderr)
        checked = self.vault("keyring", "show", "study.keyring", "--key-file", "keys/study.key", "--json")
        self.assertEqual(json.loads(checked.stdout), {
            "path": "study.keyring", "isAuthentic": True, "vaults": expected, "warnings": []})
        ring = self.folder / "study.keyring"
        ring.write_bytes(ring.read_bytes()[:-1] + b"\0")
        self.vault("keyring", "show", "study.keyring", "--key-file", "keys/study.key", status=13)
        self.vault("keyring", "show", "study/a.hvault", status=14)
        self.vault("keyring", "show", "study.keyring", "--overwrite", status=2)


class Answers(Study):
    def test_a_folder_of_archives_and_the_shell(self):
        self.vault(*MAKE, *OPEN)
        shutil.copytree(self.folder / "study", self.folder / "one")
        os.remove(self.folder / "one" / "b.hvault")
        for command in (("stats", "one", "heartRate", "--by", "day", "--json"), ("shell", "one")):
            lines = b"stats heartRate --by day --json\nquery heartRate --json\n"
            with_ring = self.vault(*command, *RING, input=lines)
            self.assertEqual(with_ring.stdout, self.vault(*command, *OPEN, input=lines).stdout)
            self.assertTrue(with_ring.stdout)

    def test_inspecting(self):
        self.vault(*MAKE, *OPEN)
        shutil.copytree(self.folder / "study", self.folder / "one")
        os.remove(self.folder / "one" / "b.hvault")
        for options in ("--json",), ("--profile",), ("--all", "--json"):
            for source in "study/deeper/c.hvault", "one":
                question = ("inspect", source, *options)
                self.assertEqual(self.derivations(*question, *RING), 0)
                with_ring = self.vault(*question, *RING)
                self.assertEqual(with_ring.stdout, self.vault(*question, *OPEN).stdout)
        counts = [json.loads(self.vault("inspect", source, "--json", *RING).stdout)["samples"] for source in ("one", "export.xml")]
        self.assertEqual(counts[0], counts[1])
        # The public header alone needs no key.
        header = json.loads(self.vault("inspect", "study/a.hvault", "--json").stdout)
        self.assertEqual(json.loads(self.vault("inspect", "study/a.hvault", "--json", *RING).stdout)["header"], header["header"])
        for options, message in [(RING[:2], "needed together"), ((*RING, *OPEN), "takes the place of a passphrase")]:
            self.assertIn(message, self.vault("inspect", "study/a.hvault", *options, status=2).stderr)
        self.export("new.hvault")
        found = self.vault("inspect", "study/new.hvault", *RING, status=12)
        self.assertIn("study/new.hvault: the key ring does not have the key of this archive", found.stderr)
        self.assertFalse(found.stdout)

    # SECURITY.md: "whatever happens to their passphrases"
    def test_a_changed_passphrase_revokes_no_ring(self):
        self.vault(*MAKE, *OPEN)
        (self.folder / "new").write_text("otter violin mesa plunder gherkin cascade")
        self.vault("passphrase", "change", "study/a.hvault", *OPEN, "--new-passphrase-file", "new", *ITERATIONS)
        question = ("query", "study/a.hvault", "heartRate", "--json")
        self.vault(*question, *OPEN, status=12)
        self.assertTrue(self.vault(*question, *RING).stdout)
