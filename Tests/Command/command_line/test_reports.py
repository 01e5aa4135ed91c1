"""What is said: reports for people and for programs."""
import json
import unittest

from vault import ENCRYPT, OPEN, CommandTest, generated


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
        self.assertEqual((report["path"], report["encrypted"], report["samples"], report["typeCount"], report["fileCount"]),
                         ("a.hvault", True, manifest["samples"], len(types), len(manifest["files"])))
        self.assertEqual((report["sourceBytes"], report["bytes"]),
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


if __name__ == "__main__":
    unittest.main()
