"""Drives that are remembered, and found again or not."""
import json
import os
import shutil
import unittest

from drives.stick import StickTest
from named_exports import size
from vault import BINARY, ENCRYPT, OPEN, CommandTest, Gated, dense, generated, run, skip_loudly

MARKER = ".healthvault-destination"


class Names(CommandTest):
    def destination(self, *arguments, status=0):
        return self.vault("destination", *arguments, "--config-dir", "config", status=status)

    def test_added_listed_and_removed(self):
        (self.folder / "one").mkdir()
        self.destination("add", "one", "one")
        listed = json.loads(self.destination("list", "--json").stdout)["destinations"]
        self.assertEqual([(place["name"], place["state"], place["path"]) for place in listed],
                         [("one", "connected", str((self.folder / "one").resolve()))])
        self.assertIn(b"connected", self.destination("list").stdout)
        self.assertIn(b"free", self.destination("check", "one").stdout)
        self.destination("remove", "one")
        self.assertEqual(self.destination("list").stdout, b"")
        self.assertEqual(self.names(self.folder / "one"), [MARKER], "nothing on it is changed")

    def test_wrong_names_and_folders(self):
        (self.folder / "one").mkdir()
        for name in "", "-x", "a/b", "a b", "é", "x" * 65, ".x":
            self.destination("add", "--", name, "one", status=2)
        self.destination("add", "one", "nowhere", status=10)
        self.destination("add", "one", status=2)
        self.destination("check", "one", status=10)
        self.destination("remove", "one", status=10)
        self.destination("add", "one", "one")
        self.destination("add", "one", "one", status=16)
        self.assertIn("no destination named 'two'", self.destination("check", "two", status=10).stderr)

    def test_files_are_private(self):
        (self.folder / "one").mkdir()
        self.destination("add", "one", "one")
        for path in self.folder / "config", self.folder / "config" / "destinations", self.folder / "one" / MARKER:
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)

    def test_the_same_folder_twice_has_one_marker(self):
        (self.folder / "one").mkdir()
        self.destination("add", "one", "one")
        text = (self.folder / "one" / MARKER).read_bytes()
        self.destination("add", "two", "one")
        self.assertEqual((self.folder / "one" / MARKER).read_bytes(), text)
        self.destination("check", "one")
        self.destination("check", "two")

    def test_lines_of_a_newer_version_stay(self):
        (self.folder / "one").mkdir()
        self.destination("add", "one", "one")
        path = self.folder / "config" / "destinations"
        path.write_bytes(path.read_bytes() + b'{"destination":2}\nnonsense\n')
        text = path.read_bytes()
        self.assertIn("newer version", self.destination("add", "two", "one", status=14).stderr)
        self.assertEqual(path.read_bytes(), text)


    def test_a_file_that_was_cut_off_is_not_taken_as_empty(self):
        for name in "one", "two":
            (self.folder / name).mkdir()
            self.destination("add", name, name)
        path = self.folder / "config" / "destinations"
        text = path.read_bytes()
        for length in 0, 10, text.index(b"\n"), len(text) - 1:
            path.write_bytes(text[:length])
            for arguments in ("list",), ("check", "one"), ("add", "three", "one"), ("remove", "one"):
                message = self.destination(*arguments, status=14).stderr
                self.assertIn("config/destinations: damaged", message)
                self.assertIn("delete it", message)
            self.assertEqual(path.read_bytes(), text[:length])
        path.write_bytes(text)
        for name in "one", "two":
            self.destination("remove", name)
        self.assertEqual(self.destination("list").stdout, b"")
        self.destination("add", "one", "one")
        # Schedules likewise.
        (self.folder / "config" / "schedules").write_bytes(b'{"schedule":1')
        self.vault("schedule", "list", "--config-dir", "config", "--state-dir", "state", status=14)
        self.vault("schedule", "set", "--every", "day 02:00", "--source", ".", "--to", "one", "--timer", "none",
                   "--config-dir", "config", "--state-dir", "state", status=14)


