"""Passphrases are changed, added and removed without touching what is in an archive."""
import json
import os
import re
import shutil
import unittest

from drives.stick import chain
from terminal import Terminal
from vault import BINARY, ITERATIONS, OPEN, PASSPHRASE, READER, SECRET, CommandTest, Gated, generated, run
import write_container  # found by the line above

FAST = ITERATIONS


class Slots(CommandTest):
    def setUp(self):
        super().setUp()
        self.archive = self.folder / "x.hvault"
        self.archive.write_bytes(generated().archive.read_bytes())
        self.before = self.archive.read_bytes()

    def secret(self, text):
        path = self.folder / text.replace(" ", "-")
        path.write_text(text)
        return path

    def passphrase(self, action, *options, status=0, current=SECRET):
        return self.vault("passphrase", action, "x.hvault", *(("--passphrase-file", current) if current else ()), *options,
                          status=status)

    def opens(self, path):
        return self.vault("verify", "x.hvault", "--passphrase-file", path, status=(0, 12)).status == 0

    def test_a_generated_passphrase_is_typed_from_paper(self):
        """Case, hyphens and spaces do not matter, here and for the independent reader."""
        form = "abcde-fghij-klmno-pqrst-uvw27"
        self.passphrase("change", "--new-passphrase-file", self.secret("ABCDEFGHIJ klmnopqrst-uvw27"), *FAST)
        for text in form, form.replace("-", ""), form.upper().replace("-", " "):
            self.assertTrue(self.opens(self.secret(text)), text)
            self.check_content(self.secret(text))
            shutil.rmtree(self.folder / "read")
        self.assertFalse(self.opens(self.secret(form[:-1])))

    def check_content(self, passphrase):
        """Only the headers differ, and the independent reader gets everything out."""
        after = self.archive.read_bytes()
        self.assertEqual(after[4096:-4096], self.before[4096:-4096])
        self.assertEqual(after[:4096], after[-4096:])
        result = run("/usr/bin/python3", READER, self.archive, self.folder / "read",
                     "--passphrase-file", passphrase, cwd=self.folder)
        self.assertEqual(result.status, 0, result.stderr)

    # SECURITY.md: "A finished archive never changes, except for its headers when a passphrase is changed"
    # SECURITY.md: "Changing a passphrase does not change the file key"
    def test_change(self):
        new = self.secret("otter violin mesa plunder gherkin cascade")
        result = self.passphrase("change", "--new-passphrase-file", new, *FAST)
        self.assertIn("still open with the old one", result.stderr)
        self.assertNotIn("weak", result.stderr)
        self.assertTrue(self.opens(new))
        self.assertFalse(self.opens(SECRET))
        self.check_content(new)

    # SECURITY.md: "A finished archive never changes, except for its headers when a passphrase is changed"
    def test_add_and_remove(self):
        new = self.secret("otter violin mesa plunder gherkin cascade")
        self.passphrase("add", "--new-passphrase-file", new, *FAST)
        self.assertTrue(self.opens(new) and self.opens(SECRET))
        listed = json.loads(self.passphrase("list", "--json", current=None).stdout)
        self.assertEqual([slot["slot"] for slot in listed["slots"]], [0, 1])
        self.assertEqual(listed["generation"], 2)
        self.check_content(new)
        self.passphrase("remove", "--slot", "0", current=new)
        self.assertTrue(self.opens(new) and not self.opens(SECRET))
        self.passphrase("remove", current=new, status=2)
        self.passphrase("remove", "--slot", "7", current=new, status=10)
        self.assertTrue(self.opens(new))

    def torn(self, before, after):
        """What a power cut leaves of a change of both headers, and whether the header at the end is written by then."""
        for is_second, old in enumerate((before, before[:-4096] + after[-4096:])):
            for sectors in range(1), range(4), range(7, 8):
                data = bytearray(old)
                for sector in sectors:
                    at = sector * 512 + (0 if is_second else len(data) - 4096)
                    data[at:at + 512] = after[at:at + 512]
                yield bytes(data), is_second

    def after(self, action, *options, before):
        """The archive after an action that the power does not cut short."""
        self.archive.write_bytes(before)
        self.passphrase(action, *options)
        return self.archive.read_bytes()

    def recovers(self, path):
        result = self.vault("recover", "x.hvault", "-o", "out", "--passphrase-file", path, status=(0, 12))
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        return result.status == 0

    def check_repaired(self):
        data = self.archive.read_bytes()
        self.assertEqual(data[:4096], data[-4096:])
        self.assertNotIn("warning", self.passphrase("list", current=None).stderr)

    # SECURITY.md: "what is left of an older or a torn one does not open what its owner has closed"
    # SECURITY.md: "Repeating the command finishes an interrupted change, addition or removal"
    # SECURITY.md: "The other one may be torn: its digest shows that, and nothing opens by it"
    def test_a_change_that_a_power_cut_tore_is_finished_by_the_same_command(self):
        new = self.secret("otter violin mesa plunder gherkin cascade")
        change = "change", "--new-passphrase-file", new, *FAST
        for data, is_second in self.torn(self.before, self.after(*change, before=self.before)):
            self.archive.write_bytes(data)
            self.assertIn("header is damaged", self.passphrase("list", current=None).stderr)
            refused, right = (SECRET, new) if is_second else (new, SECRET)
            said = self.vault("verify", "x.hvault", "--passphrase-file", refused, status=12).stderr
            self.assertIn("wrong passphrase", said)
            self.assertNotIn("without the passphrase", said)
            self.assertFalse(self.recovers(refused), "a torn header opens nothing")
            self.assertTrue(self.recovers(right))
            self.passphrase(*change)
            self.check_repaired()
            self.assertTrue(self.opens(new) and not self.opens(SECRET) and not self.recovers(SECRET))

    # SECURITY.md: "Repeating the command finishes an interrupted change, addition or removal"
    def test_an_addition_and_a_removal_that_a_power_cut_tore_are_finished_by_the_same_command(self):
        new = self.secret("otter violin mesa plunder gherkin cascade")
        add, remove = ("add", "--new-passphrase-file", new, *FAST), ("remove", "--slot", "1")
        both = self.after(*add, before=self.before)
        for command, before, after in (add, self.before, both), (remove, both, self.after(*remove, before=both)):
            for data, _ in self.torn(before, after):
                self.archive.write_bytes(data)
                self.passphrase(*command)
                self.check_repaired()
                self.assertTrue(self.opens(SECRET))
                self.assertEqual(self.opens(new), command == add)

    def test_a_removal_of_the_own_passphrase_that_a_power_cut_tore(self):
        """Where the header that is intact does not know it any more, the other one is rewritten from that."""
        new = self.secret("otter violin mesa plunder gherkin cascade")
        both = self.after("add", "--new-passphrase-file", new, *FAST, before=self.before)
        for data, is_second in self.torn(both, self.after("remove", before=both)):
            self.archive.write_bytes(data)
            self.passphrase("remove", status=12 if is_second else 0)
            self.check_repaired()
            self.assertTrue(self.opens(new) and not self.opens(SECRET) and not self.recovers(SECRET))

    # SECURITY.md: "Any of these commands with a passphrase that opens the archive rewrites a damaged header"
    def test_a_header_that_the_drive_has_changed_is_rewritten_and_both_are_not_called_a_forgery(self):
        rotten = bytearray(self.before)
        rotten[140] ^= 1
        self.archive.write_bytes(rotten)
        self.passphrase("label", "--label", "mine")
        self.check_repaired()
        rotten[-4096 + 140] ^= 1
        self.archive.write_bytes(rotten)
        said = self.vault("verify", "x.hvault", *OPEN, status=13).stderr
        self.assertIn("the header is damaged: its writing was interrupted, or the drive has changed it", said)
        # Who makes the digests anew has changed the header on purpose.
        forged = write_container.resealed(bytes(rotten[:70] + b"\1" + rotten[71:140] + self.before[140:4096]))
        self.archive.write_bytes(forged + self.before[4096:-4096] + forged)
        self.assertIn("changed by someone without", self.vault("verify", "x.hvault", *OPEN, status=13).stderr)

    # SECURITY.md: "A new passphrase that zxcvbn estimates below 60 bits gets a warning"
    def test_a_weak_passphrase_is_called_weak(self):
        for text, how in ("password123", "instantly"), ("Jennifer1990", "in about|instantly"):
            self.archive.write_bytes(self.before)
            result = self.passphrase("change", "--new-passphrase-file", self.secret(text), *FAST)
            self.assertRegex(result.stderr, f"weak passphrase: 1,000 graphics cards would guess it ({how})")
            self.assertNotIn(text, result.stderr)

    # SECURITY.md: "of the other commands only `session list` reads it"
    def test_what_makes_no_sense_is_refused_before_anything_is_written(self):
        new = self.secret("otter violin mesa plunder gherkin cascade")
        for status, action, *options in [
            (2, "list", "--slot", "1"), (2, "change", "--slot", "1"), (2, "remove", "--new-passphrase-file", new),
            (2, "change", "--new-passphrase-file", new, "--generate-passphrase"), (2, "rename"),
            (2, "change", "--new-passphrase-file", new, "--iterations", "1000"),
            (2, "change", "--new-passphrase-file", self.secret("short")), (2, "add", "--generate-passphrase"),
            (2, "add", "--new-passphrase-file", SECRET), (12, "add"), (10, "change", "--new-passphrase-file", "nowhere"),
            (2, "list", "--quiet"), (2, "remove", "--iterations", "700000"),
        ]:
            with self.subTest(str((action, *options))):
                current = new if status == 12 else None if action == "list" else SECRET
                more = ("--new-passphrase-file", new) if status == 12 else ()
                self.passphrase(action, *options, *more, status=status, current=current)
                self.assertEqual(self.archive.read_bytes(), self.before)
        self.vault("passphrase", "list", "nothing.hvault", status=10)
        os.rename(self.archive, self.folder / "x.hvault.part")
        self.vault("passphrase", "change", "x.hvault.part", *OPEN, "--new-passphrase-file", new, status=13)

    def test_a_read_only_archive(self):
        os.chmod(self.archive, 0o400)
        new = self.secret("otter violin mesa plunder gherkin cascade")
        if os.geteuid() == 0:
            self.skipTest("root may write everything")
        self.passphrase("change", "--new-passphrase-file", new, status=1)
        self.assertEqual(self.archive.read_bytes(), self.before)


