"""What failed in an encrypted export, done again into a further archive that is read as one with the first."""
import io
import json
import os
import resource
import shutil
import sys
import unittest
from pathlib import Path

import zstandard
from documents import export_zip
from further_archives import NAMES, SIDES, STATE, Further
from vault import ENCRYPT, ITERATIONS, OPEN, PASSPHRASE, READER, run
import decrypt  # found by the line above
import write_container


class Retrying(Further):
    # SECURITY.md: "Retries of what failed go into a further archive"
    def test_only_what_failed_is_written_and_both_read_as_one(self):
        before = (self.folder / "x.hvault").read_bytes()
        self.damage()
        report = json.loads(self.retry("--json").stdout)
        self.assertEqual(Path(report["path"]).name, "x.2.hvault")
        self.assertEqual([Path(path).name for path in report["continues"]], ["x.hvault"])
        self.assertEqual(self.archives(), ["x.2.hvault", "x.hvault"])
        self.assertEqual((self.folder / "x.hvault").read_bytes(), before, "a sealed archive never changes")
        self.assertGreater(len(before), 3 << 20)
        self.assertLess((self.folder / "x.2.hvault").stat().st_size, 150_000, "nothing is written a second time")
        self.check_whole()
        # What the further one holds itself, as the reference reader sees it.
        reader = [sys.executable, READER, *OPEN]
        self.assertEqual(run(*reader, "--alone", "--stored", "x.2.hvault", "alone", cwd=self.folder).status, 0)
        found = sorted(os.fspath(path.relative_to(self.folder / "alone"))
                       for path in (self.folder / "alone").rglob("*") if path.is_file())
        self.assertEqual([name.removesuffix(".zst.0000") for name in found],
                         ["SHA256SUMS", "files/a.gpx", "files/c.gpx", "manifest.json.zst", "session.json"])
        self.assertEqual(run(*reader, "--alone", "x.hvault", "first", cwd=self.folder).status, 0)
        self.assertEqual(run(*reader, "x.2.hvault", "both", cwd=self.folder).status, 0)
        self.assert_same_folder("both", "plain")
        self.assertEqual(self.shown()["phase"], "completed")
        self.assertEqual([Path(path).name for path in self.shown()["further"]], ["x.2.hvault"])
        self.assertIn("already complete", self.retry().stderr)

    def test_a_session_finds_out_what_it_could_not_take_note_of(self):
        self.damage()
        record = self.folder / "state" / "sessions" / "mine.export"
        # Where empty lines go before, the record is the largest file, and of the four lines of a retry the last one is
        # cut off by the limit.
        line = len(record.read_bytes().splitlines()[-1])
        limit = 1 << 20
        record.write_bytes(b"\n" * (limit - record.stat().st_size - 9 * line // 2) + record.read_bytes())
        failed = self.retry(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertIn("could not be updated", failed.stderr)
        self.assertNotIn("would export again", failed.stderr)
        self.assertEqual(self.archives(), ["x.2.hvault", "x.hvault"])
        self.assertEqual(self.shown()["phase"], "completed")
        self.assertIn("already complete", self.retry().stderr)
        self.assertEqual(self.archives(), ["x.2.hvault", "x.hvault"])
        self.check_whole()

    def test_the_manifest_and_the_entries_are_those_of_an_undisturbed_archive(self):
        self.damage()
        self.retry("-q")
        self.vault("export", "good.zip", "-o", "undisturbed.hvault", "-q", *ENCRYPT)
        for archive, folder in ("x.2.hvault", "pair"), ("undisturbed.hvault", "one"):
            self.vault("decrypt", archive, "--stored", "-o", folder, "-q", *OPEN)
        # What is done again rests by itself, small files in one piece; in a whole archive those rest as they are.
        self.assert_same_folder("pair", "one", "session.json", "SHA256SUMS", "files")
        names = [sorted(os.fspath(path.relative_to(self.folder / folder)) for path in (self.folder / folder / "files").iterdir())
                 for folder in ("pair", "one")]
        self.assertEqual(names[0], ["files/a.gpx.zst.0000", "files/b.gpx", "files/c.gpx.zst.0000",
                                    *(f"files/large.bin.zst.000{number}" for number in range(4))])
        self.assertEqual([decrypt.plain_name(name) for name in names[0]], [decrypt.plain_name(name) for name in names[1]])
        self.check_whole()
        with open(self.folder / "tar", "wb") as file:
            file.write(self.vault("decrypt", "x.2.hvault", "--tar", *OPEN).stdout)
        (self.folder / "untarred").mkdir()
        self.assertEqual(run("tar", "xf", "tar", "-C", "untarred", cwd=self.folder).status, 0)
        self.assert_same_folder("pair", "untarred", "SHA256SUMS")
        pair, one = (json.loads(self.vault("inspect", name, "--json", *OPEN).stdout)
                     for name in ("x.2.hvault", "undisturbed.hvault"))
        self.assertEqual(len(pair.pop("continues")), 1)
        self.assertEqual({**one, "path": 0, "header": 0, "continues": 0}, {**pair, "path": 0, "header": 0, "continues": 0})

    def test_what_another_one_continues_is_not_replaced(self):
        self.damage("c.gpx")
        self.retry("-q", status=3)
        self.damage()
        self.retry("-q")
        # Neither a note nor the archive of a year.
        (self.folder / "x.7.hvault").write_text("a note, longer than what tells an archive from other files. " * 9)
        shutil.copy(self.folder / "x.hvault", self.folder / "x.2024.hvault")
        shutil.copy(self.folder / "x.hvault", self.folder / "x.2025.hvault")
        self.vault("export", "good.zip", "-q", "--overwrite", *ENCRYPT, *STATE, "-o", "x.2024.hvault")
        (self.folder / "x.8.hvault").mkdir()
        before = {name: (self.folder / name).read_bytes() for name in ("x.hvault", "x.2.hvault", "x.3.hvault")}
        export = ("export", "good.zip", "-q", "--overwrite", *ENCRYPT, *STATE)
        for name, follower in ("x.hvault", "x.2.hvault"), ("x.2.hvault", "x.3.hvault"):
            for options in (), ("--session", "mine", "--restart"), ("--restart",):
                refused = self.vault(*export, "-o", name, *options, status=16)
                self.assertRegex(refused.stderr, f"{name}: not replaced, because .*{follower} appears to continue it")
        self.assertEqual(before, {name: (self.folder / name).read_bytes() for name in before})
        self.check_whole("x.3.hvault")
        for name in "x.3.hvault", "x.2.hvault":
            (self.folder / name).unlink()
        self.vault(*export, "-o", "x.hvault")
        self.check_whole("x.hvault")

    def test_what_fails_again_can_be_had_by_another_one(self):
        self.damage("c.gpx")
        self.assertIn("session resume mine", self.retry(status=3).stderr)
        self.assertEqual(self.archives(), ["x.2.hvault", "x.hvault"])
        checked = self.vault("verify", "x.2.hvault", *OPEN)
        self.assertIn("c.gpx was damaged", checked.stderr)
        self.assertNotIn("a.gpx", checked.stderr)
        self.assertEqual(self.shown(*OPEN)["contents"]["damagedFiles"], ["c.gpx"])
        # A name that something bears is left alone.
        (self.folder / "x.3.hvault").write_text("a note")
        self.damage()
        self.retry()
        self.assertEqual(self.archives(), ["x.2.hvault", "x.3.hvault", "x.4.hvault", "x.hvault"])
        self.check_whole("x.4.hvault")
        shutil.rmtree(self.folder / "back")
        result = run(sys.executable, READER, *OPEN, "x.4.hvault", "back", cwd=self.folder)
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assert_same_folder("back", "plain")

    def test_a_batch_that_an_archive_lacks_is_done_again(self):
        """This program writes none such; others may, and they list it."""
        self.vault("decrypt", "x.hvault", "--stored", "-o", "stored", "-q", *OPEN)
        [batch] = (self.folder / "stored" / "records" / "HKQuantityTypeIdentifierHeartRate").iterdir()
        batch.unlink()
        place = self.folder / "stored" / "manifest.json.zst"
        manifest = json.loads(zstandard.decompress(place.read_bytes()))
        [span] = [span for span in manifest["batches"] if span["type"] == "HKQuantityTypeIdentifierHeartRate"]
        manifest["batches"].remove(span)
        manifest["failedBatches"] = [{name: span[name] for name in ("element", "type", "span", "count")} | {"part": 1}]
        for counts in manifest["elements"]["Record"], manifest["types"]["HKQuantityTypeIdentifierHeartRate"]:
            counts["written"] = 0
        place.write_bytes(write_container.frame(json.dumps(manifest).encode()))
        # The session knows it by its identifier; and the index says which rows are in a batch.
        data = (self.folder / "x.hvault").read_bytes()
        held = {inner["name"]: inner for entry in decrypt.Container(io.BytesIO(data), PASSPHRASE.encode()).entries
                for inner in entry.get("members", [entry])}

        def change(part, value):
            for entry in value["entries"] if part == "index" else ():
                entry.update({key: said for key, said in held[entry["name"]].items() if key not in entry})
            return data[:64] if part == "preamble" else value

        write_container.write(self.folder / "x.hvault", write_container.folder_members(self.folder / "stored"),
                              PASSPHRASE.encode(), 100_000, change=change)
        self.assertIn("could not be written", self.vault("verify", "x.hvault", *OPEN, status=(3, 13)).stderr)
        shown = self.shown(*OPEN)["contents"]
        self.assertEqual(shown["failedBatches"], ["records/HKQuantityTypeIdentifierHeartRate/" + span["span"]])
        # The files are as damaged as they were.
        self.retry(status=3)
        self.assertLess((self.folder / "x.2.hvault").stat().st_size, 30_000)
        self.damage()
        self.retry()
        self.check_whole("x.3.hvault")

    def test_nothing_is_written_where_nothing_is_mended(self):
        before = {name: (self.folder / name).read_bytes() for name in self.archives()}
        for _ in range(2):
            self.assertIn("nothing was written", self.retry(status=3).stderr)
            self.assertEqual({name: (self.folder / name).read_bytes() for name in self.archives()}, before)
            self.assertEqual(self.shown()["phase"], "completedWithFailures")

    def test_another_source_is_refused(self):
        other = export_zip(self.folder / "other.zip", SIDES | {"a.gpx": b"other"}, text="<HealthData></HealthData>")
        shutil.move(other, self.folder / "export.zip")
        self.assertIn("changed", self.retry(status=1).stderr)
        # The same document beside other files.
        for sides in (SIDES | {"d.gpx": b"new"}, {name: SIDES[name] for name in NAMES},
                      SIDES | {"large.bin": b"other"}):
            export_zip(self.folder / "export.zip", sides)
            self.assertIn("changed", self.retry(status=1).stderr)
            self.assertEqual(self.archives(), ["x.hvault"])
            self.assertEqual(self.shown()["phase"], "completedWithFailures")

    def test_the_archive_must_be_the_session_s(self):
        self.damage()
        os.rename(self.folder / "x.hvault", self.folder / "y.hvault")
        self.assertIn("but now missing", self.retry(status=10).stderr)
        (self.folder / "x.hvault").write_bytes(b"something else")
        self.assertIn("not the output of this session", self.retry(status=16).stderr)
        os.replace(self.folder / "y.hvault", self.folder / "x.hvault")
        self.vault("session", "resume", "mine", *STATE, "--passphrase-command", "echo something else", status=12)
        self.vault("session", "resume", "mine", *STATE, "--generate-passphrase", status=2)
        self.assertEqual(self.archives(), ["x.hvault"])
        self.retry()
        self.check_whole()

    def test_a_first_archive_says_where_the_rest_may_be(self):
        for command in ["verify", "x.hvault"], ["decrypt", "x.hvault", "-o", "first"]:
            result = self.vault(*command, *OPEN)
            self.assertIn("a later archive beside it", result.stderr)
            self.assertIn("a.gpx was damaged in the source", result.stderr)
        self.damage()
        self.retry()
        self.assertNotIn("damaged", self.vault("decrypt", "x.2.hvault", "-o", "both", *OPEN).stderr)

    def test_other_passphrases_are_not_carried_over_and_that_is_said(self):
        (self.folder / "second").write_text("another good passphrase")
        self.vault("passphrase", "add", "x.hvault", "--new-passphrase-file", "second", *ITERATIONS, *OPEN)
        self.damage()
        self.assertIn("add the others of", self.retry().stderr)
        self.vault("decrypt", "x.2.hvault", "-o", "back", "--passphrase-file", "second", status=12)
        self.vault("passphrase", "add", "x.2.hvault", "--new-passphrase-file", "second", *ITERATIONS, *OPEN)
        self.vault("decrypt", "x.2.hvault", "-o", "back", "--passphrase-file", "second")

    def test_a_further_archive_that_is_gone(self):
        self.damage("c.gpx")
        self.retry(status=3)
        os.rename(self.folder / "x.2.hvault", self.folder / "away")
        self.assertIn("but now missing", self.retry(status=10).stderr)
        self.assertIn(b"x.2.hvault (missing)", self.vault("session", "list", "mine", *STATE).stdout)
        os.rename(self.folder / "away", self.folder / "x.2.hvault")
        self.damage()
        self.retry()
        self.check_whole("x.3.hvault")

    def test_a_further_archive_is_recovered_alone(self):
        self.damage()
        self.retry()
        result = self.vault("recover", "x.2.hvault", "-o", "rescued", *OPEN)
        self.assertIn("continues x.hvault", result.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / "rescued").rglob("*.gpx")), ["a.gpx", "c.gpx"])
        report = json.loads((self.folder / "rescued" / "recovery.json").read_bytes())
        self.assertEqual((report["continues"], report["lostFiles"], report["lostBatches"]), ("x.hvault", [], []))
        self.vault("recover", "x.hvault", "-o", "first", *OPEN)


if __name__ == "__main__":
    unittest.main()