class Places(StickTest):
    def test_a_drive_that_is_away(self):
        os.rename(self.folder / "drive", self.folder / "away")
        result = self.export(self.first, status=75)
        self.assertIn("not connected", result.stderr)
        self.assertEqual(self.history(), [], "nothing has happened yet")
        os.rename(self.folder / "away", self.folder / "drive")
        self.export(self.first)

    def test_a_history_of_no_destination(self):
        self.assertIn("no destination named 'stik'", self.vault("destination", "history", "stik", *self.places, status=10).stderr)
        self.vault("destination", "history", "stick", *self.places)
        self.export(self.first)
        self.vault("destination", "remove", "stick", *self.places[:2])
        runs = json.loads(self.vault("destination", "history", "stick", "--json", *self.places).stdout)["runs"]
        self.assertEqual([run["destination"] for run in runs], ["stick"])
        self.vault("destination", "history", "stik", *self.places, status=10)

    def test_a_marker_that_is_missing(self):
        (self.stick / MARKER).unlink()
        self.assertIn("marker", self.export(self.first, status=10).stderr)
        self.assertEqual(self.names(self.stick), [])

    def test_another_drive_at_the_same_place(self):
        shutil.rmtree(self.stick)
        self.stick.mkdir()
        self.vault("destination", "add", "other", self.stick, *self.places[:2])
        self.assertIn("a different drive", self.export(self.first, status=10).stderr)
        self.assertEqual(self.names(self.stick), [MARKER])

    def test_no_option_does_nothing(self):
        for options in (["--incremental"], ["-o", "x"], ["--keep", "2"]):
            arguments = ["export", self.first, *options]
            arguments += [] if options[0] == "--keep" or options[0] == "--incremental" else ["--to", "stick"]
            self.vault(*arguments, *self.places, status=2)
        for options in (["--mirror"], ["--overwrite"], ["--session", "x"], ["--keep", "0"],
                        ["--incremental", "--types", "heartRate"], ["--incremental", "--batch", "year"]):
            self.export(self.first, *options, status=2)
        self.vault("export", "-", "--to", "stick", *self.places, status=2)

    def test_each_export_has_a_name_of_its_own(self):
        for _ in range(3):
            self.export(self.first)
        # By the day of the export, not of the run.
        self.assertEqual(self.archives(), sorted([
            "health-2026-01-15.hvault", "health-2026-01-15-another-2.hvault", "health-2026-01-15-another-3.hvault"]))
        self.assertEqual([run["result"] for run in self.history()], ["done"] * 3)
        self.assertEqual({run["file"] for run in self.history()}, {"present"})

    def test_plain_formats_go_into_folders_that_verify_understands(self):
        for options in [], ["--format", "json"], ["--format", "sqlite,csv"], ["--types", "stepCount"]:
            self.vault("export", self.first, "--to", "stick", *self.places, *options)
        folders = [name for name in self.names(self.stick) if not name.startswith(".")]
        self.assertEqual(len(folders), 4)
        for name in folders:
            self.vault("verify", self.stick / name)

    def test_the_page_that_opens_archives_lies_beside_them(self):
        for _ in range(2):
            self.export(self.first, "--with-reader")
        names = self.names(self.stick)
        self.assertEqual([name for name in names if name.endswith(".html")], ["open.html"])
        self.vault("reader", "-o", "page.html")
        self.assertEqual((self.stick / "open.html").read_bytes(), (self.folder / "page.html").read_bytes())

    def test_a_page_of_an_earlier_version_is_replaced_and_a_foreign_one_is_not(self):
        page = self.stick / "open.html"
        page.write_bytes(b"<!DOCTYPE html>\n<!-- healthvault reader -->\n<html>earlier</html>\n")
        self.export(self.first, "--with-reader")
        self.vault("reader", "-o", "page.html")
        self.assertEqual(page.read_bytes(), (self.folder / "page.html").read_bytes())
        page.write_text("mine")
        self.vault("export", self.first, "--to", "stick", *self.places, "--encrypt", *OPEN, "--with-reader", status=16)
        self.assertEqual(page.read_text(), "mine")

    def test_an_archive_with_another_passphrase_does_not_count_as_checked(self):
        self.export(self.first)
        (self.folder / "other").write_text("another long passphrase\n")
        other = ["--passphrase-file", "other"]
        said = self.vault("destination", "history", "--verify", *other, *self.places, status=12).stderr
        self.assertIn("not checked, because it has another passphrase", said)
        self.vault("destination", "history", "--verify", *OPEN, *self.places)
        self.vault("export", self.first, "--to", "stick", *self.places, "--encrypt", *other)
        self.vault("destination", "history", "--verify", *other, *self.places, status=3)

    def test_a_part_can_be_encrypted(self):
        self.export(self.first, "--types", "stepCount")
        types = self.vault("inspect", self.stick, "--json", "--passphrase-file", "nothing", status=10)
        self.assertIn("nothing", types.stderr)


