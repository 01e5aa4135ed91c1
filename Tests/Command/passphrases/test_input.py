"""Passphrases come from a file, a descriptor, a command or the terminal, and are the same on every keyboard."""
import contextlib
import os
import subprocess
import unittest

from documents import RECORD, document
from vault import (OPEN, PASSPHRASE, SECRET, SHIPPED, SHIPPED_ENCRYPT, SHIPPED_ITERATIONS, ShippedTest, each,
                   environment, generated, run)

ITERATIONS = SHIPPED_ITERATIONS


class PassphraseTest(ShippedTest):
    def setUp(self):
        super().setUp()
        (self.folder / "export.xml").write_text(document(RECORD))

    def secret(self, data, name="secret"):
        path = self.folder / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return "--passphrase-file", path

    def encrypt(self, *options, status=0, **more):
        result = self.vault("export", "export.xml", "-e", "-o", "a.hvault", *ITERATIONS, *options, status=status, **more)
        if status:
            self.assertEqual([name for name in self.names() if "hvault" in name], [], "nothing was written")
        return result

    def opens(self, *options, status=0, **more):
        self.vault("inspect", "a.hvault", "--json", *options, status=status, **more)


class Places(PassphraseTest):
    # SECURITY.md: "passphrases come from the terminal, a file, a file descriptor or a command's output"
    def test_a_file(self):
        self.encrypt(*OPEN)
        self.opens(*OPEN)

    def test_the_option_that_is_missing_is_named(self):
        self.encrypt(*OPEN)
        for option, arguments in (
                ("--passphrase-file", ["verify", "a.hvault"]),
                ("--other-passphrase-file", ["export", "a.hvault", "-e", "-o", "b.hvault", *OPEN]),
                ("--other-passphrase-file", ["verify", "a.hvault", "--source", "a.hvault", *OPEN]),
                ("--new-passphrase-file", ["passphrase", "add", "a.hvault", *OPEN]),
                ("--other-passphrase-file", ["analytics", "init", "export.xml", "--database", "x.hvault"])):
            result = self.vault(*arguments, status=2)
            self.assertIn(f"use {option}", result.stderr, arguments)

    def test_standard_input(self):
        self.encrypt("--passphrase-file", "-", input=PASSPHRASE.encode() + b"\n")
        self.opens("--passphrase-file", "-", input=PASSPHRASE.encode())
        self.opens("--passphrase-fd", "0", input=PASSPHRASE.encode() + b"\r\n")

    # SECURITY.md: "passphrases come from the terminal, a file, a file descriptor or a command's output"
    def test_a_descriptor(self):
        def descriptor():
            end, other = os.pipe()
            os.write(other, PASSPHRASE.encode() + b"\n")
            os.close(other)
            self.addCleanup(os.close, end)
            return end
        end = descriptor()
        self.encrypt("--passphrase-fd", str(end), pass_fds=[end])
        end = descriptor()
        self.opens("--passphrase-fd", str(end), pass_fds=[end])
        self.opens(*OPEN)

    # SECURITY.md: "passphrases come from the terminal, a file, a file descriptor or a command's output"
    def test_a_command(self):
        self.encrypt("--passphrase-command", f"printf '%s\\n' '{PASSPHRASE}'")
        self.opens("--passphrase-command", f"cat '{SECRET}'")

    @each("false", "exit 7", "kill -9 $$", "no-such-program-at-all", "true", "yes | head -c 100000",
          "while :; do echo xxxx; done")
    def test_a_command_that_fails(self, command):
        (self.folder / "export.xml").write_text(document(RECORD))
        result = self.encrypt("--passphrase-command", command, status=(1, 2))
        self.assertNotIn(PASSPHRASE, result.stderr)

    def test_a_missing_file(self):
        self.encrypt("--passphrase-file", "missing", status=10)

    def test_a_closed_descriptor(self):
        self.encrypt("--passphrase-fd", "77", status=(1, 2))

    def test_a_folder_for_a_file(self):
        self.encrypt("--passphrase-file", ".", status=(1, 2))

    def test_one_place_only(self):
        self.encrypt(*OPEN, "--passphrase-fd", "3", status=2)
        self.encrypt(*OPEN, "--passphrase-command", "true", status=2)

    def test_standard_input_cannot_be_source_and_passphrase(self):
        for option in ("--passphrase-file", "-"), ("--passphrase-fd", "0"):
            self.vault("export", "-", "-e", "-o", "a.hvault", *option, status=2, input=document().encode())
        self.assertEqual(self.names(), ["export.xml"])

    def test_a_passphrase_for_a_plain_folder_is_a_mistake(self):
        self.vault("export", "export.xml", "-o", "out", *OPEN, status=2)
        self.assertEqual(self.names(), ["export.xml"])

    def test_without_a_terminal_and_an_option_nothing_is_written(self):
        result = self.encrypt(status=2)
        self.assertIn("--passphrase-file", result.stderr)
        archive = generated().archive
        self.vault("decrypt", archive, "-o", "out", status=2)
        self.vault("decrypt", archive, "--tar", status=2)
        self.vault("verify", archive, status=2)
        self.assertEqual(self.names(), ["export.xml"])

    # SECURITY.md: "see that a file is such an archive, everything listed under [what is in the clear](#4-what-is-in-the-clear)"
    def test_without_a_passphrase_inspecting_shows_what_everyone_can_see(self):
        text = self.vault("inspect", generated().archive).stdout.decode()
        self.assertIn("100,000 iterations", text)
        self.assertNotIn("Heart", text)

    # SECURITY.md: "passphrases come from the terminal, a file, a file descriptor or a command's output"
    def test_never_in_the_environment(self):
        for name in "HEALTHVAULT_PASSPHRASE", "PASSPHRASE", "PASSWORD":
            self.encrypt(status=2, env=environment(**{name: PASSPHRASE}))


