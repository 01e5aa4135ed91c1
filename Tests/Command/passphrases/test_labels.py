"""Labels say which passphrase is which, to those who have one, and nothing to others."""
import io
import json
import unittest

from terminal import Terminal
from vault import ITERATIONS, PASSPHRASE, READER, SECRET, CommandTest, generated, run
import decrypt  # vault says where it lies
import write_container

LABEL, OTHER = "paper in the safe", "Hausärztin 🏥"


def labels(data):
    """The labels in both headers of an archive, read without the program."""
    found = []
    for header in data[:4096], data[-4096:]:
        key = decrypt.Container(io.BytesIO(data), PASSPHRASE.encode()).file_key
        key = write_container.expand(key, b"healthvault/v1 labels", 32)
        plain = write_container.AESGCM(key).decrypt(header[1152:1164], header[1164:2204], None)
        found.append([plain[at:at + 128].rstrip(b"\0").decode() for at in range(0, 1024, 128)])
    assert found[0] == found[1]
    return dict(enumerate(found[0]))


class Labels(CommandTest):
    def setUp(self):
        super().setUp()
        self.archive = self.folder / "x.hvault"
        self.archive.write_bytes(generated().archive.read_bytes())
        (self.folder / "new").write_text("otter violin mesa plunder gherkin cascade")
        (self.folder / "newer").write_text("quiet harbour lemon tundra ivory basket")

    def passphrase(self, action, *options, status=0, current=SECRET):
        return self.vault("passphrase", action, "x.hvault", "--passphrase-file", current, *options, status=status)

    def listed(self, current=SECRET):
        document = json.loads(self.passphrase("list", "--json", current=current).stdout)
        return {slot["slot"]: slot.get("label") for slot in document["slots"]}

    def test_labels_are_kept_with_their_passphrases(self):
        self.assertEqual(self.listed(), {0: None})
        said = self.passphrase("add", "--label", LABEL, "--new-passphrase-file", "new", *ITERATIONS).stderr
        self.assertIn(f"passphrase added in slot 1 ('{LABEL}')", said)
        self.passphrase("label", "--label", OTHER)
        self.assertEqual(self.listed("new"), {0: OTHER, 1: LABEL})
        self.assertEqual(labels(self.archive.read_bytes()), {0: OTHER, 1: LABEL} | dict.fromkeys(range(2, 8), ""))
        self.assertIn(f"slot 1: {LABEL}, 100,000 iterations, opened by this passphrase",
                      self.passphrase("list", current="new").stdout.decode())
        self.passphrase("change", "--new-passphrase-file", "newer", *ITERATIONS, current="new")
        self.assertEqual(self.listed("newer"), {0: OTHER, 1: LABEL})
        self.passphrase("change", "--new-passphrase-file", "new", "--label", "on the drive", *ITERATIONS, current="newer")
        self.passphrase("label", "--slot", "0", "--label", "", current="new")
        self.assertEqual(self.listed(), {0: None, 1: "on the drive"})
        said = self.passphrase("remove", "--slot", "1").stderr
        self.assertIn("slot 1 ('on the drive') removed", said)
        self.passphrase("add", "--new-passphrase-file", "new", *ITERATIONS)
        self.assertEqual(self.listed(), {0: None, 1: None})
        self.vault("verify", "x.hvault", "--passphrase-file", "new")

    # SECURITY.md: "encrypted labels of key slots, always 1052 bytes"
    def test_nothing_shows_without_a_passphrase(self):
        """The same length, and other bytes each time, with a label and without."""
        before = self.archive.read_bytes()
        seen = {before[1152:2204]}
        for label in LABEL, "", "x" * 128, "":
            self.passphrase("label", "--label", label)
            after = self.archive.read_bytes()
            self.assertEqual((after[128:1152], after[2204:4000]), (before[128:1152], bytes(1796)))
            self.assertEqual(after[4096:-4096], before[4096:-4096])
            seen.add(after[1152:2204])
        self.assertEqual(len(seen), 5)
        self.passphrase("label", "--label", LABEL)
        self.assertNotIn(LABEL.encode(), self.archive.read_bytes())
        for command in (("passphrase", "list"), ("passphrase", "list", "--json"), ("inspect",),
                        ("inspect", "--json")):
            result = self.vault(*command, "x.hvault")
            self.assertNotIn(LABEL.encode(), result.stdout + result.stderr.encode())

    def test_every_reader_ignores_them(self):
        self.passphrase("label", "--label", LABEL)
        result = run("/usr/bin/python3", READER, "--passphrase-file", SECRET, self.archive, self.folder / "read")
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assert_same_folder("read", generated().plain)

    def test_what_is_no_label_is_refused_before_anything_is_written(self):
        before = self.archive.read_bytes()
        for status, action, *options in (
                (2, "label"), (2, "label", "--label", "two\nlines"), (2, "label", "--label", "x" * 129),
                (2, "label", "--label", "ä" * 65), (2, "list", "--label", "x"), (2, "remove", "--label", "x"),
                (2, "add", "--label", "", "--new-passphrase-file", "new"), (10, "label", "--label", "x", "--slot", "3"),
                (2, "label", "--label", "x", "--slot", "8"), (2, "label", "--label", "x", *ITERATIONS),
                (2, "label", "--label", "x", "--new-passphrase-file", "new")):
            with self.subTest(options):
                self.passphrase(action, *options, status=status)
                self.assertEqual(self.archive.read_bytes(), before)

    def test_a_label_does_not_control_a_terminal(self):
        """Someone who has the key may have written anything."""
        texts = [("session.json", b"{}"), ("manifest.json.zst", write_container.frame(b"{}\n"))]
        write_container.write(self.archive, texts, PASSPHRASE.encode(), 100_000,
                              labels={0: "safe \u202e\u2066drawer", 1: "of no slot"})
        shown = self.passphrase("list").stdout.decode()
        self.assertNotRegex(shown, "[\u202e\u2066]")
        self.assertRegex(shown, "^slot 0: safe .*drawer, 100,000 iterations")
        write_container.write(self.archive, texts, PASSPHRASE.encode(), 100_000, labels={0: "\x1b[2J"})
        self.assertEqual(self.listed(), {0: None})

    def test_a_removal_on_a_terminal_names_the_label(self):
        self.passphrase("add", "--label", LABEL, "--new-passphrase-file", "new", *ITERATIONS)
        with Terminal(self.folder, "passphrase", "remove", "x.hvault", term="dumb") as terminal:
            terminal.expect("Passphrase to remove: ")
            terminal.wait_until_silent()
            terminal.type("otter violin mesa plunder gherkin cascade\n")
            terminal.expect(f"Remove the passphrase in slot 1 ('{LABEL}')? Then 1 will open the archive.")
            terminal.type("no\n")
            self.assertEqual(terminal.close(), 0, terminal.all)
        self.assertEqual(self.listed(), {0: None, 1: LABEL})


if __name__ == "__main__":
    unittest.main()
