"""A passphrase comes from no descriptor that was not open at the start."""
import unittest

from documents import RECORD, document
from vault import BINARY, ENCRYPT, ITERATIONS, PASSPHRASE, CommandTest, each, generated, run


class ClosedDescriptors(CommandTest):
    """A descriptor that was not open at the start is some file of the program's own later on."""

    @each(*range(3, 10))
    def test_an_export_takes_no_passphrase_from_it(self, number):
        (self.folder / "export.xml").write_text(document(RECORD))
        for options in (), ("--session", "mine"):
            refused = self.vault("export", "export.xml", "-o", "x.hvault", "-e", *ITERATIONS, *options,
                                 "--state-dir", "state", "--passphrase-fd", str(number), status=2)
            self.assertRegex(refused.stderr, f"descriptor {number}")
            self.assertEqual([name for name in self.names() if "hvault" in name], [])

    @each(*range(3, 10))
    def test_nothing_else_does(self, number):
        archive = generated().archive
        for command in (["verify", archive], ["decrypt", archive, "-o", "out"], ["inspect", archive],
                        ["recover", archive, "-o", "out"]):
            refused = self.vault(*command, "--passphrase-fd", str(number), status=2)
            self.assertRegex(refused.stderr, f"descriptor {number}")
        self.assertEqual(self.names(), [])

    def test_the_record_of_the_session_is_not_the_passphrase(self):
        """After a kill it may be one line, and it is the first file that the program opens."""
        (self.folder / "export.xml").write_text(document(RECORD))
        export = ("export", "export.xml", "-o", "x.hvault", "--session", "mine", "--state-dir", "state")
        self.vault(*export, *ENCRYPT)
        (self.folder / "x.hvault").unlink()
        record = self.folder / "state" / "sessions" / "mine.export"
        record.write_bytes(record.read_bytes().splitlines(keepends=True)[0])
        for number in range(3, 10):
            self.vault(*export, "-e", *ITERATIONS, "--passphrase-fd", str(number), status=2)
            self.assertNotIn("x.hvault", self.names())

    def test_one_that_is_open_is_read(self):
        for number in range(3, 10):
            result = run("/bin/bash", "-c", f'exec {number}< <(printf %s "{PASSPHRASE}"); exec "$0" "$@"', BINARY,
                         "inspect", generated().archive, "--passphrase-fd", str(number), cwd=self.folder)
            self.assertEqual(result.status, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
