"""The question for the passphrase, on a terminal."""
import json
import os
import pty
import re
import signal
import unittest

from documents import RECORD, document
from terminal import Terminal
from vault import BINARY, ENCRYPT, ITERATIONS, OPEN, PASSPHRASE, CommandTest, environment, generated, wait_until


class Shell(Terminal):
    """An interactive shell, which stops and continues what it runs."""

    def __init__(self, folder):
        self.text, self.all = "", ""
        self.process, self.end = pty.fork()
        if self.process == 0:
            try:
                os.chdir(folder)
                os.execvpe("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"], environment(TERM="dumb", PS1="$ "))
            finally:
                os._exit(127)


class Prompt(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "export.xml").write_text(document(RECORD))

    def export(self):
        return Terminal(self.folder, "export", "export.xml", "-e", "-o", "a.hvault", *ITERATIONS)

    # SECURITY.md: "passphrases come from the terminal, a file, a file descriptor or a command's output"
    def test_a_new_passphrase_is_asked_for_twice_and_not_shown(self):
        with self.export() as terminal:
            for question in "Passphrase", "Repeat":
                terminal.expect(question)
                self.assertFalse(terminal.echoes())
                terminal.type(PASSPHRASE + "\n")
            terminal.expect("encrypted: a.hvault")
            self.assertNotIn("horse", terminal.text)
            self.assertEqual(terminal.close(), 0)
        secret = self.folder / "secret"
        secret.write_text(PASSPHRASE)
        self.vault("verify", "a.hvault", "--passphrase-file", secret)

    def test_it_is_silent_again_after_a_stop(self):
        with Shell(self.folder) as shell:
            shell.expect("$ ")
            shell.type(f"{BINARY} verify {generated().archive}\n")
            shell.expect("Passphrase: ")
            self.assertFalse(shell.echoes())
            for _ in range(2):
                shell.wait_until_silent()
                shell.type("\x1a")
                shell.expect("Stopped")
                shell.expect("$ ")
                self.assertTrue(shell.echoes())
                shell.type("fg\n")
                shell.expect("Passphrase: ")
                self.assertFalse(shell.echoes())
            shell.type(PASSPHRASE + "\n")
            shell.expect("intact")
            self.assertNotIn("horse", shell.text)
            shell.type("exit\n")
            shell.close()

    def test_nothing_that_is_typed_is_shown(self):
        with self.export() as terminal:
            for question in "Passphrase", "Repeat":
                terminal.expect(question)
                terminal.wait_until_silent()
                terminal.type(PASSPHRASE + "\n")
            self.assertEqual(terminal.close(), 0)
            self.assertNotRegex(terminal.all, "correct|horse|battery|staple")

    def test_an_existing_archive_asks_once(self):
        archive = generated().archive
        for command in (("decrypt", archive, "-o", "out"), ("verify", archive), ("inspect", archive)):
            with Terminal(self.folder, *command) as terminal:
                terminal.expect("Passphrase")
                terminal.type(PASSPHRASE + "\n")
                self.assertEqual(terminal.close(), 0)
                self.assertNotIn("Repeat", terminal.text)

    def test_none_shows_the_header(self):
        with Terminal(self.folder, "inspect", generated().archive) as terminal:
            terminal.expect("shows the header alone): ")
            terminal.type("\n")
            terminal.expect("PBKDF2-HMAC-SHA-512")
            self.assertEqual(terminal.close(), 0)
            self.assertNotIn("samples", terminal.text)

    def test_the_one_to_remove_is_asked_for_as_such_and_once_more(self):
        self.vault("export", "export.xml", "-o", "a.hvault", *ENCRYPT)
        (self.folder / "second").write_text("another passphrase, on paper")
        self.vault("passphrase", "add", "a.hvault", *OPEN, "--new-passphrase-file", "second", "--iterations", "600000")
        for answer, left in ("no", [0, 1]), ("yes", [0]):
            with Terminal(self.folder, "passphrase", "remove", "a.hvault") as terminal:
                terminal.expect("Passphrase to remove: ")
                terminal.type("another passphrase, on paper\n")
                terminal.expect("Remove the passphrase in slot 1? Then 1 will open the archive.")
                terminal.type(answer + "\n")
                self.assertEqual(terminal.close(), 0)
            slots = json.loads(self.vault("passphrase", "list", "a.hvault", "--json").stdout)["slots"]
            self.assertEqual([slot["slot"] for slot in slots], left)
        self.vault("verify", "a.hvault", *OPEN)

    def test_two_different_ones_are_asked_for_again(self):
        with self.export() as terminal:
            for again in PASSPHRASE + "r", PASSPHRASE:
                terminal.expect("Passphrase for the archive: ")
                terminal.type(PASSPHRASE + "\n")
                terminal.expect("Repeat passphrase: ")
                terminal.type(again + "\n")
                if again != PASSPHRASE:
                    terminal.expect("passphrases do not match, try again")
            terminal.expect("encrypted: a.hvault")
            self.assertEqual(terminal.close(), 0)

    def test_none_or_a_short_one_is_asked_for_three_times_and_refused(self):
        for text, problem in ("", "is empty"), ("short", "has fewer than 8 bytes"):
            with self.export() as terminal:
                for number in range(3):
                    terminal.expect("Passphrase for the archive: ")
                    terminal.type(text + "\n")
                    terminal.expect(problem + (", try again" if number < 2 else "\r\n"))
                self.assertEqual(terminal.close(), 2)
        self.assertEqual(self.names(), ["export.xml"])

    def test_a_weak_one_offers_a_generated_one(self):
        with self.export() as terminal:
            for answer in "no", "yes":
                terminal.expect("Passphrase for the archive: ")
                terminal.type("monkey 1234\n")
                terminal.expect("weak passphrase")
                terminal.expect("(yes or no) ")
                terminal.type(answer + "\n")
                if answer == "no":
                    terminal.expect("Repeat passphrase: ")
                    terminal.type("monkey 12345\n")
            terminal.expect("not shown again")
            terminal.expect("encrypted: a.hvault")
            generated = re.search(r"(?:[a-z2-7]{5}-){4}[a-z2-7]{5}", terminal.text)
            self.assertEqual(terminal.close(), 0)
        self.assertIsNone(generated, "it is shown once, and before the export")

    def test_a_wrong_one_is_asked_for_three_times(self):
        commands = (("decrypt", "-o", "out"), ("decrypt", "-o", "out", "--format", "json"), ("verify",), ("inspect",),
                    ("recover", "-o", "out"), ("query", "heartRate"), ("compact", "-o", "one.hvault"),
                    ("export", "-o", "out", "--format", "csv"), ("passphrase", "add"))
        for command, *options in commands:
            words = [command, generated().archive, *options]
            if command == "passphrase":
                words = [command, *options, generated().archive]
            with self.subTest(command=command), Terminal(self.folder, *words) as terminal:
                for number in range(3):
                    terminal.expect("shows the header alone): " if command == "inspect" else "Passphrase: ")
                    terminal.type("wrong %d\n" % number)
                    terminal.expect("wrong passphrase" + (", try again" if number < 2 else "\r\n"))
                self.assertEqual(terminal.close(), 12)
        self.assertEqual(self.names(), ["export.xml"])

    def test_the_right_one_after_a_wrong_one(self):
        with Terminal(self.folder, "decrypt", generated().archive, "-o", "out") as terminal:
            for text in "wrong", "", PASSPHRASE:
                terminal.expect("Passphrase: ")
                terminal.type(text + "\n")
            terminal.expect("written unencrypted: out")
            self.assertEqual(terminal.close(), 0)
        self.assert_same_folder("out", generated().plain)

    def test_the_end_of_the_input_is_no_passphrase(self):
        with self.export() as terminal:
            terminal.expect("Passphrase")
            terminal.wait_until_silent()
            terminal.type("\x04")
            self.assertEqual(terminal.close(), 2)
        self.assertEqual(self.names(), ["export.xml"])

    def test_what_was_typed_before_the_question_is_no_answer(self):
        with self.export() as terminal:
            terminal.type("typed much too early\n")
            terminal.expect("Passphrase")
            for question in None, "Repeat":
                if question:
                    terminal.expect(question)
                terminal.type(PASSPHRASE + "\n")
            self.assertEqual(terminal.close(), 0)

    def test_the_terminal_shows_what_is_typed_again_afterwards(self):
        with Terminal(self.folder, "verify", generated().archive) as terminal:
            for _ in range(3):
                terminal.expect("Passphrase: ")
                terminal.type("not this one\n")
                terminal.expect("wrong passphrase")
            self.assertEqual(terminal.close(), 12)
            self.assertTrue(terminal.echoes())

    def test_an_interrupt_gives_the_terminal_back_as_it_was(self):
        with self.export() as terminal:
            terminal.expect("Passphrase")
            terminal.wait_until_silent()
            terminal.type("\x03")
            wait_until(lambda: os.waitid(os.P_PID, terminal.process, os.WEXITED | os.WNOWAIT | os.WNOHANG))
            echoes = terminal.echoes()
            self.assertIn(terminal.close(), (130, -signal.SIGINT))
            self.assertTrue(echoes, "the shell would be blind")
            self.assertTrue(terminal.text.endswith("\n"), "the shell's prompt would stand behind ours")
        self.assertEqual(self.names(), ["export.xml"])

    def test_targets_and_sources_are_looked_at_before_the_question(self):
        (self.folder / "a.hvault").write_text("dear diary")
        with self.export() as terminal:
            self.assertEqual(terminal.close(), 16)
            self.assertNotRegex(terminal.text, re.compile("passphrase", re.IGNORECASE))
        with Terminal(self.folder, "export", "missing", "-e") as terminal:
            self.assertEqual(terminal.close(), 10)

    def test_the_target_of_a_decryption_is_looked_at_before_the_question(self):
        with Terminal(self.folder, "decrypt", generated().archive, "-o", self.folder) as terminal:
            self.assertEqual(terminal.close(), 16)

    def test_a_tar_stream_is_not_shown(self):
        with Terminal(self.folder, "decrypt", "--tar", generated().archive) as terminal:
            self.assertEqual(terminal.close(), 2)
            self.assertNotIn("ustar", terminal.text)


if __name__ == "__main__":
    unittest.main()