class Texts(PassphraseTest):
    def test_one_line_end_does_not_count(self):
        self.encrypt(*self.secret("one two three"))
        for text in "one two three\n", "one two three\r\n":
            self.opens(*self.secret(text))
        for text in "one two three ", " one two three", "One two three", "one two thre", "one two three\0x":
            self.opens(*self.secret(text), status=2 if "\0" in text else 12)
        for text in "one two three\n\n", "one two three\r", "one two three\nmore\n":
            self.opens(*self.secret(text), status=2)

    def test_composed_and_decomposed_letters_are_the_same(self):
        self.encrypt(*self.secret("Zo\u00eb und \u1e69\u0323 Grüße"))
        self.opens(*self.secret("Zoe\u0308 und s\u0323\u0307\u0323 Gru\u0308ße"))
        self.opens(*self.secret("Zoë und \u1e69\u0323 Grüsse"), status=12)

    def test_all_spaces_are_the_same(self):
        self.encrypt(*self.secret("one two\u00a0three\u3000four"))
        self.opens(*self.secret("one two three four"))

    # SECURITY.md: "Fewer than 8 bytes are refused"
    def test_short_ones_are_refused_for_new_archives(self):
        for text in "", "\n", "1234567", "1234567\n", "äöü\n":
            self.encrypt(*self.secret(text), status=2)
        self.encrypt(*self.secret("12345678"))
        self.opens(*self.secret("1234567"), status=12)
        self.opens(*self.secret(""), status=2)

    def test_what_is_no_text_is_refused(self):
        for data in b"latin-1 \xfc\xe4\xf6 text", b"tabs\tare refused", b"so are\x00NULs", b"\xed\xa0\x80 surrogates":
            self.encrypt(*self.secret(data), status=2)

    def test_the_longest(self):
        self.encrypt(*self.secret("x" * 4096 + "\n"))
        self.opens(*self.secret("x" * 4096))

    @each(4097, 5000, 100_000)
    def test_longer_ones_are_refused(self, length):
        (self.folder / "export.xml").write_text(document(RECORD))
        self.encrypt(*self.secret("x" * length), status=2)

    # SECURITY.md: "put a file of their own there. It does not open with your passphrase, unless they know it"
    def test_a_wrong_one(self):
        wrong, archive = self.secret("incorrect horse"), generated().archive
        for command in (("decrypt", "-o", "out"), ("decrypt", "--stored", "-o", "out"), ("decrypt", "--tar"),
                        ("verify",), ("inspect",)):
            result = self.vault(*command, archive, *wrong, status=12)
            self.assertEqual(result.stdout, b"")
            self.assertNotIn("incorrect horse", result.stderr)
        self.assertEqual(self.names(), ["export.xml", "secret"])


