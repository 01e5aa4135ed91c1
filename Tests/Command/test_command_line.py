"""What is typed, and what is said: help, mistakes, reports for people and for programs."""
import json
import os
import unittest
from pathlib import Path

from documents import RECORD, document
from vault import BINARY, ENCRYPT, OPEN, CommandTest, each, generated, run

COMMANDS = ("export", "decrypt", "verify", "inspect", "types", "completions")


class CommandLine(CommandTest):
    @each(*COMMANDS)
    def test_help(self, command):
        text = self.vault(command, "--help").stdout.decode()
        self.assertTrue(text.startswith(f"usage: healthvault {command}"))
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertEqual(self.vault("help", command).stdout.decode(), text)
        self.assertEqual(self.vault(command, "-h").stdout.decode(), text)

    def test_all_commands_are_listed(self):
        text = self.vault("--help").stdout.decode()
        for command in COMMANDS:
            self.assertIn(f"\n  {command} ", text)
        self.assertRegex(self.vault("--version").stdout.decode(), r"\Ahealthvault [0-9]+\.[0-9]+\.[0-9]+\n\Z")

    @each([], ["exprot"], ["export"], ["export", "a", "b"], ["export", "a", "--nope"], ["export", "a", "-o"],
          ["export", "a", "-o", ""], ["export", "a", "--jobs", "0"], ["export", "a", "--jobs", "x"],
          ["export", "a", "--batch", "1fortnight"], ["export", "a", "--progress", "loud"], ["export", "--quiet=1", "a"],
          ["decrypt"], ["decrypt", "a", "--tar", "-o", "b"], ["decrypt", "a", "--tar", "--stored"], ["verify"],
          ["inspect"], ["completions"], ["completions", "tcsh"], ["types", "extra"], ["help", "nope"])
    def test_mistakes(self, arguments):
        result = self.vault(*arguments, status=2)
        self.assertEqual(result.stdout, b"")
        self.assertRegex(result.stderr, r"\A(healthvault: [^A-Z]|usage: )")
        self.assertEqual(self.names(), [])

    def test_slips_of_the_keyboard_are_understood(self):
        self.assertIn("export", self.vault("exprot", status=2).stderr)
        self.assertIn("--overwrite", self.vault("export", "a", "--overwrit", status=2).stderr)

    def test_options_stand_anywhere_and_end_with_two_dashes(self):
        os.symlink(generated().xml, self.folder / "-odd.xml")
        self.vault("export", "-qo", "a", "--", "-odd.xml")
        self.vault("export", generated().xml, "--output=b", "-q", "-j1")
        self.vault("-h")

    def test_types(self):
        report = json.loads(self.vault("types", "--json").stdout)
        self.assertGreater(len(report if isinstance(report, list) else next(iter(report.values()))), 100)
        self.assertIn("HKQuantityTypeIdentifierHeartRate", self.vault("types").stdout.decode())

    def test_the_program_holds_no_regular_expressions(self):
        """One text split at another brings them along: a megabyte of Swift's libraries that nobody needs."""
        self.assertFalse(b"_RegexParser" in Path(BINARY).read_bytes())

    def test_the_program_looks_for_no_libraries_beside_itself(self):
        self.assertFalse(b"$ORIGIN" in Path(BINARY).read_bytes())

    @each("bash", "zsh", "fish")
    def test_completions(self, shell):
        script = self.vault("completions", shell).stdout
        for command in COMMANDS:
            self.assertIn(command.encode(), script)
        if shell == "bash":
            self.assertEqual(run("bash", "-n", input=script).status, 0)

    @each("bash", "zsh", "fish")
    def test_completions_of_a_selection(self, shell):
        script = self.vault("completions", shell).stdout.decode()
        for option in "types", "exclude", "since", "until", "last", "entry":
            self.assertIn(f"-l '{option}'" if shell == "fish" else f"--{option}", script)
        for word in "heartRate", "pelvicPain", "group":
            self.assertIn(word, script)

    @each(("--types heartRateV", "heartRateVariabilitySDNN"), ("--types=stepCount,restingH", "restingHeartRate"),
          ("--exclude runningStr", "runningStrideLength"), ("--si", "--since"), ("--las", "--last"))
    def test_bash_offers_types(self, case):
        (self.folder / "script").write_bytes(self.vault("completions", "bash").stdout)
        words, wanted = case
        words = [part for word in words.split() for part in word.replace("=", " = ").split()]
        quoted = " ".join(f"'{word}'" for word in ["healthvault", "decrypt", *words])
        result = run("bash", "-c", f". ./script; COMP_WORDS=({quoted}); COMP_CWORD={len(words) + 1}; _healthvault; "
                     'printf "%s\\n" "${COMPREPLY[@]}"', cwd=self.folder)
        self.assertIn(wanted, result.stdout.decode())