class Chains(CommandTest):
    """The archives of a chain, or of a folder, are changed together."""

    NEW = "otter violin mesa plunder gherkin cascade"

    def setUp(self):
        super().setUp()
        made, self.archives = chain()
        shutil.copytree(made, self.folder / "drive")
        (self.folder / "new").write_text(self.NEW)
        self.new = "--passphrase-file", self.folder / "new"
        self.given = ("--new-passphrase-file", "new", *FAST)

    def passphrase(self, action, path, *options, status=0, current=OPEN):
        return self.vault("passphrase", action, f"drive/{path}", *current, *options, status=status)

    def opened(self, by):
        """What a passphrase opens of the archives by themselves, each in an empty folder."""
        found = []
        for name in self.names(self.folder / "drive"):
            if name.endswith(".hvault"):
                listed = self.vault("passphrase", "list", f"drive/{name}", *by, status=(0, 12, 14))
                found += [name] * (listed.status == 0)
        return found

    def test_a_change_reaches_the_whole_chain_whichever_archive_is_named(self):
        for name in "", self.archives[0], self.archives[-1]:
            with self.subTest(name):
                shutil.rmtree(self.folder / "drive")
                shutil.copytree(chain()[0], self.folder / "drive")
                said = self.passphrase("change", name, *self.given).stderr
                self.assertEqual(said.count("passphrase changed"), 3)
                self.assertEqual((self.opened(OPEN), self.opened(self.new)), ([], self.archives))
        self.vault("verify", "drive", *self.new)

    def test_one_is_added_to_and_removed_from_all(self):
        newest = self.archives[-1]
        self.passphrase("add", newest, *self.given, "--label", "paper")
        self.assertEqual((self.opened(OPEN), self.opened(self.new)), (self.archives, self.archives))
        self.passphrase("add", newest, *self.given, status=2)
        self.passphrase("label", "", "--label", "safe", current=self.new)
        listed = json.loads(self.passphrase("list", "", "--json", current=self.new).stdout)
        self.assertEqual([[slot.get("label") for slot in archive["slots"]] for archive in listed["archives"]],
                         [[None, "safe"]] * 3)
        self.passphrase("remove", newest)
        self.assertEqual((self.opened(OPEN), self.opened(self.new)), ([], self.archives))

    def test_what_is_not_changed_is_listed(self):
        """One that another passphrase opens, one that cannot be read, and the only passphrase of an archive."""
        oldest, _, newest = self.archives
        (self.folder / "third").write_text("quiet harbour lemon tundra ivory basket")
        shutil.copy(self.folder / "drive" / oldest, self.folder / "drive/copy.hvault")
        shutil.move(self.folder / "drive" / oldest, self.folder / "away.hvault")
        self.vault("passphrase", "change", "away.hvault", *OPEN, "--new-passphrase-file", "third", *FAST)
        shutil.move(self.folder / "away.hvault", self.folder / "drive" / oldest)
        result = self.passphrase("change", newest, *self.given, "--json", status=3)
        report = json.loads(result.stdout)
        self.assertEqual([failure["path"] for failure in report["failures"]], [f"drive/{oldest}"])
        self.assertEqual(report["failures"][0]["code"], "wrongPassphrase")
        self.assertEqual(report["changed"], [f"drive/{name}" for name in self.archives[1:]])
        self.assertEqual(report["stillOpened"], ["drive/copy.hvault"])
        (self.folder / "drive/broken.hvault").write_bytes(b"no archive")
        said = self.passphrase("add", "", *self.given, status=3).stderr
        for name, reason in (oldest, "wrong passphrase"), ("broken.hvault", "not an encrypted archive"):
            self.assertIn(f"not changed: drive/{name}: {reason}", said)
        self.assertEqual(self.opened(OPEN), ["copy.hvault"])
        self.assertEqual(self.opened(self.new), ["copy.hvault", *self.archives[1:]])
        said = self.passphrase("remove", "", status=3, current=self.new).stderr
        self.assertIn(f"drive/{newest}: still opens with the old passphrase", said)
        self.assertEqual(self.opened(self.new), self.archives[1:])

    def test_what_the_old_passphrase_still_opens_beside_a_chain_is_listed(self):
        (self.folder / "copy").mkdir()
        shutil.copy(self.folder / "drive" / self.archives[0], self.folder / "drive/copy.hvault")
        said = self.passphrase("change", self.archives[-1], *self.given).stderr
        self.assertIn("drive/copy.hvault: still opens with the old passphrase", said)

    def test_an_interrupted_change_is_repeated(self):
        """Whether it was stopped within the second archive or within the last, and which one is named."""
        for name, count in (self.archives[-1], 3), (self.archives[0], 4):
            shutil.rmtree(self.folder / "drive")
            shutil.copytree(chain()[0], self.folder / "drive")
            name = f"drive/{name}"
            command = Gated([BINARY, "passphrase", "change", name, *OPEN, *self.given], ("fsync",), cwd=self.folder)
            self.assertTrue(command.pass_calls(count))
            command.kill()
            self.vault("passphrase", "change", name, *OPEN, *self.given)
            self.assertEqual((self.opened(OPEN), self.opened(self.new)), ([], self.archives))

    def test_a_slot_is_one_of_one_archive(self):
        newest = self.archives[-1]
        self.passphrase("add", newest, *self.given)
        said = self.passphrase("remove", newest, "--slot", "0", status=3, current=self.new).stderr
        self.assertIn(f"not changed: drive/{self.archives[0]}, drive/{self.archives[1]}", said)
        self.assertEqual(self.opened(OPEN), self.archives[:-1])
        self.passphrase("remove", "", "--slot", "0", status=2)

    def test_a_chain_without_its_beginning(self):
        (self.folder / "drive" / self.archives[0]).unlink()
        said = self.passphrase("change", self.archives[-1], *self.given, status=3).stderr
        self.assertIn("warning: ", said)
        self.assertIn(self.archives[0], said)


