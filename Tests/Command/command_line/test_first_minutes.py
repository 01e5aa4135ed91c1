"""What a person meets in the first minutes: slips that get an answer, notices, and what a second Ctrl-C leaves."""
import json
import os
import signal
import unittest

from terminal import Terminal
from vault import ENCRYPT, ITERATIONS, OPEN, PASSPHRASE, CommandTest, Gate, dense, environment, generated, run


class Slips(CommandTest):
    def test_the_name_of_the_output_without_its_option(self):
        result = self.vault("export", generated().zip, "b.hvault", status=2)
        self.assertIn("did you mean '-o b.hvault'?", result.stderr)
        self.assertEqual(self.names(), [])

    def test_a_folder_that_is_no_output(self):
        (self.folder / "drive").mkdir()
        (self.folder / "drive/photo.jpg").write_bytes(b"")
        archive = generated().archive
        for arguments, name in ((("export", generated().zip), "health-export"),
                                (("export", generated().zip, "--format", "sqlite"), "health.db"),
                                (("encrypt", generated().zip, *OPEN), "health.hvault"),
                                (("decrypt", archive, *OPEN), "health-export"),
                                (("decrypt", archive, "--format", "csv", *OPEN), "health-export"),
                                (("recover", archive, *OPEN), "health-recovered"),
                                (("compact", archive, *OPEN), "health.hvault")):
            with self.subTest(arguments[0]):
                result = self.vault(*arguments, "-o", "drive/", status=16)
                self.assertIn(f"use -o drive/{name}", result.stderr)
        self.assertEqual(self.names(self.folder / "drive"), ["photo.jpg"])

    def test_encrypt_is_an_encrypted_export(self):
        result = self.vault("encrypt", generated().zip, *ENCRYPT[1:])
        self.assertIn("encrypted: health.hvault", result.stderr)
        self.vault("verify", "health.hvault", "--source", generated().zip, *OPEN)
        self.vault("encrypt", generated().zip, "--format", "csv", status=2)

    def test_the_version(self):
        self.assertEqual(self.vault("version").stdout, self.vault("--version").stdout)

    def test_types_by_their_titles_and_suggestions_by_everyday_words(self):
        for name in "Active Energy", "active energy", "activeEnergyBurned", "HKQuantityTypeIdentifierActiveEnergyBurned":
            found = self.vault("query", generated().zip, name, "--limit", "1", "--json").stdout
            self.assertEqual(json.loads(found)["type"], "HKQuantityTypeIdentifierActiveEnergyBurned")
        found = json.loads(self.vault("query", generated().zip, "weight", "--limit", "1", "--json").stdout)
        self.assertEqual(found["type"], "HKQuantityTypeIdentifierBodyMass")
        for word, meant in (("hrv", "heartRateVariabilitySDNN"), ("bp", "bloodPressure"), ("Blood sugar", "bloodGlucose"),
                            ("heartrat", "heartRate"), ("heart", "group:heart"), ("Flihgts Climbed", "Flights Climbed")):
            result = self.vault("query", generated().zip, word, status=2)
            self.assertIn(f"did you mean '{meant}'?", result.stderr)

    def test_types_and_groups_are_listed(self):
        report = json.loads(self.vault("types", "--json").stdout)
        heart = {kind["name"] for kind in report["types"] if "heart" in kind["groups"]}
        self.assertEqual(heart, set(report["groups"]["heart"]))
        text = self.vault("types", "group:heart").stdout.decode()
        self.assertEqual(len(text.splitlines()), len(heart) + 2)
        self.assertIn("group:vitals", text.splitlines()[-1])