class Reports(CommandTest):
    def report(self, *arguments, status=0):
        result = self.vault(*arguments, "--json", status=status)
        return json.loads(result.stdout), result.stderr

    def test_exporting(self):
        export = generated()
        report, _ = self.report("export", export.zip, "-o", "a.hvault", *ENCRYPT)
        manifest = self.manifest(export.plain)
        types = {(batch["element"], batch["type"]) for batch in manifest["batches"]
                 if batch["element"] not in ("HealthData", "ExportDate", "Me")}
        self.assertEqual((report["target"], report["encrypted"], report["samples"], report["types"], report["files"]),
                         ("a.hvault", True, manifest["samples"], len(types), len(manifest["files"])))
        self.assertEqual((report["sourceBytes"], report["targetBytes"]),
                         (export.zip.stat().st_size, (self.folder / "a.hvault").stat().st_size))
        self.assertGreater(report["keyDerivationSeconds"], 0)
        plain, _ = self.report("export", export.zip, "-o", "plain")
        self.assertEqual((plain["encrypted"], plain["keyDerivationSeconds"]), (False, 0))

    def test_verifying(self):
        self.report("verify", generated().plain)
        self.report("verify", generated().archive, *OPEN)
        self.report("verify", generated().archive, *OPEN, "--source", generated("shuffled", "14", "3MB").zip, status=13)

    def test_results_go_to_standard_output_and_nothing_else_does(self):
        result = self.vault("export", generated().zip, "-o", "plain")
        self.assertEqual(result.stdout, b"")
        self.assertIn("written unencrypted: plain", result.stderr)
        self.assertEqual(self.vault("inspect", generated().zip).stderr, "")

    def test_quiet_is_quiet(self):
        for arguments in (("export", generated().zip, "-o", "plain"), ("export", generated().zip, "-o", "a", *ENCRYPT),
                          ("decrypt", "a", "-o", "out", *OPEN), ("verify", "a", *OPEN), ("verify", "plain")):
            result = self.vault(*arguments, "--quiet")
            self.assertEqual((result.stdout, result.stderr), (b"", ""), arguments)

    def test_no_escape_sequences_off_a_terminal(self):
        for arguments in (("export", generated().zip, "-o", "plain"), ("verify", "plain"), ("inspect", "plain"),
                          ("export", "missing")):
            result = self.vault(*arguments, status=(0, 10))
            self.assertNotIn("\x1b", result.stderr + result.stdout.decode())


class Batches(CommandTest):
    @each((24_999_999, "all"), (25_000_000, "60months"), (69_999_999, "60months"), (70_000_000, "12months"),
          (199_999_999, "12months"), (200_000_000, "month/half-year"))
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
        self.assertEqual(self.manifest(self.folder / "out")["batching"], "month/half-year,65536,256KiB")

    @each("auto", "month/half-year", "1month", "2weeks", "1year", "10days", "all", "50", "4KiB", "1month,100,64KiB")
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


if __name__ == "__main__":
    unittest.main()
