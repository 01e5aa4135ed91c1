"""What users read: help, messages and hints, all of which `texts.py` prints as one document."""
import re
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

from vault import BINARY, CommandTest, run

sys.path.insert(0, str(Path(__file__).resolve().parent))
import texts  # noqa: E402

# What reads like a translation. Of an archive without its end, "cut off" is what people say.
UNUSUAL = (r"\bholds?\b", r"\bgives? back\b", r"\bgets? out\b", r"\bnobody\b", r"\bsomebody\b", r"\bany more\b",
           r"\bonce more\b", r"\bso that\b", r"\b(is|are) no\b", r"(?<!^- )\bcut[ -]off\b", r"\bgo(es)? on\b", r"\bnothing but\b",
           r"\btells?\b", r"\bforgets?\b", r"\bmends?\b")


class Texts(CommandTest):
    def test_every_command_has_examples_that_its_grammar_accepts(self):
        names = texts.commands(BINARY)
        self.assertGreater(len(names), 15)
        for name in names:
            lines = texts.examples(texts.page(BINARY, "help", name))
            self.assertGreaterEqual(len(lines), 2, name)
            self.assertTrue(any(f"healthvault {name}" in line or f"--{name}" in line for line in lines), name)
            for line in lines:
                for words in re.findall(r"healthvault ([^|&)]*)", line):
                    result = run(BINARY, *shlex.split(words), "--help", cwd=self.folder)
                    self.assertEqual((result.status, result.stderr), (0, ""), line)

    def test_options_say_what_applies_without_them(self):
        for name in texts.commands(BINARY):
            page = " ".join(texts.page(BINARY, "help", name).split())
            for option in "--jobs N", "--progress STYLE", "--iterations N", "--format F,G", "--units SYSTEM", "--state-dir DIR":
                if f" {option} " in page:
                    self.assertRegex(page, re.escape(option) + r" [^()]*\(default: ", name)

    def test_the_command_alone_says_how_to_start(self):
        alone = self.vault()
        self.assertEqual(alone.stderr, "")
        self.assertLess(len(alone.stdout.splitlines()), 24)
        for word in b"encrypt", b"inspect", b"verify", b"decrypt", b"healthvault help":
            self.assertIn(word, alone.stdout)

    def test_the_document_has_all_texts(self):
        document = texts.document(BINARY)
        for text in ("usage: healthvault decrypt [OPTIONS] ARCHIVE", "- wrong passphrase", "- check Caps Lock",
                     "## Passphrase", "- use another copy if you have one; 'healthvault recover' saves everything intact"):
            self.assertIn(text, document)

    def test_nothing_reads_like_a_translation(self):
        lines = texts.document(BINARY).splitlines()
        self.assertEqual([(words, line) for line in lines for words in UNUSUAL if re.search(words, line)], [])

    def test_messages_start_in_lower_case(self):
        for path in texts.files()["Errors of the library"]:
            for text in texts.sentences(path):
                self.assertRegex(text, r"^[^A-Z]|^(JSON|SQLite|OpenSSL)", path.name)


if __name__ == "__main__":
    unittest.main()
