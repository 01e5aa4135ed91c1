"""Several questions after one passphrase: healthvault shell."""
import json
import os
import signal
import subprocess
import threading
import unittest

from terminal import Terminal
from vault import BINARY, OPEN, PASSPHRASE, SECRET, CommandTest, Waiting, environment, generated

QUESTIONS = ("stats steps --by month", "query heartRate --limit 3 --csv", "sleep --last 2w", "inspect", "ecg list",
             "stats steps --agg median --of day", "correlate steps heartRate", "chart steps --by month", "types heart", "inspect --json")


class Pipes(CommandTest):
    def shell(self, *lines, source=None, options=OPEN, status=0, **more):
        """Runs lines; what they answer."""
        text = "".join(f"{line}\n" for line in lines).encode()
        return self.vault("shell", source or generated().archive, *options, input=text, status=status, **more)

    def test_answers_are_those_of_the_commands(self):
        """Each question alone, and all of them at once, of an archive and of an export."""
        for source, options in (generated().archive, OPEN), (generated().zip, ()):
            whole = b""
            for line in QUESTIONS:
                words = line.split()
                place = 2 if words[0] == "ecg" else 1
                given = words if words[0] == "types" else [*words[:place], source, *words[place:], *options]
                alone = self.vault(*given, status=(0, 3, 10))
                asked = self.shell(line, source=source, options=options, status=alone.status)
                self.assertEqual(asked.stdout, alone.stdout, line)
                whole += alone.stdout
            all_at_once = self.shell(*QUESTIONS, source=source, options=options, status=(0, 3, 10))
            self.assertEqual(all_at_once.stdout, whole)

    def test_one_derivation_and_one_passphrase(self):
        """A command that prints the passphrase is run once."""
        (self.folder / "tell").write_text(f"#!/bin/sh\necho asked >> asked\ncat {SECRET}\n")
        os.chmod(self.folder / "tell", 0o700)
        self.shell(*QUESTIONS[:4], "query steps --gone", options=("--passphrase-command", "./tell"), status=(0, 10))
        self.assertEqual((self.folder / "asked").read_text(), "asked\n")

    def test_errors_do_not_end_it(self):
        result = self.shell("stat steps", "query nothing", "stats steps --by 'mon", "stats steps --by decade", "\xff",
                            "", "  # a comment", "stats steps --by year --json", "exit", "types", status=2)
        self.assertEqual(json.loads(result.stdout)["by"], "year")
        for said in ("unknown command 'stat'", "did you mean 'stats'", "a quotation mark is not closed", "'decade'"):
            self.assertIn(said, result.stderr)
        self.assertNotIn("SOURCE", result.stderr)
        self.shell("query steps --limit 1", "query steps --since 2199-01-01", "inspect", status=10)
        self.assertIn('"error":', self.shell("query steps --since 2199-01-01 --json", status=10).stderr)
        self.vault("shell", generated().archive, *OPEN, input=b"types \xff\n", status=2)
        self.vault("shell", generated().archive, *OPEN, input=b"x" * 70_000 + b"\ntypes heart", status=2)

    def test_help_leaves_out_what_is_not_typed(self):
        shown = self.shell("help", "help stats", "stats --help").stdout.decode()
        for name in "stats", "query", "sleep", "chart", "inspect", "types", "ecg", "correlate", "report", "exit":
            self.assertRegex(shown, rf"(?m)^  {name} ")
        self.assertIn("usage: stats [OPTIONS] TYPE", shown)
        self.assertIn("usage: COMMAND [OPTIONS] [ARGUMENTS]", shown)
        self.assertNotRegex(shown, "SOURCE|passphrase-file|decrypt")

    def test_what_makes_no_sense_is_refused(self):
        self.shell("types", source="-", options=(), status=2)
        self.shell("types", options=("--passphrase-file", "-"), status=2)
        self.shell("types", options=("--passphrase-fd", "0"), status=2)
        (self.folder / "wrong").write_text("another passphrase")
        self.assertEqual(self.shell("types", options=("--passphrase-file", "wrong"), status=12).stdout, b"")
        self.shell("types", source="nothing.hvault", status=10)

    def test_files_are_written_as_by_the_commands(self):
        self.shell("report -o 'a report.html' --sections activity", "chart steps -o steps.svg")
        self.assertEqual(self.names(), ["a report.html", "steps.svg"])

    # SECURITY.md: "until nobody has pressed a key for ten minutes"
    def test_an_idle_shell_is_locked(self):
        """The test's main locks sooner; the passphrase is then read again."""
        os.mkfifo(self.folder / "secret")
        tell = [threading.Thread(target=(self.folder / "secret").write_text, args=(PASSPHRASE,)) for _ in range(2)]
        with subprocess.Popen([BINARY, "shell", generated().archive, "--passphrase-file", "secret"], cwd=self.folder,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              env=environment(HEALTHVAULT_TEST_IDLE="1")) as process:
            def ask():
                process.stdin.write(b"stats steps --by year --json\n")
                process.stdin.flush()
                self.assertEqual(json.loads(process.stdout.readline())["by"], "year")
            tell[0].start()
            ask()
            # The second one waits until somebody reads it, and nobody reads the first one any more.
            tell[1].start()
            while tell[1].is_alive():
                ask()
                tell[1].join(1.5)
            process.stdin.close()
            self.assertEqual(process.wait(), 0)


class Prompts(Waiting):
    def test_a_session(self):
        with Terminal(self.folder, "shell", generated().archive) as terminal:
            terminal.expect("Passphrase: ")
            terminal.type(PASSPHRASE + "\n")
            terminal.expect("healthvault> ")
            terminal.type("stats steps --by year\n")
            terminal.expect("Steps")
            terminal.expect("healthvault> ")
            # Completion of a command, an option and a value; then the history.
            terminal.type("sta\tste\t --by ye\t\n")
            terminal.expect("Steps")
            terminal.expect("healthvault> ")
            terminal.type("\x1b[A")
            terminal.expect("stats stepCount")
            terminal.type("\x03")
            terminal.expect("healthvault> ")
            terminal.type("nonsense\n")
            terminal.expect("unknown command 'nonsense'")
            terminal.expect("healthvault> ")
            # Half of a character must not become a key, such as Ctrl-D at the start of a line.
            for half in b"\x84\x83\xf8", b"\xc3", b"\xf0\x9f\x92":
                os.write(terminal.end, half)
                terminal.type("\x15s\t")
                terminal.expect("sleep")
            terminal.type("\x15exit\n")
            self.assertEqual(terminal.close(), 0, terminal.all)
        self.assertNotIn(PASSPHRASE, terminal.all)
        self.assertEqual(self.names(), [])

    # SECURITY.md: "until nobody has pressed a key for ten minutes"
    def test_locked_when_nobody_types(self):
        with Terminal(self.folder, "shell", generated().archive, HEALTHVAULT_TEST_IDLE="2") as terminal:
            terminal.expect("Passphrase: ")
            terminal.type(PASSPHRASE + "\n")
            terminal.expect("locked, because nothing was typed")
            terminal.expect("Passphrase: ")
            terminal.wait_until_silent()
            terminal.type(PASSPHRASE + "\n")
            terminal.expect("healthvault> ")
            # Two seconds later it would be locked again, perhaps before it saw a key.
            os.kill(terminal.process, signal.SIGKILL)
            terminal.close()


if __name__ == "__main__":
    unittest.main()
