"""Archives that continue the one of an earlier export."""
import io
import os
import random
import shutil
import sys
import unittest

import later_exports
from drives.stick import StickTest, chain, later, samples, steps
from vault import ENCRYPT, ITERATIONS, OPEN, OPEN_SOURCE, PASSPHRASE, READER, generated, run
import decrypt  # found by the line above
import write_container


class Increments(StickTest):
    def test_nothing_new_after_a_change_of_the_clock(self):
        """Each time is written otherwise, each pointer is another one, and so is the time of the export."""
        self.increment(self.first)
        before = self.names(self.stick)
        self.assertIn("nothing new", self.increment(later("same")).stderr)
        self.assertEqual(self.names(self.stick), before)
        self.assertEqual([run["result"] for run in self.history()], ["done", "nothingNew"])

    def test_only_what_is_new_is_written(self):
        self.increment(self.first)
        self.assertIn("40 new samples", self.increment(later("more")).stderr)
        first, second = sorted(self.archives(), key=len)
        self.assertEqual((first, second), ("health-2026-01-15.hvault", "health-2026-01-15.plus-2026-06-01.hvault"))
        sizes = [(self.stick / name).stat().st_size for name in (first, second)]
        self.assertLess(sizes[1], sizes[0] / 3)
        self.assertEqual(samples(self.document()), samples(later_exports.read(later("more"))))
        self.vault("verify", "drive/health", *OPEN)
        # The first archive alone is still what it was.
        self.assertEqual(samples(self.document(self.stick / first)), samples(later_exports.read(self.first)))
        self.assertEqual(self.inspected()["exports"], 2)

    def test_samples_that_arrive_late(self):
        """What is new is found by what is there, and not by its date."""
        self.increment(self.first)
        document = later_exports.extended(later_exports.read(later("same")), *steps(30, "2017-03-04"))
        later_exports.write(self.folder / "late.zip", self.first, document, minutes=-300)
        self.assertIn("30 new samples", self.increment("late.zip").stderr)
        self.assertEqual(samples(self.document()), samples(document))

    def test_duplicates_count_as_often_as_they_are_there(self):
        self.increment(self.first)
        document = later_exports.read(self.first)
        twice = later_exports.extended(document, *steps(3), *steps(3), *steps(2))
        for name, text in ("twice", twice), ("once", later_exports.extended(document, *steps(3))):
            later_exports.write(self.folder / f"{name}.zip", self.first, text)
        self.assertIn("8 new samples", self.increment("twice.zip").stderr)
        self.assertEqual(samples(self.document()), samples(twice))
        self.assertIn("5 no longer in the export", self.increment("once.zip").stderr)
        self.assertEqual(self.inspected()["goneSamples"], 5)

    def test_a_type_that_vanishes(self):
        self.increment(self.first)
        document = later_exports.read(self.first)
        lines = document.splitlines()
        kinds = sorted({line.split(b'"')[1] for line in lines if line.startswith(b" <Record ")})
        kind = next(kind for kind in kinds if all(
            line.startswith(b" <Record ") and line.endswith(b"/>") for line in lines if kind in line))
        none = later_exports.without(document, kind)
        self.assertTrue(none != document)
        later_exports.write(self.folder / "none.zip", self.first, none)
        self.increment("none.zip")
        self.assertEqual(samples(self.document()), samples(none))
        self.vault("verify", "drive/health", *OPEN)

    def test_what_has_vanished_is_kept_apart(self):
        self.increment(self.first)
        self.assertIn("7 no longer in the export", self.increment(later("less")).stderr)
        self.assertEqual(samples(self.document()), samples(later_exports.read(later("less"))))
        self.assertEqual(self.inspected()["goneSamples"], 7)
        self.vault("decrypt", "drive/health", "--gone", "--format", "apple-xml", "-o", "gone.xml", *OPEN)
        gone = samples((self.folder / "gone.xml").read_bytes())
        self.assertEqual(
            gone, samples(later_exports.read(self.first)) - samples(later_exports.read(later("less"))))
        # They come back with the next export.
        self.increment(later("same"))
        self.assertEqual(self.inspected()["goneSamples"], 0)
        self.assertEqual(samples(self.document()), samples(later_exports.read(self.first)))
        self.vault("verify", "drive/health", *OPEN)

    def test_a_mirror_keeps_nothing(self):
        self.increment(self.first)
        self.increment(later("less"))
        self.increment(later("more"), "--mirror")
        self.assertEqual(self.inspected()["goneSamples"], 0)
        self.increment(later("less"), "--mirror")
        self.assertEqual(self.inspected()["goneSamples"], 0)
        self.assertEqual(samples(self.document()), samples(later_exports.read(later("less"))))
        self.vault("decrypt", "drive/health", "--gone", "-o", "gone", *OPEN, status=10)

    def test_files(self):
        """New ones are written, what says the same is not, and those that vanish are kept."""
        self.increment(self.first)
        routes = [name for name in self.plain_files("a") if name.endswith(".gpx")]
        self.increment(later("files"))
        files = self.plain_files("b")
        self.assertEqual([name for name in files if name.endswith(".gpx")],
                         ["workout-routes/route_2026-05-31_7.00am.gpx"])
        self.assertEqual(self.inspected()["goneFiles"], [f"gone/files/{name}" for name in routes])
        self.vault("decrypt", "drive/health", "--entry", f"gone/files/{routes[0]}", "-o", "c", *OPEN)
        self.assertEqual((self.folder / "c/gone/files" / routes[0]).read_bytes(),
                         (self.folder / "a/files" / routes[0]).read_bytes())
        self.vault("verify", "drive/health", *OPEN)
        self.increment(later("same"))
        self.assertEqual([name for name in self.plain_files("d") if name.endswith(".gpx")], routes)
        self.assertEqual(self.inspected()["goneFiles"],
                         ["gone/files/workout-routes/route_2026-05-31_7.00am.gpx"])

    def plain_files(self, name):
        self.vault("decrypt", "drive/health", "-o", name, *OPEN)
        place = self.folder / name / "files"
        return sorted(str(path.relative_to(place)) for path in place.rglob("*") if path.is_file())

    # SECURITY.md: "It warns of each whose chain contains the archive that was read, of each with a later `exportDate`, and of"
    def test_the_independent_reader_says_which_archives_beside_are_newer(self):
        made, (oldest, _, newest) = chain()
        shutil.copytree(made, self.folder / "chain")
        def said(name, *options):
            result = run(sys.executable, READER, *OPEN, *options, name, self.folder / f"read {name}",
                         cwd=self.folder / "chain")
            self.assertEqual(result.status, 0, result.stderr)
            shutil.rmtree(self.folder / f"read {name}")
            return result.stderr.splitlines()

        self.assertEqual(said(newest), [])
        self.assertEqual(said(oldest), [
            f"warning: {newest}, in the same folder, continues this archive and is newer: read that one"])
        self.assertEqual(said(oldest, "--alone"), [])
        self.vault("export", later("same"), "-o", "chain/earlier.hvault", *ENCRYPT)
        self.assertEqual(said("earlier.hvault"), [f"warning: {newest}, in the same folder, has a newer export, of "
                                                  "2026-07-02 08:00:00+02:00: read that one"])
        (self.folder / "other").write_text("otter violin mesa plunder gherkin cascade")
        self.vault("export", later("same"), "-o", "chain/other.hvault", "--encrypt", *ITERATIONS, "--passphrase-file", "other")
        data = (self.folder / "chain" / newest).read_bytes()
        (self.folder / "chain" / newest).write_bytes(data[:len(data) // 2])
        (self.folder / "chain/split.hvault.001").write_bytes(data[:5000])
        (self.folder / "chain/split.hvault.002").write_bytes(data[5000:])
        (self.folder / "chain/none.hvault").write_bytes(b"no archive")
        lines = said("earlier.hvault")
        self.assertRegex(lines.pop(0), "split.hvault.001, in the same folder, has a newer export, of 2026-07-02")
        for name, reason in zip((newest, "other.hvault"), ("the archive is damaged|the end of the archive",
                                                           "the passphrase is wrong")):
            self.assertRegex(lines.pop(0), f"{name}, in the same folder, may be newer; it was not compared: ({reason})")
        self.assertEqual(lines, [])

    def test_a_chain_reads_as_one_archive(self):
        for source in self.first, later("more"), later("less"), later("files"):
            self.increment(source)
        self.assertEqual(samples(self.document()), samples(later_exports.read(later("files"))))
        self.vault("decrypt", "drive/health", "-o", "plain", *OPEN)
        self.vault("verify", "plain")
        newest = max(self.archives(), key=lambda name: (len(name), name))
        result = run(sys.executable, READER, self.stick / newest, "independent", cwd=self.folder,
                     input=PASSPHRASE.encode())
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assert_same_folder("plain", "independent")
        newest = later_exports.read(later("files"))
        self.vault("export", "drive/health", "-o", "x.db", "--format", "sqlite", *OPEN)
        self.vault("query", "drive/health", "stepCount", *OPEN)
        self.vault("stats", "drive/health", "stepCount", "--by", "year", *OPEN)
        count = len([line for line in self.vault("query", "drive/health", "stepCount", "--json", *OPEN)
                     .stdout.splitlines()])
        self.assertEqual(count, sum(number for (tag, values, _), number in samples(newest).items()
                                    if ("type", "HKQuantityTypeIdentifierStepCount") in values and tag == "Record"))

    def test_compact_folds_a_chain(self):
        for source in self.first, later("more"), later("less"):
            self.increment(source)
        self.vault("compact", "drive/health", "-o", "one.hvault", *ITERATIONS, *OPEN)
        self.vault("verify", "one.hvault", "--source", "drive/health", *OPEN, *OPEN_SOURCE)
        self.assertEqual(self.inspected("one.hvault")["goneSamples"], self.inspected()["goneSamples"])
        self.assertEqual(self.document("one.hvault"), self.document())
        for name in "one.hvault", "drive/health":
            self.vault("decrypt", name, "-o", name.replace("/", "-") + "-plain", *OPEN)
            self.vault("decrypt", name, "--gone", "-o", name.replace("/", "-") + "-gone", *OPEN)
        self.assert_same_folder("one.hvault-plain", "drive-health-plain")
        self.assert_same_folder("one.hvault-gone", "drive-health-gone")
        self.vault("compact", "drive/health", "--mirror", "-o", "two.hvault", *ITERATIONS, *OPEN)
        self.assertEqual(self.inspected("two.hvault")["goneSamples"], 0)
        self.vault("verify", "two.hvault", *OPEN)
        # What was folded can be continued.
        self.vault("compact", "drive/health", "-o", "one.hvault", *OPEN, status=16)
        self.vault("compact", "one.hvault", "-o", "one.hvault", "--overwrite", *OPEN, status=2)

    def test_a_missing_link(self):
        for source in self.first, later("more"), later("less"):
            self.increment(source)
        links = sorted(self.archives())
        for name in links[0], [name for name in links if ".hvault" in name and name.count(".") == 1][0]:
            os.rename(self.stick / name, self.folder / "away")
            for command in ["inspect", "drive/health"], ["decrypt", "drive/health", "-o", "x"]:
                self.assertIn(name, self.vault(*command, *OPEN, status=10).stderr)
            os.rename(self.folder / "away", self.stick / name)
        self.vault("verify", "drive/health", *OPEN)

    def test_another_person_is_refused_where_nobody_can_be_asked(self):
        self.increment(self.first)
        before = self.names(self.stick)
        document = later_exports.read(self.first)
        born = document.replace(b'HKCharacteristicTypeIdentifierDateOfBirth="19', b'HKCharacteristicTypeIdentifierDateOfBirth="18')
        self.assertTrue(born != document)
        later_exports.write(self.folder / "born.zip", self.first, born)
        self.assertIn("another person", self.increment("born.zip", status=2).stderr)
        other = generated("ordinary", "14", "1MB", "--seed", "77").zip
        self.increment(other, status=2)
        self.assertEqual(self.names(self.stick), before)

    def test_hardly_a_sample_in_common(self):
        self.increment(self.first)
        document = later_exports.read(self.first)
        head, rest = document.split(b"<Record ", 1)
        end = b"</HealthData>"
        small = head + b"".join(b"<Record " + step[8:] for step in steps(30, source="Anna’s iPhone"))
        later_exports.write(self.folder / "small.zip", self.first, small + end)
        self.assertIn("hardly any sample", self.increment("small.zip", status=2).stderr)

    def test_most_of_it_is_new(self):
        """Then a full archive is as good, and stands alone."""
        document = later_exports.read(self.first)
        chance = random.Random(1)
        more = later_exports.extended(document, *(
            step.replace(b"/>", b' chance="%s"/>' % chance.randbytes(200).hex().encode())
            for month in range(1, 13) for day in range(1, 29)
            for step in steps(10, f"20{10 + month}-{month:02}-{day:02}")))
        self.increment(self.first)
        later_exports.write(self.folder / "more.zip", self.first, more)
        self.assertIn("writing a full archive", self.increment("more.zip").stderr)
        self.assertEqual(len([name for name in self.archives() if "-2.hvault" in name]), 1)
        self.assertEqual(samples(self.document()), samples(more))

    def test_a_wrong_passphrase(self):
        self.increment(self.first)
        (self.folder / "other").write_text("another passphrase 7")
        self.vault("export", later("more"), "--to", "stick", "--incremental", "-e", "--passphrase-file", "other",
                   *self.places, status=12)

    def test_an_archive_of_a_part_is_not_continued(self):
        self.export(self.first, "--types", "stepCount")
        self.assertIn("only part", self.increment(self.first).stderr)

    def test_positions_that_no_sample_has(self):
        """The index of an archive by someone who knows the passphrase: nothing is added to them."""
        self.vault("export", self.first, "-o", "x.hvault", *ENCRYPT)
        self.vault("decrypt", "x.hvault", "--stored", "-o", "stored", "-q", *OPEN)
        container = decrypt.Container(io.BytesIO((self.folder / "x.hvault").read_bytes()), PASSPHRASE.encode())
        known = {inner["name"]: inner for entry in container.entries for inner in entry.get("members", [entry])}

        def change(part, value):
            for entry in value["entries"] if part == "index" else ():
                entry.update({key: said for key, said in known[entry["name"]].items() if key not in entry})
                if "lastPosition" in entry:
                    entry["lastPosition"] = position
            return value

        for position in -1, 1 << 48, (1 << 63) - 1:
            with self.subTest(position):
                place = self.stick / "health-2026-01-15.hvault"
                place.unlink(missing_ok=True)
                write_container.write(place, write_container.folder_members(self.folder / "stored"),
                                      PASSPHRASE.encode(), 100_000, change=change)
                said = self.increment(later("more"), status=13).stderr
                self.assertIn("does not match its manifest", said)
                self.assertEqual(self.archives(), [place.name])

    def test_the_spool_leaves_nothing(self):
        self.increment(self.first)
        self.increment(later("more"))
        self.assertEqual(self.names(self.folder / "state"), ["history", "sessions", "unfinished"])
        self.assertEqual((self.folder / "state" / "unfinished").read_bytes(), b"\n")


class LongChain(StickTest):
    def test_thirty_two_are_enough(self):
        """The thirty-third is a full one; a chain of 32 takes a single key derivation to open."""
        small = generated("ordinary", "14", "100KB").zip
        document = later_exports.read(small)
        for number in range(33):
            later_exports.write(self.folder / "x.zip", small, later_exports.extended(document, *steps(number)))
            self.increment("x.zip", "-q")
        names = self.archives()
        self.assertEqual(len(names), 33)
        self.assertEqual(len([name for name in names if ".plus-" not in name]), 2)
        [newest] = [name for name in names if name.endswith("-another-31.hvault")]
        self.assertEqual(samples(self.document(self.stick / newest)),
                         samples(later_exports.extended(document, *steps(31))))


if __name__ == "__main__":
    unittest.main()
