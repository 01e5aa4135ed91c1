#!/usr/bin/env python3
"""Each stage runs by itself, and makes as much as it should."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

RELEASE = Path(os.environ.get("HEALTHVAULT_PROGRAMS") or Path(__file__).resolve().parents[3] / ".build" / "release")
GENERATOR = os.environ.get("HEALTHVAULT_GENERATE") or RELEASE / "healthvault-generate"
STAGES = RELEASE / "StageBenchmarks"


class Stages(unittest.TestCase):
    def setUp(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="healthvault-test-")))
        self.export = folder / "export.zip"
        subprocess.run([GENERATOR, "--output", self.export, "--size", "1MB"], check=True)

    def run_stages(self, *arguments):
        return subprocess.run([STAGES, self.export, *arguments], capture_output=True, text=True)

    def test_what_the_stages_make_fits_together(self):
        report = json.loads(self.run_stages("--rounds", "2", "--json").stdout)
        made = {stage["stage"]: stage["madeBytes"] for stage in report["stages"]}
        self.assertEqual(list(made), ["read", "scan", "scan+collect", "columns", "zstd", "seal", "NDJSON",
                                      "SHA-256", "unzstd", "decode", "identity", "samples", "quantities"])
        self.assertEqual(made["read"], report["documentBytes"])
        for stage in "decode", "identity":
            self.assertEqual(made[stage], report["rows"], stage)
        self.assertEqual(made["unzstd"], made["columns"])
        self.assertLess(made["zstd"], made["columns"])
        self.assertGreater(made["seal"], made["zstd"])
        self.assertGreater(made["scan+collect"], made["scan"])
        self.assertEqual(made["SHA-256"], 32 * report["batches"])
        for stage in report["stages"]:
            self.assertEqual(stage["rounds"], 2)
            self.assertGreaterEqual(stage["medianMicroseconds"], stage["leastMicroseconds"])

    def test_one_stage_alone(self):
        done = self.run_stages("--rounds", "1", "--stage", "scan", "--json")
        self.assertEqual([stage["stage"] for stage in json.loads(done.stdout)["stages"]], ["scan"])

    def test_a_stage_that_is_none(self):
        done = self.run_stages("--stage", "stage")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no stage 'stage'", done.stderr)


if __name__ == "__main__":
    unittest.main()