class Notices(CommandTest):
    def test_an_unencrypted_export_says_so_before_it_starts(self):
        with Terminal(self.folder, "export", generated().zip, "-o", "plain") as terminal:
            terminal.expect("note: writing unencrypted files to plain; add --encrypt")
            terminal.expect("written unencrypted: plain")
            self.assertEqual(terminal.close(), 0)
        self.assertNotIn("note:", self.vault("export", generated().zip, "-o", "other").stderr)

    def test_inspect_shows_the_most_frequent_types_first_and_all_on_request(self):
        def rows(*options):
            lines = self.vault("inspect", generated().zip, *options).stdout.decode().splitlines()
            table = [line for line in lines if line.startswith("  ") and line.split()[0].replace(",", "").isdigit()]
            return [int(line.split()[0].replace(",", "")) for line in table], lines

        some, lines = rows()
        every, _ = rows("--all")
        self.assertEqual(some, every[:20])
        self.assertEqual(every, sorted(every, reverse=True))
        self.assertIn(f"  ... and {len(every) - 20} more types: use --all", lines)
        report = json.loads(self.vault("inspect", generated().zip, "--json").stdout)
        self.assertEqual(report["samples"], self.manifest(generated().plain)["samples"])
        self.assertEqual(report["typeCount"], len([kind for kind in report["types"] if kind["element"] in (
            "Record", "Correlation", "Workout", "ActivitySummary", "ClinicalRecord", "Audiogram", "VisionPrescription",
            "ScoredAssessment", "StateOfMind")]))

    def test_reports_have_the_same_keys(self):
        export, archive = generated(), generated().archive
        for arguments in (("export", export.zip, "-o", "plain"), ("export", export.zip, "-o", "a.hvault", *ENCRYPT),
                          ("export", export.zip, "-o", "x.json", "--format", "json"),
                          ("decrypt", archive, "-o", "out", *OPEN), ("decrypt", archive, "-o", "c", "--format", "csv", *OPEN),
                          ("verify", archive, *OPEN), ("inspect", archive, *OPEN), ("passphrase", "list", archive)):
            report = json.loads(self.vault(*arguments, "--json").stdout)
            with self.subTest(" ".join(map(str, arguments))):
                self.assertIsInstance(report["path"], str)
                self.assertIsInstance(report["warnings"], list)
                self.assertIsInstance(report.get("types", []), list)
                self.assertNotIn("target", report)

    def test_verdicts_go_to_standard_output(self):
        self.assertRegex(self.vault("verify", generated().archive, *OPEN).stdout.decode(), r": intact\n$")
        data = bytearray(generated().archive.read_bytes())
        data[len(data) // 2] ^= 1
        (self.folder / "bad.hvault").write_bytes(data)
        result = self.vault("verify", "bad.hvault", *OPEN, status=13)
        self.assertEqual(result.stdout, b"bad.hvault: damaged; use another copy if you have one\n")

    def test_the_slot_that_a_passphrase_opens_is_marked(self):
        archive = self.folder / "a.hvault"
        archive.write_bytes(generated().archive.read_bytes())
        (self.folder / "second").write_text("another long passphrase 7")
        second = "--passphrase-file", self.folder / "second"
        self.vault("passphrase", "add", archive, *OPEN, *ITERATIONS, "--new-passphrase-file", "second")
        archive.chmod(0o400)
        for secret, number in (OPEN, 0), (second, 1):
            lines = self.vault("passphrase", "list", archive, *secret).stdout.decode().splitlines()
            self.assertEqual([line.endswith("opened by this passphrase") for line in lines], [number == 0, number == 1])
            report = json.loads(self.vault("passphrase", "list", archive, *secret, "--json").stdout)
            self.assertEqual(report["openedSlot"], number)
        self.vault("passphrase", "list", archive, "--passphrase-command", "echo wrong passphrase", status=12)

    def test_sessions_are_listed_and_deleted_with_what_they_leave(self):
        state = "--state-dir", "state"
        self.vault("export", generated().zip, "-o", "plain", "--session", "mine", *state)
        titles, line = self.vault("session", "list", *state).stdout.decode().splitlines()
        self.assertEqual(titles.split(), ["session", "started", "state", "progress", "source", "output"])
        for word in "mine", "completed", "samples", "export.zip", "plain":
            self.assertIn(word, line)
        (self.folder / "healthvault").symlink_to("state")
        self.assertEqual(run(self.program, "complete", "fish", "session", "list", "m", cwd=self.folder,
                             env=environment(XDG_STATE_HOME=str(self.folder))).stdout, b"words\nmine\n")
        (self.folder / "healthvault").unlink()
        result = self.vault("session", "delete", "mine", *state)
        self.assertIn("deleted session mine", result.stderr)
        self.assertIn("the finished export stays: ", result.stderr)

    def test_losses_are_counted_once(self):
        data = bytearray(generated().archive.read_bytes())
        at = len(data) // 8  # among the batches, which come before the files
        data[at:at + 20] = bytes(20)
        (self.folder / "bad.hvault").write_bytes(data)
        result = self.vault("recover", "bad.hvault", "-o", "out", *OPEN, status=3)
        report = json.loads((self.folder / "out/recovery.json").read_bytes())
        total = self.manifest(generated().plain)["samples"]
        self.assertEqual(report["samples"] + report["lostSamples"], total)
        self.assertGreater(report["lostSamples"], 0)
        self.assertIn(f"{report['lostSamples']:,} of {total:,} samples lost", result.stderr)
        lost = [line.removeprefix("lost: ") for line in result.stderr.splitlines() if line.startswith("lost: ")]
        for damage in report["damaged"]:
            self.assertFalse([path for path in lost if damage["name"].startswith(path)], result.stderr)


class Interruptions(CommandTest):
    def interrupted(self, part, *arguments, again):
        """What is shown when a command is interrupted, once or twice, while it writes a folder."""
        gate = Gate("write", "open")
        with Terminal(self.folder, *arguments, gate=gate) as terminal:
            reached = terminal.calls_until(gate, (self.folder / part).exists)
            terminal.expect("Passphrase: ")
            terminal.type(PASSPHRASE + "\n")
            reached.join()
            os.kill(terminal.process, signal.SIGINT)
            terminal.expect("press Ctrl-C again to stop at once")
            if again:
                os.kill(terminal.process, signal.SIGINT)
                terminal.expect("stopped at once")
            gate.open()
            status = terminal.close()
            return status, terminal.text

    def test_an_interrupted_decryption_names_the_folder_and_not_the_archive(self):
        archive = dense().archive
        status, text = self.interrupted("out.part", "decrypt", archive, "-o", "out", again=False)
        self.assertEqual(status, 130, text)
        # The message takes the place of the line of progress.
        self.assertRegex(text, r"\n(\r\x1b\[K)?healthvault: out: interrupted")
        self.assertNotIn(str(archive), text)
        self.assertEqual(self.names(), [])

    def test_a_second_interruption_says_where_the_files_are(self):
        archive = dense().archive
        status, text = self.interrupted("out.part", "decrypt", archive, "-o", "out", again=True)
        self.assertEqual(status, 130, text)
        self.assertIn("rm -r out.part", text)
        self.assertEqual(self.names(), ["out.part"])
        self.vault("decrypt", archive, "-o", "out", *OPEN)
        self.assertEqual(self.names(), ["out"])

    def test_resuming_asks_once_and_says_what_is_kept(self):
        export = dense()
        state = "--state-dir", "state"
        part, gate = self.folder / "x.hvault.part", Gate("write")
        command = "encrypt", export.folder, "-o", "x.hvault", *ITERATIONS, *state
        with Terminal(self.folder, *command, gate=gate) as terminal:
            reached = terminal.calls_until(gate, lambda: part.exists() and part.stat().st_size > 2 << 20)
            for question in "archive: ", "Repeat passphrase: ":
                terminal.expect(question)
                terminal.type(PASSPHRASE + "\n")
            reached.join()
            os.kill(terminal.process, signal.SIGINT)
            terminal.expect("press Ctrl-C again")
            gate.open()
            self.assertEqual(terminal.close(), 130, terminal.text)
        self.assertIn("MB kept", self.vault("session", "list", *state).stdout.decode())
        with Terminal(self.folder, "encrypt", export.folder, "-o", "x.hvault", *state) as terminal:
            for text in "wrong", PASSPHRASE:
                terminal.expect("Passphrase of x.hvault.part: ")
                terminal.type(text + "\n")
            terminal.expect("continuing, ")
            terminal.expect(" MB kept")
            terminal.expect("encrypted: x.hvault")
            self.assertEqual(terminal.close(), 0)
        self.vault("verify", "x.hvault", "--source", export.folder, *OPEN)


if __name__ == "__main__":
    unittest.main()
