"""What only the main of the tests can do: the program that people get has no way to it."""
import subprocess
import unittest
from pathlib import Path

from documents import RECORD, document
from vault import BINARY, OPEN, ROOT, SHIPPED, Gate, ShippedTest, environment


class Main(ShippedTest):
    def setUp(self):
        super().setUp()
        (self.folder / "export.xml").write_text(document(RECORD))

    def test_the_program_does_not_know_the_variable_that_stops_the_main_of_the_tests(self):
        [variable] = Gate().environment
        self.assertIn(variable.encode(), Path(BINARY).read_bytes())
        self.assertNotIn(variable.encode(), Path(SHIPPED).read_bytes())

    def test_the_program_does_not_wait_before_its_calls(self):
        gate = Gate("write", "open", "read")
        result = subprocess.run([SHIPPED, "export", "export.xml", "-o", "plain"], cwd=self.folder, pass_fds=gate.pass_fds,
                                env=environment(**gate.environment), stdin=subprocess.DEVNULL, capture_output=True)
        gate.started()
        self.assertEqual((result.returncode, gate.next()), (0, None), "nobody has let it go on")

    def test_the_program_writes_no_archive_with_few_iterations(self):
        for number in "100000", "599999":
            result = self.vault("export", "export.xml", "-o", "x.hvault", "-e", "--iterations", number, *OPEN, status=2)
            self.assertIn("600000", result.stderr.replace(",", ""))
        self.assertEqual(self.names(), ["export.xml"])

    def test_the_main_of_the_tests_is_not_installed(self):
        commands = subprocess.run(["make", "-n", "install", "DESTDIR=/nowhere"], cwd=ROOT, capture_output=True, text=True,
                                  check=True).stdout
        self.assertRegex(commands, r'install\.sh .*/healthvault "/usr/local" "/nowhere"')
        self.assertNotIn("test-main", commands + (ROOT / "Sources/Development/Packaging/install.sh").read_text())


if __name__ == "__main__":
    unittest.main()
