"""Archives that are split into files of a size."""
import json
import os
import sys
import unittest

from drives.stick import StickTest, later, samples
import later_exports
from vault import BINARY, ENCRYPT, ITERATIONS, OPEN, READER, CommandTest, Gated, dense, each, generated, run

SIZE = 100 << 10


class Volumes(CommandTest):
    def setUp(self):
        super().setUp()
        self.source = generated("ordinary", "14", "2MB").zip

    def split(self, *options, status=0):
        return self.vault("export", self.source, *ENCRYPT, "-o", "x.hvault", "--split", "100KiB", *options, status=status)

    def parts(self, name="x.hvault"):
        return [other for other in self.names() if other.startswith(name + ".")]

    def test_cat_rejoins_them(self):
        self.split()
        parts = self.parts()
        self.assertGreater(len(parts), 2)
        self.assertEqual(parts, [f"x.hvault.{number:03}" for number in range(1, len(parts) + 1)])
        sizes = [(self.folder / name).stat().st_size for name in parts]
        self.assertEqual(set(sizes[:-1]), {SIZE})
        joined = b"".join((self.folder / name).read_bytes() for name in parts)
        (self.folder / "joined.hvault").write_bytes(joined)
        for name in "x.hvault.001", "x.hvault", "joined.hvault":
            self.vault("verify", name, "--source", self.source, *OPEN)
        self.vault("decrypt", "x.hvault.001", "-o", "a", *OPEN)
        self.vault("decrypt", "joined.hvault", "-o", "b", *OPEN)
        self.assert_same_folder("a", "b")
        for name in "x.hvault.001", "x.hvault":
            run(sys.executable, READER, *OPEN, name, f"{name} read", cwd=self.folder)
            self.assert_same_folder("a", f"{name} read")

    def test_parts_may_have_any_sizes(self):
        """Nothing but their order matters, when they are read and when the headers are rewritten."""
        self.vault("export", self.source, *ENCRYPT, "-o", "whole.hvault")
        data = (self.folder / "whole.hvault").read_bytes()
        for number, ends in enumerate([(30_000, 130_000, 130_000), (130_000, 150_000), (4096, len(data) - 4096)]):
            name = f"x{number}.hvault"
            for part, (start, end) in enumerate(zip((0, *ends), (*ends, len(data))), start=1):
                (self.folder / f"{name}.{part:03}").write_bytes(data[start:end])
            self.assertNotIn("header", self.vault("verify", name, "--source", self.source, *OPEN).stderr)
            (self.folder / "new").write_text("another passphrase 42")
            self.vault("passphrase", "change", name, *OPEN, "--new-passphrase-file", "new", *ITERATIONS)
            self.vault("verify", name, "--source", self.source, "--passphrase-file", "new")

    def test_a_missing_part_is_named(self):
        self.split()
        (self.folder / "x.hvault.002").unlink()
        for command in "inspect", "verify", "query":
            result = self.vault(command, "x.hvault.001", *(["heartRate"] if command == "query" else []), *OPEN, status=10)
            self.assertIn("x.hvault.002: no such file or folder", result.stderr)

    # SECURITY.md: "a reader says then which volume may be missing"
    # SECURITY.md: "A volume that is missing before another one is an error, which names all that are missing"
    def test_all_missing_parts_are_named_by_all_readers(self):
        """The first, some in the middle, the last ones, and all but the first."""
        self.vault("export", generated("ordinary", "14", "4MB").zip, *ENCRYPT, "-o", "x.hvault", "--split", "64KiB")
        parts = self.parts()
        self.assertGreater(len(parts), 5)
        for missing, named in ((parts[:1], parts[0]), (parts[1:3], ", ".join(parts[1:3])), (parts[2:4], ", ".join(parts[2:4])),
                               (parts[-2:], f"{parts[-2]} and any after it"),
                               (parts[1:], f"{parts[1]} and any after it")):
            for name in missing:
                (self.folder / name).rename(self.folder / f"away {name}")
            for path in "x.hvault", parts[1], parts[0]:
                said = self.vault("decrypt", path, "-o", "out", *OPEN, status=(10, 13, 14)).stderr
                if path != parts[1] or not set(parts[:2]) <= set(self.names()):  # a later one leads to the first
                    self.assertIn(f"lacks {named}: put all of its parts into one folder", said)
                if path != parts[1]:
                    read = run(sys.executable, READER, *OPEN, path, "out", cwd=self.folder)
                    self.assertRegex(read.stderr, rf"volumeMissing: {named}\)|(truncated|chunkDamaged.*): {named} may be missing")
            for name in missing:
                (self.folder / f"away {name}").rename(self.folder / name)
        self.vault("verify", "x.hvault", *OPEN)

    @each([2], [3], [2, 3])
    def test_what_the_other_parts_have_is_recovered(self, numbers):
        self.vault("export", self.source, *ENCRYPT, "-o", "x.hvault", "--split", "64KiB")
        self.assertGreater(len(self.parts()), 4)
        for number in numbers:
            (self.folder / f"x.hvault.{number:03}").unlink()
        result = self.vault("recover", "x.hvault.001", "-o", "out", *OPEN, status=3)
        for number in numbers:
            self.assertIn(f"x.hvault.{number:03} is missing, and all that was in it", result.stderr)
        report = json.loads((self.folder / "out/recovery.json").read_bytes())
        self.assertEqual(report["missingVolumes"], [f"x.hvault.{number:03}" for number in numbers])
        self.assertTrue(report["index"])
        self.assertGreater(report["wholeEntries"], 0)
        self.assertTrue(report["damaged"])

    def test_a_later_part_leads_to_the_first(self):
        self.split()
        for command, *more in (["verify"], ["decrypt", "-o", "out"], ["recover", "-o", "out"], ["inspect"],
                               ["query", "heartRate"], ["passphrase"]):
            start = [command, "list"] if command == "passphrase" else [command]
            result = self.vault(*start, "x.hvault.002", *more, *OPEN, status=14)
            self.assertIn("give the first one, x.hvault.001", result.stderr)
        os.rename(self.folder / "x.hvault.001", self.folder / "away")
        self.assertNotIn("first one", self.vault("verify", "x.hvault.002", *OPEN, status=14).stderr)

    def test_one_that_fits_has_a_number_too(self):
        self.vault("export", self.source, *ENCRYPT, "-o", "x.hvault", "--split", "1GB")
        self.assertEqual(self.names(), ["x.hvault.001"])

    def test_a_part_that_is_missing(self):
        self.split()
        parts = self.parts()
        for name in parts:
            os.rename(self.folder / name, self.folder / "away")
            status = 13 if name == parts[-1] else 10
            message = self.vault("verify", "x.hvault.001" if name != parts[0] else "x.hvault", *OPEN, status=status)
            if name not in (parts[-1], parts[0]):
                self.assertIn(name, message.stderr)
            os.rename(self.folder / "away", self.folder / name)
        self.vault("verify", "x.hvault.001", *OPEN)

    def test_parts_that_are_exchanged_or_changed(self):
        self.split()
        one, other = self.folder / "x.hvault.002", self.folder / "x.hvault.003"
        whole = one.read_bytes(), other.read_bytes()
        if len(whole[0]) == len(whole[1]):
            one.write_bytes(whole[1])
            other.write_bytes(whole[0])
            self.vault("verify", "x.hvault.001", *OPEN, status=13)
            other.write_bytes(whole[1])
        for place in 0, 1, SIZE // 2, SIZE - 1:
            data = bytearray(whole[0])
            data[place] ^= 1
            one.write_bytes(data)
            self.vault("verify", "x.hvault.001", *OPEN, status=13)

    def test_nothing_is_replaced_by_mistake(self):
        self.split()
        before = {name: (self.folder / name).read_bytes() for name in self.parts()}
        self.split(status=16)
        self.split("--overwrite", status=16)
        self.vault("export", self.source, *ENCRYPT, "-o", "x.hvault", status=16)
        self.assertEqual({name: (self.folder / name).read_bytes() for name in self.names()}, before)

    def test_it_takes_the_place_of_one_in_one_piece(self):
        self.vault("export", self.source, *ENCRYPT, "-o", "x.hvault")
        self.split(status=16)
        self.split("--overwrite")
        self.assertEqual(self.names(), self.parts())

    def test_passphrases_are_changed_in_the_first_and_the_last(self):
        self.split()
        (self.folder / "new").write_text("another passphrase 42")
        self.vault("passphrase", "change", "x.hvault.001", *OPEN, "--new-passphrase-file", "new", *ITERATIONS)
        self.vault("verify", "x.hvault.001", "--passphrase-file", "new")
        self.vault("verify", "x.hvault.001", *OPEN, status=12)

    def test_wrong_sizes(self):
        for size in "0", "1", "63KiB", "-1", "x", "1.5MB", "99999999999999GB", "":
            self.vault("export", self.source, *ENCRYPT, "-o", "x.hvault", "--split", size, status=2)
        self.vault("export", self.source, "-o", "x", "--split", "1MB", status=2)
        self.assertEqual(self.names(), [])

    def test_what_was_killed_goes_on(self):
        """At each write after another, the next run finishes the job with the same bytes."""
        source = dense("8MB", 300).source
        command = ["export", source, *ENCRYPT, "-o", "x.hvault", "--split", "1MiB", "-q"]
        for number in 2, 5, 9, 13, 17, 20:
            if "x.hvault.001" in self.names():
                break
            export = Gated([BINARY, *command], ("write", "rename"), cwd=self.folder)
            if export.pass_calls(number):
                export.kill()
            else:
                export.end()
        if "x.hvault.001" not in self.names():
            self.vault(*command)
        self.vault("verify", "x.hvault.001", "--source", source, *OPEN)
        self.assertEqual([name for name in self.names() if "part" in name], [])

    def test_names_that_a_power_failure_has_lost(self):
        """What is left behind the gap is in nobody's way."""
        source = dense("8MB", 300).source
        command = ["export", source, *ENCRYPT, "-o", "x.hvault", "--split", "1MiB", "-q"]
        for lost in "x.hvault.part.002", "x.hvault.part":
            Gated([BINARY, *command], cwd=self.folder).reach((self.folder / "x.hvault.part.004").exists).kill()
            (self.folder / lost).unlink()
            self.vault(*command)
            self.vault("verify", "x.hvault.001", "--source", source, *OPEN)
            self.assertEqual([name for name in self.names() if "part" in name], [])
            for name in self.parts():
                (self.folder / name).unlink()

    def test_leftovers_are_removed_with_all_their_parts(self):
        source = dense("8MB", 300).source
        Gated([BINARY, "export", source, *ENCRYPT, "-o", "x.hvault", "--split", "1MiB", "-q"], cwd=self.folder).reach(
            (self.folder / "x.hvault.part.002").exists).kill()
        self.vault("export", self.source, *ENCRYPT, "-o", "x.hvault", "--restart", "-q")
        self.assertEqual(self.names(), ["x.hvault"])


class Chains(StickTest):
    def test_links_in_several_files(self):
        for source in self.first, later("more"), later("less"):
            self.increment(source, "--split", "64KiB")
        self.assertGreater(len([name for name in self.names(self.stick) if name.endswith(".002")]), 0)
        self.assertEqual(samples(self.document()), samples(later_exports.read(later("less"))))
        self.vault("verify", "drive/health", *OPEN)
        self.vault("compact", "drive/health", "-o", "one.hvault", "--split", "128KiB", *ITERATIONS, *OPEN)
        self.vault("verify", "one.hvault.001", *OPEN)
        self.assertEqual({run["file"] for run in self.history()}, {"present"})
        self.export(later("more"), "--keep", "1")
        self.assertEqual([run["file"] for run in self.history()], ["removed", "removed", "removed", "present"])
        self.assertEqual(len([name for name in self.names(self.stick) if ".hvault" in name]), 1)


if __name__ == "__main__":
    unittest.main()