class Terminals(CommandTest):
    def on_terminal(self, *arguments, answers=()):
        """Runs the command on a terminal of its own, answering its questions; what it showed, and its status."""
        with Terminal(self.folder, *arguments, term="dumb") as terminal:
            status = terminal.answer(*answers)
        return terminal.text, status

    def test_a_generated_passphrase_opens_the_archive(self):
        shown, status = self.on_terminal("export", generated().zip, "-e", "-o", "x.hvault", "--generate-passphrase", *FAST)
        self.assertEqual(status, 0, shown)
        found = re.findall(r"^ +([a-z2-7]{5}(?:-[a-z2-7]{5}){4})\r?$", shown, re.M)
        self.assertEqual(len(found), 1, shown)
        (self.folder / "secret").write_text(found[0])
        self.vault("verify", "x.hvault", "--passphrase-file", "secret")

    def test_passphrases_are_asked_for_in_order(self):
        (self.folder / "x.hvault").write_bytes(generated().archive.read_bytes())
        new = "otter violin mesa plunder gherkin cascade"
        shown, status = self.on_terminal("passphrase", "change", "x.hvault", *FAST, answers=[PASSPHRASE, new, new])
        self.assertEqual(status, 0, shown)
        self.assertNotIn("otter", shown)
        (self.folder / "secret").write_text(new)
        self.vault("verify", "x.hvault", "--passphrase-file", "secret")
        other, more = "quiet harbour lemon tundra ivory basket", "velvet cobalt marsh pigeon anchor quartz"
        answers = [new, other, more, other, more, other, more]
        shown, status = self.on_terminal("passphrase", "add", "x.hvault", *FAST, answers=answers)
        self.assertEqual(status, 2, shown)
        self.assertEqual(shown.count("passphrases do not match"), 3)


if __name__ == "__main__":
    unittest.main()
