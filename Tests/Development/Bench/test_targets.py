"""Tests of what the benchmark computes: needs nothing but Python, and measures nothing."""
import os
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from commands import NEEDS, commands, not_run
from machine import Bystanders, machine
from report import number, table
from rounds import Command, Sample
from spread import Spread, difference, ratio
from targets import TARGETS, Measurements, verdict

MIB = 1 << 20


def samples(*values, peak=20 * MIB, made=0):
    """Runs that took so many seconds on the clock, and twice that of CPU."""
    return {number: Sample(value, 2 * value, peak, made, b"") for number, value in enumerate(values)}


class Spreads(unittest.TestCase):
    def test_the_median_is_the_middle_one_or_between_the_middle_two(self):
        self.assertEqual(Spread.of([5, 1, 9]), (1, 5, 9))
        self.assertEqual(Spread.of([4, 1, 2, 9]), (1, 3, 9))
        self.assertEqual(Spread.of(iter([7])), (7, 7, 7))

    def test_a_spread_is_converted_to_another_unit(self):
        self.assertEqual(Spread(1, 2, 3) * 1000, (1000, 2000, 3000))

    def test_a_ratio_is_taken_within_each_round(self):
        # The ratio of the medians would be 1: the second round was slow for both.
        self.assertEqual(ratio({0: 1, 1: 30, 2: 2}, {0: 2, 1: 60, 2: 1}), (0.5, 0.5, 2))

    def test_rounds_in_which_one_of_both_did_not_run_do_not_count(self):
        self.assertEqual(ratio({0: 4, 1: 5, 2: 6}, {0: 1, 2: 2}), (3, 3.5, 4))
        self.assertEqual(difference({0: 4, 1: 9}, {0: 1}), (3, 3, 3))


class Verdicts(unittest.TestCase):
    def test_the_median_decides_and_the_limit_itself_is_within(self):
        spread = Spread(0, 0.5, 9)
        self.assertEqual(verdict(spread, 0.6, 0.5), "aim")
        self.assertEqual(verdict(spread, 0.5, 0.4), "reached")
        self.assertEqual(verdict(spread, 0.49, 0.4), "missed")
        self.assertEqual(verdict(spread, None, None), "told")
        self.assertEqual(verdict(None, 1, 1), "not measured")


class Targets(unittest.TestCase):
    def rows(self, runs, **more):
        measurements = Measurements(runs, {"document": 1000, "newDevices": 1000}, **{"processors": 2} | more)
        return {target.name: target.row(measurements) for target in TARGETS}

    def test_each_has_a_name_of_its_own_and_an_aim_beyond_its_limit(self):
        self.assertEqual(len({target.name for target in TARGETS}), len(TARGETS))
        for target in TARGETS:
            if target.at_most is not None:
                self.assertLess(target.aim, target.at_most, target.name)

    def test_what_was_measured_is_held_against_the_peer(self):
        rows = self.rows({"document": {
            "unzip": samples(10, 20), "inflateZlib": samples(1, 1),
            "encryptZip": samples(3, 4, made=430), "encryptZipUnderived": samples(1, 4),
            "encryptZipOneJob": samples(2, 5),
        }, "startUp": {"version": samples(0.007), "true": samples(0.001)}}, program_bytes=13_000_000, lengths={
            1: {"archiveBytes": 132_768, "zipBytes": 100_000}, 12: {"archiveBytes": 490, "zipBytes": 1000}})
        expected = {
            "document.encryptZip.wall": (0.15, "aim"),
            "document.encryptZip.wallWithDerivation": (0.25, "told"),
            "document.encryptZip.cpu": (2.5, "missed"),
            "document.encryptZip.size": (0.43, "reached"),
            "document.workers.wall": (0.65, "reached"),
            "length1.size": (1, "reached"),
            "length12.size": (0.49, "reached"),
            "startUp.wall": (6, "reached"),
            "program.size": (13, "reached"),
            "peak": (20, "aim"),
        }
        for name, (median, found) in expected.items():
            self.assertAlmostEqual(rows[name]["measured"]["median"], median, msg=name)
            self.assertEqual(rows[name]["verdict"], found, name)

    def test_the_peak_is_that_of_the_hungriest_command(self):
        rows = self.rows({"document": {"encryptZip": samples(1, peak=10 * MIB), "verify": samples(1, peak=40 * MIB)},
                          "newDevices": {"encryptZip": samples(1, peak=30 * MIB)}})
        self.assertEqual((rows["peak"]["measured"]["median"], rows["peak"]["verdict"]), (40, "missed"))

    def test_what_is_missing_is_told_with_its_reason(self):
        rows = self.rows({}, missing={"unzip": "unzip is not installed"}, processors=1)
        self.assertEqual({row["verdict"] for row in rows.values()}, {"not measured"})
        self.assertEqual({row["measured"] for row in rows.values()}, {None})
        self.assertEqual(rows["document.workers.wall"]["reason"], "there is only one processor")
        rows = self.rows({"document": {"encryptZipUnderived": samples(1)}}, missing={"unzip": "unzip is not installed"})
        self.assertEqual(rows["document.encryptZip.wall"]["reason"], "unzip is not installed")


