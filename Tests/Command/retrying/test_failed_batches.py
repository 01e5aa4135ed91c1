"""Batches of a plain folder that failed, done again."""
import json
import os
import shutil
import unittest
from pathlib import Path

from documents import RECORD, document
from sampling import some
from vault import BINARY, BY_MONTH, ENCRYPT, KILLING_STRACE, TracedTest, each, generated, run


class FailedBatches(TracedTest):
    """Batches whose files the system refuses."""

    def setUp(self):
        super().setUp()
        self.export = generated("ordinary", "14", "1MB")
        # Hundreds of files.
        self.source = [self.export.xml, *BY_MONTH]
        self.state = ["--state-dir", "state"]

    def make_whole(self):
        """An undisturbed export beside those that fail."""
        (self.folder / "whole").symlink_to(self.export.made("whole", *BY_MONTH, source=self.export.xml))

    def test_they_cost_no_more_than_themselves_and_are_done_again(self):
        self.make_whole()
        names = self.lone_batches()
        chosen = [names[0], names[len(names) // 2], names[-1]]
        paths = [option for name in chosen for option in self.inside(name)]
        result, _ = self.trace(
            ["-e", "trace=openat", "-e", "inject=openat:error=EIO", "-e", "signal=none", *paths],
            "export", *self.source, "-o", "plain", "--session", "mine", "--json", "--jobs", "1", *self.state)
        self.assertEqual(result.status, 3, result.stderr)
        report = json.loads(result.stdout)
        failed = sorted(os.fspath(name.relative_to(self.folder / "whole"))[:-len(".ndjson")] for name in chosen)
        self.assertEqual(sorted(report["failedBatches"]), failed)
        manifest = json.loads((self.folder / "plain" / "manifest.json").read_text())
        self.assertEqual(len(manifest["failedBatches"]), 3)
        shown = json.loads(self.vault("session", "list", "mine", "--json", *self.state).stdout)
        self.assertEqual(shown["phase"], "completedWithFailures")
        checked = self.vault("verify", "plain", status=3)
        self.assertIn("3 batches", checked.stderr)
        times = {path: path.stat().st_mtime_ns for path in (self.folder / "plain" / "records").rglob("*.ndjson")}
        self.vault("session", "resume", "mine", *self.state)
        self.assert_same_folder("plain", "whole")
        self.assertTrue(all(path.stat().st_mtime_ns == time for path, time in times.items()), "nothing else was written")
        self.vault("verify", "plain", "--source", self.export.xml)
        self.assertIn("already complete", self.vault("session", "resume", "mine", *self.state).stderr)

    def test_a_drive_that_takes_nothing_any_more_ends_the_export(self):
        result, _ = self.trace(
            ["-e", "trace=openat", "-e", "inject=openat:error=EIO:when=100+", "-e", "signal=none"],
            "export", *self.source, "-o", "plain", "-q", *self.state)
        self.assertEqual(result.status, 1, result.stderr)
        self.assertNotIn("plain", self.names())

    def lone_batches(self):
        """Batches that are the only ones in their folders."""
        folders = (self.folder / "whole" / "records").iterdir()
        return sorted(files[0] for files in map(list, map(Path.iterdir, folders)) if len(files) == 1)

    def inside(self, batch):
        """Options for calls that start from the folder of a batch."""
        return "-P", (self.folder / "plain.part" / batch.relative_to(self.folder / "whole")).parent

    def failed_export(self, source, paths, *options):
        result, _ = self.trace(["-e", "trace=openat", "-e", "inject=openat:error=EIO", "-e", "signal=none", *paths],
                               "export", source, "-o", "plain", "--session", "mine", "-q", *options, *self.state)
        self.assertEqual(result.status, 3, result.stderr)

    def one_failed(self):
        """An export in which one batch failed, and an undisturbed one beside it; the path of that batch."""
        self.make_whole()
        batch = self.lone_batches()[1]
        self.failed_export(self.source[0], self.inside(batch), *BY_MONTH)
        return batch.relative_to(self.folder / "whole")

    def phase(self):
        return json.loads(self.vault("session", "list", "mine", "--json", *self.state).stdout)["phase"]

    def test_asked_for_again_it_is_still_not_complete(self):
        self.one_failed()
        arguments = "export", *self.source, "-o", "plain", "--session", "mine", *self.state
        self.assertIn("session resume mine", self.vault(*arguments, status=3).stderr)
        self.assertTrue(json.loads(self.vault(*arguments, "--json", status=3).stdout))

    def test_a_part_of_several(self):
        """Of the parts of a span the first one is missing, not the last."""
        export = self.folder / "export.xml"
        export.write_text(document(*[RECORD] * 700))
        self.vault("export", export, "-o", "whole", "-q", "--batch", "all,300")
        # The folder's other parts have numbers in their names, and there is no other type.
        self.failed_export(export, ("-P", "all.ndjson"), "--batch", "all,300")
        self.vault("verify", "plain", status=3)
        self.vault("session", "resume", "mine", *self.state)
        self.assert_same_folder("plain", "whole")

    @each("renameat2", "linkat", "fsync", "pwrite64", "openat")
    def test_a_retry_that_is_killed_at_any_call_costs_nothing(self, call):
        self.one_failed()
        before = {path: path.read_bytes() for path in (self.folder / "plain").rglob("*") if path.is_file()}
        for number in (1, 2, 30):
            run(*KILLING_STRACE, "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}",
                BINARY, "session", "resume", "mine", *self.state, cwd=self.folder)
            if self.phase() == "completed":
                break
            self.assertEqual(before, {path: path.read_bytes() for path in (self.folder / "plain").rglob("*")
                                      if path.is_file()}, "what was finished is as it was")
        self.vault("session", "resume", "mine", *self.state)
        self.assert_same_folder("plain", "whole")
        self.assertEqual(self.phase(), "completed")
        self.assertNotIn("plain.part", self.names())

    @each(*some([("unlinkat", number) for number in (1, 2, 40, 200)], 2), *some([("fsync", number) for number in range(3, 7)], 2))
    def test_a_retry_that_is_killed_behind_the_exchange_is_complete(self, case):
        """The finished folder has its name, and the record of the session does not say so yet."""
        call, number = case
        self.one_failed()
        log = self.folder / "log"
        run(*KILLING_STRACE, "-o", log, "-e", f"trace={call},renameat2", "-e", f"inject={call}:signal=KILL:when={number}",
            BINARY, "session", "resume", "mine", *self.state, cwd=self.folder)
        said = log.read_text()
        if "RENAME_EXCHANGE) = 0" not in said or "killed by SIGKILL" not in said:
            # A file is written before the exchange as well, but removed only behind it.
            self.assertEqual(call, "fsync")
            return
        os.remove(log)
        self.assertEqual(self.phase(), "completed")
        self.assert_same_folder("plain", "whole", ".healthvault-unfinished")
        self.vault("session", "resume", "mine", *self.state)
        self.assert_same_folder("plain", "whole")
        self.assertEqual(self.names(), ["plain", "state", "whole"])

    @each("fsync", "unlinkat", "write", "pwrite64")
    def test_an_export_that_is_killed_behind_its_name_is_complete(self, call):
        """Whatever is called between the rename and the end of the process."""
        seen = 0
        for target, options in ("plain", []), ("x.hvault", ENCRYPT):
            command = [BINARY, "export", *self.source, "-o", target, "--session", target, *options, *self.state]
            log = self.folder / "log"
            trace = [*KILLING_STRACE, "-o", log, "-e", f"trace={call},renameat2"]
            self.assertEqual(run(*trace, *command, cwd=self.folder).status, 0)
            lines = log.read_text().splitlines()
            names = [number for number, line in enumerate(lines) if "renameat2(" in line]
            before = sum(f" {call}(" in line for line in lines[:names[-1]])
            after = sum(f" {call}(" in line for line in lines[names[-1]:])
            for number in range(before + 1, before + min(after, 4) + 1):
                self.vault("session", "delete", target, *self.state, status=(0, 10))
                run("rm", "-rf", target, cwd=self.folder)
                run(*trace, "-e", f"inject={call}:signal=KILL:when={number}", *command, "-q", cwd=self.folder)
                if not (self.folder / target).exists():
                    continue  # calls of other threads came first
                seen += 1
                shown = json.loads(self.vault("session", "list", target, "--json", *self.state).stdout)
                self.assertEqual(shown["phase"], "completed", f"{target} {call} {number}")
                self.assertGreater(shown["samples"], 0)
                self.assertIn("already complete", self.vault(*command[1:]).stderr)
                self.vault("session", "resume", target, *self.state)
        self.assertTrue(seen or call == "write")

    def test_deleting_a_session_whose_retry_was_interrupted_leaves_the_finished_export(self):
        self.one_failed()
        before = sorted(path for path in (self.folder / "plain").rglob("*"))
        run(*KILLING_STRACE, "-o", "/dev/null", "-e", "trace=renameat2", "-e", "inject=renameat2:signal=KILL", BINARY,
            "session", "resume", "mine", *self.state, cwd=self.folder)
        self.assertIn("plain.part", self.names())
        self.vault("session", "delete", "mine", *self.state)
        self.assertNotIn("plain.part", self.names())
        self.assertEqual(before, sorted(path for path in (self.folder / "plain").rglob("*")))

    def test_a_folder_that_is_made_again_is_not_taken_for_the_damaged_one_with_the_same_manifest(self):
        export = [BINARY, "export", *self.source, "-o", "twice", "--session", "twice", "-q", *self.state]
        self.assertEqual(run(*export, cwd=self.folder).status, 0)
        shutil.copytree(self.folder / "twice", self.folder / "whole")
        next((self.folder / "twice").rglob("*.ndjson")).write_text("garbage")
        run(*KILLING_STRACE, "-o", "/dev/null", "-e", "trace=renameat2", "-e", "inject=renameat2:signal=KILL",
            *export, "--overwrite", cwd=self.folder)
        self.assertIn("twice.part", self.names())
        shown = json.loads(self.vault("session", "list", "twice", "--json", *self.state).stdout)
        self.assertNotEqual(shown["phase"], "completed")
        self.vault("session", "resume", "twice", *self.state)
        self.assert_same_folder("twice", "whole")
        self.assertNotIn("twice.part", self.names())

    def test_an_interrupted_replacement_that_goes_on_with_another_source_writes_into_nothing_finished(self):
        """What is the same is a link to the finished file, until the source says otherwise."""
        source = self.folder / "apple"
        (source / "workout-routes").mkdir(parents=True)
        shutil.copy(self.export.xml, source / "export.xml")
        route = source / "workout-routes" / "a.gpx"
        route.write_bytes(b"first" * 10_000)
        export = [BINARY, "export", "apple", "-o", "plain", "-q", *self.state]
        self.assertEqual(run(*export, cwd=self.folder).status, 0)
        shutil.copytree(self.folder / "plain", self.folder / "copy")
        kill = [*KILLING_STRACE, "-o", "/dev/null", "-e", "trace=renameat2", "-e", "inject=renameat2:signal=KILL"]
        run(*kill, *export, "--overwrite", cwd=self.folder)
        part = self.folder / "plain.part"
        self.assertTrue(any(path.stat().st_nlink > 1 for path in part.rglob("*.gpx")))
        route.write_bytes(b"other" * 10_000)
        run(*kill, *export, "--overwrite", cwd=self.folder)
        self.assertTrue(part.exists())
        self.assert_same_folder("plain", "copy")
        self.vault("verify", "plain")
        self.assertEqual(run(*export, "--overwrite", cwd=self.folder).status, 0)
        self.vault("verify", "plain", "--source", "apple")
        self.assertNotIn("plain.part", self.names())

    def test_a_retry_touches_no_other_name_of_a_file(self):
        self.one_failed()
        run("cp", "-al", "plain", "backup", cwd=self.folder)
        before = {path: path.read_bytes() for path in (self.folder / "backup").rglob("*") if path.is_file()}
        self.vault("session", "resume", "mine", *self.state)
        self.assertEqual(before, {path: path.read_bytes() for path in (self.folder / "backup").rglob("*")
                                  if path.is_file()})

    def test_what_is_not_the_session_s_is_left_alone(self):
        self.one_failed()
        # Another export under the name.
        os.rename(self.folder / "plain", self.folder / "mine")
        other = generated("shuffled", "14", "1MB").xml
        self.vault("export", other, "-o", "plain", "-q", *self.state)
        result = self.vault("session", "resume", "mine", *self.state, status=16)
        self.assertIn("not the output of this session", result.stderr)
        self.vault("verify", "plain", "--source", other)
        self.assertEqual(self.phase(), "completedWithFailures")
        # Its own is mended again where it was.
        shutil.rmtree(self.folder / "plain")
        os.rename(self.folder / "mine", self.folder / "plain")
        self.vault("session", "resume", "mine", *self.state)
        self.assert_same_folder("plain", "whole")

    def test_a_source_that_is_away_or_another_one(self):
        shutil.copy(self.export.xml, self.folder / "export.xml")
        self.source[0] = self.folder / "export.xml"
        self.one_failed()
        os.remove(self.folder / "export.xml")
        self.vault("session", "resume", "mine", *self.state, status=10)
        shutil.copy(generated("shuffled", "14", "1MB").xml, self.folder / "export.xml")
        result = self.vault("session", "resume", "mine", *self.state, status=1)
        self.assertIn("changed", result.stderr)
        self.assertEqual(self.phase(), "completedWithFailures")
        shutil.copy(self.export.xml, self.folder / "export.xml")
        self.vault("session", "resume", "mine", *self.state)
        self.assert_same_folder("plain", "whole")


if __name__ == "__main__":
    unittest.main()
