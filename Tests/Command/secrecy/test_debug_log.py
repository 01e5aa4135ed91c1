"""HEALTHVAULT_LOG=debug says what the program does, and nothing of what is in the data."""
import shutil

from documents import RECORD, document
from vault import ENCRYPT, OPEN, PASSPHRASE, CommandTest, environment

SECRETS = "Anna's Watch", "1234567.875", "2011-02-03", "HKQuantityTypeIdentifierHeartRate", "heartRate"


class DebugLog(CommandTest):
    def setUp(self):
        super().setUp()
        record = ('<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Anna\'s Watch" unit="count/min" '
                  'creationDate="2011-02-03 10:00:00 +0100" startDate="2011-02-03 10:00:00 +0100" '
                  'endDate="2011-02-03 10:00:01 +0100" value="1234567.875"/>')
        (self.folder / "export.xml").write_text(document(RECORD * 50, record))

    def logged(self, *arguments, writes=None):
        """Runs a command without the log and with it; returns the log."""
        quiet = self.vault(*arguments)
        self.assertNotIn("debug: ", quiet.stderr)
        if writes:
            place = self.folder / writes
            shutil.rmtree(place) if place.is_dir() else place.unlink()
        found = self.vault(*arguments, env=environment(HEALTHVAULT_LOG="debug"))
        self.assertEqual(found.stdout, quiet.stdout)
        log = [line for line in found.stderr.splitlines() if line.startswith("debug: ")]
        self.assertIn("healthvault 0", log[0])
        return "\n".join(log)

    def test_nothing_of_the_data_is_in_it(self):
        logs = [
            self.logged("export", "export.xml", "-o", "x.hvault", *ENCRYPT, writes="x.hvault"),
            self.logged("verify", "x.hvault", "--source", "export.xml", *OPEN),
            self.logged("query", "x.hvault", "heartRate", "--json", *OPEN),
            self.logged("decrypt", "x.hvault", "-o", "plain", *OPEN, writes="plain"),
            self.logged("decrypt", "x.hvault", "-o", "health.db", *OPEN, writes="health.db"),
        ]
        for log in logs:
            for secret in *SECRETS, PASSPHRASE:
                self.assertNotIn(secret, log)
        for word in "source: export.xml", "sealed segment 0", "encoded", "finished", "derived":
            self.assertIn(word, logs[0])
        self.assertIn("opened archive x.hvault", logs[1])
        self.assertIn("read a batch", logs[2])
        self.assertIn("decoded", logs[3])
