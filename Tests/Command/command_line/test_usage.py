"""What is typed: help, mistakes, types and completions."""
import json
import os
import re
import unittest
from pathlib import Path

from vault import BINARY, CommandTest, each, generated, run

GROUPS = {
    "start": "encrypt inspect verify decrypt report", "ask": "query stats sleep ecg chart correlate analytics types",
    "drives": "destination schedule watch compact", "other systems and studies": "export changes sync keyring mcp shell",
    "repair and keys": "recover session passphrase reader", "about the tool": "help version completions"}
COMMANDS = [command for commands in GROUPS.values() for command in commands.split()]


class CommandLine(CommandTest):
    @each(*COMMANDS)
    def test_help(self, command):
        text = self.vault(command, "--help").stdout.decode()
        self.assertTrue(text.startswith(f"usage: healthvault {command}"))
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        # A topic of the manual may have the name of a command, and follows its help.
        self.assertTrue(self.vault("help", command).stdout.decode().startswith(text))
        self.assertEqual(self.vault(command, "-h").stdout.decode(), text)

    def test_all_commands_are_listed(self):
        found = {}
        for line in self.vault("--help").stdout.decode().splitlines():
            if title := re.fullmatch(r"([a-z ]+):", line):
                found[title[1]] = []
            elif row := re.match("  ([a-z-]+)  ", line):
                found[next(reversed(found))].append(row[1])
        self.assertEqual({title: " ".join(found[title]) for title in GROUPS}, GROUPS)
        self.assertRegex(self.vault("--version").stdout.decode(), r"\Ahealthvault [0-9]+\.[0-9]+\.[0-9]+\n\Z")

    @each(["exprot"], ["export"], ["export", "a", "b"], ["export", "a", "--nope"], ["export", "a", "-o"],
          ["export", "a", "-o", ""], ["export", "a", "--jobs", "0"], ["export", "a", "--jobs", "x"],
          ["export", "a", "--batch", "1fortnight"], ["export", "a", "--progress", "loud"], ["export", "--quiet=1", "a"],
          ["decrypt"], ["decrypt", "a", "--tar", "-o", "b"], ["decrypt", "a", "--tar", "--stored"], ["verify"],
          ["inspect"], ["completions"], ["completions", "tcsh"], ["types", "extra"], ["help", "nope"])
    def test_mistakes(self, arguments):
        result = self.vault(*arguments, status=2)
        self.assertEqual(result.stdout, b"")
        self.assertRegex(result.stderr, r"\A(healthvault: [^A-Z]|usage: )")
        self.assertEqual(self.names(), [])

    def actions(self, command):
        """The actions of a command, as its help lists them, each with the number of its arguments."""
        table = re.search("\nactions:\n(.*?)\n\n", self.vault(command, "--help").stdout.decode(), re.S)
        found = re.findall(r"^  ([a-z]+)((?: \[?[A-Z]+(?:\.\.\.)?\]?)*)(?:  |$)", table[1], re.M) if table else []
        return {word: len(arguments.split()) for word, arguments in found}

    @each("destination", "schedule", "session", "passphrase", "keyring", "ecg", "analytics")
    def test_actions(self, command):
        actions = self.actions(command)
        self.assertGreaterEqual(len(actions), 2)
        whole = self.vault(command, "--help").stdout.decode().partition("\nexamples:")[0]
        words = ", ".join(actions)
        self.assertIn(f"missing ACTION: one of {words}", self.vault(command, status=2).stderr)
        self.assertIn(words, self.vault(command, "dance", status=2).stderr)
        options = {}
        for action in actions:
            text = self.vault("help", command, action).stdout.decode()
            self.assertEqual(self.vault(command, action, "--help").stdout.decode(), text)
            self.assertTrue(text.startswith(f"usage: healthvault {command} {action}"))
            self.assertLessEqual(max(map(len, text.splitlines())), 80)
            options[action] = set(re.findall(r"^(?:  -., |      )(--[a-z-]+)", text, re.M))
        self.assertEqual(set.union(*options.values()), set(re.findall(r"^(?:  -., |      )(--[a-z-]+)", whole, re.M)))
        # An action refuses the options of the others, and says whose they are.
        for action in actions:
            for foreign in sorted(set.union(*options.values()) - options[action]):
                said = self.vault(command, action, foreign, "x", status=2).stderr
                takers = ", ".join(other for other in actions if foreign in options[other])
                self.assertRegex(said, rf"'{action}' takes no {foreign}, which is for {takers}")
            offered = self.offered("fish", command, action, "--")
            self.assertEqual(set(offered), options[action] | {"--help"})

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
        """The script of a shell asks a command that no help lists."""
        script = self.vault("completions", shell).stdout
        self.assertIn(f"complete {shell} ".encode(), script)
        self.assertNotIn(b"complete ", self.vault("--help").stdout)
        if shell == "bash":
            self.assertEqual(run("bash", "-n", input=script).status, 0)
        self.assertEqual({command for command in COMMANDS if command not in self.offered(shell)}, set())
        options = self.offered(shell, "decrypt", "--")
        self.assertEqual({"types", "exclude", "since", "until", "last", "entry"} - {name[2:] for name in options}, set())
        words = self.offered(shell, "decrypt", "--types", "")
        self.assertEqual({"heartRate", "pelvicPain", "group"} - {word.partition(":")[0].rstrip("\\") for word in words}, set())

    def offered(self, shell, *words):
        """What a script of the shell gets for the words up to the cursor, without meanings."""
        kind, *lines = self.vault("complete", shell, *(words or [""])).stdout.decode().splitlines()
        self.assertEqual(kind, "words")
        return [re.split("\t" if shell == "fish" else r"(?<!\\):", line)[0] for line in lines]

    @each(("--types heartRateV", "heartRateVariabilitySDNN"), ("--types=stepCount,restingH", "restingHeartRate"),
          ("--exclude runningStr", "runningStrideLength"), ("--si", "--since"), ("--las", "--last"))
    def test_bash_offers_types(self, case):
        (self.folder / "script").write_bytes(self.vault("completions", "bash").stdout)
        words, wanted = case
        words = [part for word in words.split() for part in word.replace("=", " = ").split()]
        quoted = " ".join(f"'{word}'" for word in ["healthvault", "decrypt", *words])
        result = run("bash", "-c", f". ./script; COMP_WORDS=({quoted}); COMP_CWORD={len(words) + 1}; _healthvault {BINARY}; "
                     'printf "%s\\n" "${COMPREPLY[@]}"', cwd=self.folder)
        self.assertIn(wanted, result.stdout.decode())


if __name__ == "__main__":
    unittest.main()