class Iterations(PassphraseTest):
    @each("599999", "0", "-1", "10000001", "many", "6e5", "")
    def test_too_few_and_too_many_are_refused(self, number):
        (self.folder / "export.xml").write_text(document(RECORD))
        self.vault("export", "export.xml", "-e", "-o", "a.hvault", f"--iterations={number}", *OPEN, status=2)
        self.assertEqual(self.names(), ["export.xml"])

    # SECURITY.md: "see that a file is such an archive, everything listed under [what is in the clear](#4-what-is-in-the-clear)"
    def test_the_number_is_in_the_header(self):
        self.vault("export", "export.xml", "-e", "-o", "a.hvault", "--iterations", "700000", *OPEN)
        self.assertIn(b'"iterations":700000', self.vault("inspect", "--json", "a.hvault").stdout)


class OtherEyes(PassphraseTest):
    # SECURITY.md: "never from an argument or the environment"
    def test_other_processes_cannot_see_it(self):
        """Command line and environment of a running export, which waits for its input."""
        for options in OPEN, ("--passphrase-command", f"cat '{SECRET}'"):
            with subprocess.Popen([SHIPPED, "export", "-", "-o", "b.hvault", "-e", *ITERATIONS, *map(str, options)],
                                  cwd=self.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
                                  start_new_session=True) as process:
                process.stdin.write((document(RECORD * 3000)).encode()[:100_000])
                process.stdin.flush()
                for file in "cmdline", "environ":
                    # As an ordinary user even its owner may not look into a process that forbids dumps.
                    with contextlib.suppress(PermissionError), open(f"/proc/{process.pid}/{file}", "rb") as shown:
                        self.assertNotIn(PASSPHRASE.encode(), shown.read())
                process.kill()
                process.communicate()

    def test_no_message_repeats_it(self):
        for arguments in (("export", "export.xml", "-e", "-o", "a.hvault", *SHIPPED_ENCRYPT[1:]), ("verify", "a.hvault", *OPEN)):
            result = self.vault(*arguments)
            self.assertNotIn(PASSPHRASE, result.stderr + result.stdout.decode())


class Readers(PassphraseTest):
    def test_unreadable_files(self):
        """What may not be read is named; root may read everything, and becomes nobody for this."""
        (self.folder / "export").mkdir()
        for name in "export.xml", "export/export.xml", "export/side.gpx":
            (self.folder / name).write_text(document(RECORD))
        os.chmod(self.folder, 0o777)
        root = os.geteuid() == 0
        nobody = {"user": 65534, "group": 65534, "extra_groups": []} if root else {}
        if root and run(SHIPPED, "--version", **nobody, cwd="/").status != 0:
            self.skipTest("nobody may not run the command here")
        for name in "export.xml", "export/side.gpx":
            os.chmod(self.folder / name, 0)
        result = self.vault("export", "export.xml", "-o", "out", status=1, **nobody)
        self.assertIn("export.xml", result.stderr)
        self.assertEqual([name for name in self.names() if name.startswith("out")], [])
        # A file beside the document costs itself alone.
        result = self.vault("export", "export", "-o", "out", status=3, **nobody)
        self.assertIn("side.gpx", result.stderr)
        entry, = self.manifest(self.folder / "out")["files"]
        self.assertEqual((entry["name"], entry["length"], entry["damaged"]), ("side.gpx", 0, True))


if __name__ == "__main__":
    unittest.main()
