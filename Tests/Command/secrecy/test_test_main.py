"""What only the main of the tests can do: the program that people get has no way to it."""
import os
import subprocess
import unittest
from pathlib import Path

from documents import RECORD, document
from vault import BINARY, ITERATIONS, OPEN, ROOT, SHIPPED, SHIPPED_ITERATIONS, Gate, ShippedTest, environment, run


class Main(ShippedTest):
    def setUp(self):
        super().setUp()
        (self.folder / "export.xml").write_text(document(RECORD))

    def test_the_program_does_not_know_the_variables_that_the_main_of_the_tests_knows(self):
        known, unknown = Path(BINARY).read_bytes(), Path(SHIPPED).read_bytes()
        for variable in *Gate().environment, "HEALTHVAULT_TEST_DERIVATIONS", "HEALTHVAULT_TEST_IDLE":
            self.assertIn(variable.encode(), known)
            self.assertNotIn(variable.encode(), unknown)

    def test_the_program_keeps_no_key_that_it_derives(self):
        """The main of the tests does, and a wrong key there is a wrong passphrase."""
        keys = self.folder / "keys"
        keys.mkdir()
        told = environment(HEALTHVAULT_TEST_DERIVATIONS=os.fspath(keys))

        def export(program, name, iterations):
            return run(program, "export", "export.xml", "-o", name, "-e", *iterations, *OPEN, cwd=self.folder, env=told)

        self.assertEqual(export(SHIPPED, "a.hvault", SHIPPED_ITERATIONS).status, 0)
        self.assertEqual(list(keys.iterdir()), [])
        self.assertEqual(export(BINARY, "b.hvault", ITERATIONS).status, 0)
        [key] = keys.iterdir()
        self.assertEqual((key.stat().st_size, key.stat().st_mode & 0o777), (64, 0o600))
        for content, status in (key.read_bytes(), 0), (bytes(64), 12):
            key.write_bytes(content)
            self.assertEqual(run(BINARY, "verify", "b.hvault", *OPEN, cwd=self.folder, env=told).status, status)

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
