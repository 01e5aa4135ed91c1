"""How the samples are put into batches."""
import shutil
import unittest

from documents import RECORD, document
from vault import BINARY, BY_MONTH, CommandTest, each, environment, generated, run


class Batches(CommandTest):
    @each((24_999_999, "all"), (25_000_000, "60months"), (69_999_999, "60months"), (70_000_000, "12months"),
          (199_999_999, "12months"), (200_000_000, "half-year/year"))
    def test_the_length_of_the_document_says_how_long_a_span_is(self, case):
        length, span = case
        text = document(RECORD)
        with open(self.folder / "export.xml", "w") as file:
            file.write(text)
            for start in range(len(text), length, 1 << 20):
                file.write("\n" * min(1 << 20, length - start))
        self.assertEqual((self.folder / "export.xml").stat().st_size, length)
        self.vault("export", "export.xml", "-o", "out")
        self.assertEqual(self.manifest(self.folder / "out")["batching"], span + ",65536,256KiB")
        self.vault("verify", "out", "--source", "export.xml")

    def test_a_document_of_unknown_length_is_taken_for_a_long_one(self):
        self.vault("export", "-", "-o", "out", input=document(RECORD).encode())
        self.assertEqual(self.manifest(self.folder / "out")["batching"], "half-year/year,65536,256KiB")

    @each("auto", "month/half-year", "half-year/year", "1month", "2weeks", "1year", "10days", "all", "50", "4KiB", "1month,100,64KiB")
    def test_every_way_of_batching_holds_the_same_samples(self, batching):
        export = generated()
        self.vault("export", export.zip, "-o", "out", "--batch", batching)
        self.vault("verify", "out", "--source", export.zip)

        def lines(folder):
            return sorted(line for path in folder.glob("records/*/*.ndjson")
                          for line in path.read_bytes().splitlines(keepends=True))

        self.assertEqual(lines(self.folder / "out"), lines(export.plain))
        self.assertEqual(self.manifest(self.folder / "out")["elements"], self.manifest(export.plain)["elements"])

    def test_limits_are_kept(self):
        self.vault("export", generated().zip, "-o", "out", "--batch", "all,50")
        for path in self.folder.glob("out/records/*/*.ndjson"):
            self.assertLessEqual(path.read_bytes().count(b"\n"), 50, path)


class Extremes(CommandTest):
    @each(*[(zone, language) for zone in ("Pacific/Auckland", "America/St_Johns") for language in ("ar_EG", "C")])
    def test_batches_do_not_depend_on_where_the_program_runs(self, case):
        zone, language = case
        small = generated("ordinary", "14", "8MB").xml
        for options in (["--batch", "2weeks"], BY_MONTH):
            shutil.rmtree(self.folder / "here", ignore_errors=True)
            shutil.rmtree(self.folder / "there", ignore_errors=True)
            self.vault("export", small, "-o", "here", "-q", *options)
            result = run(BINARY, "export", small, "-o", "there", "-q", *options, cwd=self.folder,
                         env=environment(TZ=zone, LANG=language, LC_ALL=language))
            self.assertEqual(result.status, 0, result.stderr)
            self.assert_same_folder("here", "there")


if __name__ == "__main__":
    unittest.main()