class Commands(unittest.TestCase):
    def setUp(self):
        folder = Path("/none")
        self.export = SimpleNamespace(
            kind="document", folder=folder, zip=folder / "export.zip", xml=folder / "export.xml",
            zstd=folder / "export.xml.zst", member_list=folder / "members", plain_lengths=folder / "lengths",
            question=folder / "question.jsonl",
            passphrase=("--passphrase-file", "p"), month=("--types", "heartRate"),
            archive=lambda name, preload=None: folder / name)

    def tools(self, *names):
        class Some(dict):
            paths = property(lambda self: self)
            missing = {tool: "gone" for tool in NEEDS.values() if tool not in names}
        return Some({name: Path("/bin") / name for name in ("healthvault", *names)})

    def names(self, tools):
        return {command.name for command in commands(self.export, tools, Path("/plain"))}

    def test_what_is_missing_is_left_out_and_told(self):
        bare = self.tools()
        self.assertEqual(self.names(bare), {"encryptZip", "plainXML", "verify", "decrypt", "mcpAnswer", "statsDailyZip",
                                            "analyticsZip", "reportZip", "sqliteZip", "jsonZip", "csvZip", "appleXMLZip"})
        self.assertEqual(not_run(bare).keys(), NEEDS.keys())

    def test_what_is_there_is_run_or_told(self):
        tools = self.tools("unzip", "xmllint", "zstd", "without_derivation.so")
        names = self.names(tools)
        self.assertTrue({"unzip", "xmllint", "zstd", "zstdDecompress", "decryptUnderived", "decryptMonth"} <= names)
        self.assertEqual(not_run(tools).keys() & names, set())
        self.assertEqual(not_run(tools).keys() | names, NEEDS.keys() | names)

    def test_input_is_warmed_output_is_removed_and_only_what_is_underived_has_a_library_loaded(self):
        for command in commands(self.export, self.tools("without_derivation.so"), Path("/plain")):
            self.assertEqual(command.inputs, (command.arguments[3 if "analytics" in command.arguments else 2],))
            self.assertEqual(command.output is None, {"--output", "--database"}.isdisjoint(command.arguments))
            self.assertEqual(bool(command.preload), command.name.endswith(("Underived", "OneJob", "Month")), command.name)


class Machine(unittest.TestCase):
    def test_what_others_do_is_counted_in_processors(self):
        for seconds, busy in ([10, 13], 1.5), ([10, 10], 0), ([10, 9.9], 0):
            with (mock.patch.object(Bystanders, "seconds", side_effect=seconds),
                  mock.patch("machine.time.monotonic", side_effect=[100, 102])):
                self.assertEqual(Bystanders().processors(), busy)

    def test_what_we_do_ourselves_is_not_what_others_do(self):
        with (mock.patch("machine.field", return_value=" 500 100 200 9999 999 0 0 200 0 0"),
              mock.patch("machine.resource.getrusage", return_value=[1.5, 0.5])):
            self.assertEqual(Bystanders.seconds() + 4, 1000 / os.sysconf("SC_CLK_TCK"))

    def test_the_facts_are_there(self):
        facts = machine()
        self.assertNotIn(None, facts.values())
        self.assertGreater(facts["memoryBytes"], 1 << 28)


class Tables(unittest.TestCase):
    def test_numbers_keep_the_digits_that_mean_something(self):
        self.assertEqual([number(value) for value in (None, 1234.5, 123.4, 12.34, 1.234, 0.1234, 0.00123, -12.34)],
                         ["", "1234", "123", "12.3", "1.23", "0.123", "0.0012", "-12.3"])

    def test_columns_are_as_wide_as_their_widest_cell(self):
        self.assertEqual(list(table([("a", "bcd"), ("ef", "g")], right=[1])), ["a   bcd", "ef    g"])

    def test_a_command_is_told_as_one_would_type_it(self):
        command = Command("x", (Path("/bin/cat"), "-n", Path("/a/b.zip")), stdin=Path("/c/d"))
        self.assertEqual(command.text, "cat -n b.zip < d")


if __name__ == "__main__":
    unittest.main()