class Forms(StickTest):
    def plain(self, *options, status=0, places=None):
        return self.vault("export", self.first, "--to", "stick", *(places or self.places), *options, status=status)

    def test_a_forgotten_option_puts_no_plain_files_beside_archives(self):
        self.export(self.first)
        before = self.names(self.stick)
        for places in self.places, (*self.places[:2], "--state-dir", "of another computer"):
            said = self.plain(status=2, places=places).stderr
            self.assertIn("stick: its exports are encrypted, and --encrypt is missing\nadd --encrypt, or name", said)
        schedule = ("schedule", "set", "--every", "day 02:00", "--source", self.first, "--to", "stick", "--timer", "none",
                    *self.places)
        self.vault(*schedule, status=2)
        self.assertEqual((self.names(self.stick), len(self.history())), (before, 1))
        self.plain("--format", "ndjson")
        self.assertEqual(self.history()[-1]["format"], "ndjson")
        self.plain(status=2)
        # The history knows it of a drive that is away as well.
        os.rename(self.folder / "drive", self.folder / "away")
        self.vault(*schedule, status=2)
        self.vault(*schedule, "--format", "ndjson")

    def test_a_named_format_is_taken_again(self):
        self.plain("--format", "csv", "--units", "us")
        self.plain()
        self.assertEqual([run["format"] for run in self.history()], ["csv", "csv"])
        folder = self.stick / self.history()[-1]["path"].rsplit("/", 1)[1]
        self.assertEqual(self.manifest(folder)["formats"][0]["units"], "us")


class Interrupted(StickTest):
    def test_resuming_a_session_ends_as_the_export_itself(self):
        for options in ENCRYPT, ("--format", "ndjson"):
            export = Gated([BINARY, "export", dense().source, "--to", "stick", *options, *self.places], cwd=self.folder)
            export.reach(lambda: any(size(part) > 1 << 20 for part in self.stick.glob("*.part"))).kill()
            [session] = json.loads(self.vault("session", "list", "--json", *self.places[2:]).stdout)["sessions"]
            self.assertEqual((session["phase"], session["destination"]), ("interrupted", "stick"))
            secret = OPEN if options == ENCRYPT else ()
            said = self.vault("session", "resume", session["id"], *secret, *self.places).stderr
            self.assertIn("continuing", said)
            self.assertIn("verified: ", said)
            self.assertEqual(self.vault("session", "list", *self.places[2:]).stdout, b"no sessions\n")
        self.assertEqual([(run["result"], run["file"]) for run in self.history()], [("done", "present")] * 2)
        self.assertEqual(list(self.stick.glob("*.part")), [])

    def leave_unverified(self):
        """An export that ends as soon as its file has its name."""
        Gated([BINARY, "export", self.first, "--to", "stick", *ENCRYPT, *self.places], ("write", "fsync"),
              cwd=self.folder).reach(self.archives).kill()
        self.assertEqual([(run["result"], run["file"]) for run in self.history()], [("unverified", "present")])

    def test_an_archive_that_was_not_verified_is_so_by_the_history(self):
        self.leave_unverified()
        self.assertIn(b"intact", self.vault("destination", "history", "--verify", *OPEN, *self.places).stdout)
        [run] = self.history()
        self.assertEqual((run["result"], run["file"]), ("done", "present"))
        self.assertEqual(run["bytes"], (self.stick / self.archives()[0]).stat().st_size)
        # A damaged one stays what it is.
        os.truncate(self.stick / self.archives()[0], run["bytes"] - 1)
        self.vault("destination", "history", "--verify", *OPEN, *self.places, status=13)

    def test_an_archive_that_was_not_verified_is_so_before_it_is_continued(self):
        self.leave_unverified()
        self.assertIn("nothing new", self.increment(self.first).stderr)
        self.assertEqual([run["result"] for run in self.history()], ["done", "nothingNew"])

    def test_one_that_was_not_verified_and_is_damaged_stays_so(self):
        self.leave_unverified()
        archive = self.stick / self.archives()[0]
        with open(archive, "r+b") as file:
            file.seek(archive.stat().st_size // 2)
            file.write(b"damage")
        self.vault("destination", "history", "--verify", *OPEN, *self.places, status=13)
        self.assertEqual([run["result"] for run in self.history()], ["unverified"])

    def test_no_plain_files_stay_on_a_full_drive(self):
        if os.geteuid() != 0:
            skip_loudly(self, "only root can mount a small disk")
        room = dense().xml.stat().st_size * 6 // 10
        if run("mount", "-t", "tmpfs", "-o", f"size={room}", "tmpfs", self.folder / "drive").status != 0:
            skip_loudly(self, "a small disk cannot be mounted here")
        self.addCleanup(run, "umount", "--lazy", self.folder / "drive")
        self.vault("destination", "add", "small", self.folder / "drive", *self.places[:2])
        arguments = ("export", dense().source, "--to", "small", *self.places)
        said = self.vault(*arguments, status=15).stderr
        self.assertIn("no space left", said)
        self.assertNotIn("resume", said)
        self.assertEqual(self.names(self.folder / "drive"), [MARKER])
        # Neither do those of an earlier run that was interrupted.
        Gated([BINARY, *arguments], cwd=self.folder).reach(
            lambda: any(size(part) > 1 << 20 for part in (self.folder / "drive").glob("*.part"))).kill()
        self.vault(*arguments, status=15)
        self.assertEqual(self.names(self.folder / "drive"), [MARKER])


if __name__ == "__main__":
    unittest.main()
