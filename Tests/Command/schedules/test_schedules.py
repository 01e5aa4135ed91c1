"""Exports that are made automatically."""
import json
import os
import re
import shutil
import subprocess
import unittest

from drives.stick import StickTest, later, samples
import later_exports
from vault import BINARY, OPEN, PASSPHRASE, SECRET, environment, generated, skip_loudly

LONG_AGO = 1_700_000_000


class ScheduleTest(StickTest):
    def setUp(self):
        super().setUp()
        self.inbox = self.folder / "inbox"
        self.inbox.mkdir()

    def schedule(self, *options, status=0, **more):
        return self.vault("schedule", *options, *self.places, status=status, **more)

    def set(self, *options, when=("sunday 02:00",), timer="none", status=0, **more):
        """Sets a schedule; each of `when` is an --every."""
        every = [word for time in when for word in ("--every", time)]
        return self.schedule("set", *every, "--source", self.inbox, "--to", "stick", "--timer", timer,
                             *options, status=status, **more)

    def encrypted(self, *options):
        return self.set("-e", *OPEN, *options)

    def edit(self, path, name):
        """Sets a time in a file back, so that something is due."""
        text = (self.folder / path).read_text()
        changed = re.sub(rf'"{name}":\d+', f'"{name}":{LONG_AGO}', text)
        (self.folder / path).write_text(changed)

    def due(self):
        self.edit("config/schedules", "created")
        if (self.folder / "state/schedules").exists():
            self.edit("state/schedules", "done")

    def run_due(self, status=0, quiet=True, **more):
        result = self.vault("schedule", "run", *self.places, status=status, **more)
        if quiet:
            self.assertEqual((result.stdout, result.stderr), (b"", ""))
        return result

    def state(self):
        result = self.vault("schedule", "status", "--json", *self.places, status=(0, 1, 75))
        (only,) = json.loads(result.stdout)["schedules"]
        self.assertEqual(result.status != 0, only["due"], "it tells a monitor")
        return only

    def shown(self, status):
        """What is printed of the state, by a command that ends with this status."""
        return self.schedule("status", status=status).stdout.decode()

    def arrive(self, source, name="export.zip"):
        shutil.copy(source, self.inbox / name)
        os.utime(self.inbox / name)


class Setting(ScheduleTest):
    def test_shown_and_removed(self):
        self.encrypted("--incremental", "--keep", "3")
        state = self.state()
        self.assertEqual((state["every"], state["time"], state["encrypted"], state["incremental"], state["keep"]),
                         ("sunday", "02:00", True, True, 3))
        self.assertFalse(state["due"], "nothing was due before it was set")
        self.assertIn(b"every sunday 02:00", self.schedule("list").stdout)
        # A destination has one schedule.
        self.set("--format", "json", when=("last 02:00",))
        self.assertEqual(self.state()["every"], "last")
        self.assertEqual((self.state()["formats"], self.state()["units"]), (["json"], "source"))
        self.assertNotIn(b"units", self.schedule("list").stdout)
        self.set("--format", "csv,sqlite", "--units", "us")
        self.assertEqual(self.state()["units"], "us")
        for shown in self.schedule("list"), self.vault("schedule", "status", *self.places):
            self.assertIn(b"csv,sqlite, us units", shown.stdout)
        self.schedule("remove", "--to", "stick", "--timer", "none")
        self.schedule("remove", "--to", "stick", "--timer", "none", status=10)
        self.assertEqual(json.loads(self.vault("schedule", "status", "--json", *self.places).stdout)["schedules"], [])

    def test_what_makes_no_sense_is_refused(self):
        for options in (["-e"], ["-e", "--passphrase-fd", "0"], ["-e", "--passphrase-file", "-"], ["--incremental"],
                        ["-e", "--format", "json", *OPEN], ["-e", "--incremental", "--last", "7d", *OPEN],
                        ["--keep", "0"], ["--last", "5"], OPEN):
            self.set(*options, status=2)
        for when in ((), ("day 02:00", "sunday 02:00"), ("someday 02:00",), ("32 02:00",), ("day",), ("02:00",), ("day 25:00",),
                     ("day 02:00 03:00",), ("",)):
            self.set(when=when, status=2)
        for action in self.set("--json", status=2), self.schedule("remove", "--to", "stick", "--json", status=2):
            self.assertIn("takes no --json, which is for list, status", action.stderr)
        self.set("-e", "--passphrase-file", "nowhere", status=10)
        self.schedule("set", "--every", "day 2:00", "--source", "nowhere", "--to", "stick", status=10)
        self.schedule("set", "--every", "day 2:00", "--source", "inbox", "--to", "nobody", status=10)
        self.assertFalse((self.folder / "config/schedules").exists())

    def test_files_are_private_and_hold_no_passphrase(self):
        self.encrypted()
        for path in (self.folder / "config").rglob("*"):
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)
            self.assertNotIn(PASSPHRASE.encode(), path.read_bytes())

    def test_units_are_what_systemd_accepts(self):
        home = self.folder / "my home %n $HOME"
        home.mkdir()
        for when in ("day 02:00",), ("sun 02:00",), ("15 02:00",), ("30 02:00",), ("last 02:00",):
            result = self.set("--format", "ndjson", when=when, timer="systemd",
                              env={"HOME": os.fspath(home), "PATH": os.environ["PATH"]})
            self.assertIn("timer", result.stderr)
        units = home / ".config/systemd/user"
        timer = (units / "healthvault.timer").read_text()
        self.assertIn("Persistent=true", timer)
        if not shutil.which("systemd-analyze"):
            skip_loudly(self, "systemd-analyze is missing")
        for expression in re.findall("OnCalendar=(.*)", timer):
            checked = subprocess.run(["systemd-analyze", "calendar", expression], capture_output=True, text=True)
            self.assertEqual(checked.returncode, 0, checked.stderr)
        folder = self.folder / "units"
        shutil.copytree(units, folder)
        checked = subprocess.run(["systemd-analyze", "verify", folder / "healthvault.timer"],
                                 capture_output=True, text=True)
        ours = [line for line in checked.stderr.splitlines() if "healthvault" in line]
        self.assertEqual(ours, [])
        service = (units / "healthvault.service").read_text()
        self.assertIn(f'"--config-dir" "{self.folder}/config"'.replace("%", "%%").replace("$", "$$"), service)
        self.schedule("remove", "--to", "stick", "--timer", "systemd",
                      env={"HOME": os.fspath(home), "PATH": os.environ["PATH"]})
        self.assertEqual(self.names(units), [])

    def test_crontab_and_property_list(self):
        line = self.set("--format", "json", timer="cron").stdout.decode()
        self.assertRegex(line, rf"^0 \* \* \* \* {re.escape(os.path.realpath(BINARY))} schedule run --config-dir \S+ --state-dir \S+\n$")
        text = self.set("--format", "json", timer="launchd").stdout
        import plistlib
        found = plistlib.loads(text)
        self.assertEqual(found["ProgramArguments"][1:3], ["schedule", "run"])
        self.assertEqual(found["StartCalendarInterval"], [{"Minute": 0}])

    def test_a_folder_whose_name_is_not_utf_8(self):
        """The program refuses the name as an argument, so that a timer would fail at each run."""
        odd = os.path.join(os.fsencode(self.folder), b"\xff")
        os.mkdir(odd)
        places = ("--config-dir", self.folder / "config", "--state-dir", "state")

        def set(timer, name="stick", **more):
            return self.vault("schedule", "set", "--every", "day 02:00", "--source", self.inbox, "--to", name,
                              "--timer", timer, *places, cwd=odd, env=environment(HOME=os.fspath(self.folder)), **more)

        def remove(timer, **more):
            return self.vault("schedule", "remove", "--to", "stick", "--timer", timer, *places, cwd=odd,
                              env=environment(HOME=os.fspath(self.folder)), **more)
        for timer in "systemd", "cron", "launchd":
            result = set(timer, status=2)
            self.assertIn("not UTF-8", result.stderr)
            self.assertIn("--state-dir", result.stderr)
            self.assertEqual(result.stdout, b"")
        self.assertFalse((self.folder / "config/schedules").exists())
        set("none")
        remove("cron")
        # One that is left needs a timer, and what is refused has removed nothing.
        (self.folder / "drive/tock").mkdir()
        self.vault("destination", "add", "tock", "drive/tock", *self.places[:2])
        for name in "stick", "tock":
            set("none", name)
        before = (self.folder / "config/schedules").read_bytes()
        for timer in "systemd", "cron", "launchd":
            result = remove(timer, status=2)
            self.assertIn("not UTF-8", result.stderr)
            self.assertNotIn("removed", result.stderr)
        self.assertEqual((self.folder / "config/schedules").read_bytes(), before)
        remove("none")
        self.assertNotEqual((self.folder / "config/schedules").read_bytes(), before)

    def test_a_timer_gets_the_folders_that_variables_name(self):
        places = {"XDG_CONFIG_HOME": str(self.folder / "xc"), "XDG_STATE_HOME": str(self.folder / "xs")}
        made = environment(**places)
        self.vault("destination", "add", "other", self.stick, env=made)
        line = self.vault("schedule", "set", "--every", "sunday 02:00", "--source", self.inbox, "--to", "other",
                          "--format", "json", "--timer", "cron", env=made).stdout.decode()
        self.assertIn(f" --config-dir {self.folder}/xc/healthvault --state-dir {self.folder}/xs/healthvault\n", line)

    def test_a_property_list_that_could_not_be_read(self):
        self.places = ("--config-dir", "config", "--state-dir", "a\x01b")
        result = self.set("--format", "json", timer="launchd", status=2)
        self.assertIn("control character", result.stderr)
        self.assertEqual(result.stdout, b"")


class Running(ScheduleTest):
    def test_nothing_is_due(self):
        self.encrypted()
        self.arrive(self.first)
        self.run_due()
        self.assertEqual(self.archives(), [])

    def test_what_was_missed_is_made_once(self):
        self.encrypted("--incremental")
        self.arrive(self.first)
        self.due()
        self.assertTrue(self.state()["due"])
        self.run_due()
        self.assertEqual(len(self.archives()), 1)
        self.assertFalse(self.state()["due"])
        self.assertIn("lastDone", self.state())
        self.run_due()
        self.assertEqual(len(self.archives()), 1)
        (run,) = self.history()
        self.assertEqual((run["result"], run["scheduled"], run["file"]), ("done", True, "present"))
        self.vault("verify", "drive/health", *OPEN)

    def test_a_clock_that_was_wrong_stops_nothing(self):
        """It ran once in the year 2099; what was recorded then is unknown now."""
        self.encrypted()
        self.due()
        self.arrive(self.first)
        self.run_due()
        for path, name in ("state/schedules", "done"), ("config/schedules", "created"):
            text = (self.folder / path).read_text()
            (self.folder / path).write_text(re.sub(rf'"{name}":\d+', f'"{name}":4070908800', text))
        self.arrive(later("more"))
        self.run_due()
        self.assertEqual(len(self.archives()), 2)

    def test_later_exports_continue_the_first(self):
        self.encrypted("--incremental")
        for number, source in enumerate((self.first, later("same"), later("more"))):
            self.arrive(source, f"export {number}.zip")
            self.due()
            self.run_due()
        self.assertEqual([run["result"] for run in self.history()], ["done", "nothingNew", "done"])
        self.assertEqual(samples(self.document()), samples(later_exports.read(later("more"))))

    def test_a_drive_that_is_away_is_waited_for(self):
        self.encrypted()
        self.arrive(self.first)
        self.due()
        os.rename(self.folder / "drive", self.folder / "away")
        self.run_due()
        self.assertTrue(self.state()["due"])
        self.assertIn("not connected", self.state()["waitingFor"])
        self.assertEqual(self.history(), [])
        self.assertFalse(self.state()["connected"])
        self.assertIn("waiting: not connected", self.shown(75))
        os.rename(self.folder / "away", self.folder / "drive")
        self.assertTrue(self.state()["due"] and self.state()["connected"])
        self.assertNotIn("waitingFor", self.state())
        self.assertIn("the drive is connected", self.shown(75))
        self.run_due()
        self.shown(0)
        self.assertFalse(self.state()["due"])
        self.assertNotIn("waitingFor", self.state())
        self.assertEqual(len(self.archives()), 1)

    def test_an_export_that_has_not_arrived_is_waited_for(self):
        self.encrypted()
        self.due()
        self.run_due()
        self.assertIn("no export", self.state()["waitingFor"])
        # Half of it is there: it is still being copied.
        whole = self.first.read_bytes()
        (self.inbox / "export.zip").write_bytes(whole[:len(whole) // 2])
        self.run_due()
        self.assertIn("not a complete export", self.state()["waitingFor"])
        self.assertEqual(self.archives(), [])
        (self.inbox / "export.zip").write_bytes(whole)
        self.run_due()
        self.assertEqual(len(self.archives()), 1)

    def test_the_newest_export_is_taken(self):
        self.encrypted()
        self.arrive(later("more"), "b.zip")
        self.arrive(self.first, "a.zip")
        os.utime(self.inbox / "a.zip", (LONG_AGO, LONG_AGO))
        (self.inbox / "notes.txt").write_text("nothing")
        self.due()
        self.run_due()
        self.assertEqual(samples(self.document()), samples(later_exports.read(later("more"))))

    def test_a_file_of_the_future_hides_no_later_export(self):
        """The clock that dated it was wrong: which export is newer, the exports say themselves."""
        self.encrypted()
        self.arrive(self.first, "a.zip")
        os.utime(self.inbox / "a.zip", (4_070_908_800, 4_070_908_800))
        self.due()
        self.run_due()
        self.arrive(later("more"), "b.zip")
        self.due()
        self.run_due()
        self.assertEqual([run["result"] for run in self.history()], ["done", "done"])
        self.assertEqual(samples(self.document()), samples(later_exports.read(later("more"))))
        os.utime(self.inbox / "b.zip", (LONG_AGO, LONG_AGO))
        self.due()
        self.run_due()
        self.assertEqual(self.history()[-1]["result"], "done")
        self.assertEqual(samples(self.document()), samples(later_exports.read(later("more"))))

    def test_a_link_without_what_it_continues_is_no_export(self):
        self.encrypted("--incremental")
        for number, source in enumerate((self.first, later("more"))):
            self.arrive(source, f"export {number}.zip")
            self.due()
            self.run_due()
        (self.stick / min(self.archives(), key=len)).unlink()
        self.vault("verify", "drive/health", *OPEN, status=10)
        self.due()
        self.assertIn("writing a full archive", self.run_due(quiet=False).stderr)
        self.assertEqual(self.history()[-1]["result"], "done")
        self.assertEqual(samples(self.document()), samples(later_exports.read(later("more"))))

    def test_what_another_process_has_recorded_meanwhile_stays(self):
        """A run of one schedule takes minutes, in which another process makes the export of the next one."""
        for name in "drive/tock", "nothing":
            (self.folder / name).mkdir()
        self.vault("destination", "add", "tock", "drive/tock", *self.places[:2])
        self.schedule("set", "--every", "sunday 02:00", "--source", self.folder / "nothing", "--to", "tock",
                      "--timer", "none", "--format", "json")
        line = json.dumps({"progress": 1, "destination": "tock", "done": LONG_AGO + 7, "exported": "1+1 1.1"})
        tell = self.folder / "tell"
        tell.write_text(f"#!/bin/sh\nif [ -d {self.folder}/state ]; then echo '{line}' >> {self.folder}/state/schedules; fi\n"
                        f"cat {SECRET}\n")
        tell.chmod(0o700)
        self.set("-e", "--passphrase-command", tell)
        self.arrive(self.first)
        self.due()
        (self.folder / "state").mkdir()
        self.run_due()
        progress = [json.loads(line) for line in (self.folder / "state/schedules").read_text().splitlines()]
        [tock] = [line for line in progress if line["destination"] == "tock"]
        self.assertEqual((tock["done"], tock["exported"]), (LONG_AGO + 7, "1+1 1.1"))
        self.assertIn("waiting", tock)

    def test_the_same_export_is_not_written_again(self):
        """A run that has nothing to do is no export: the history says so."""
        self.encrypted()
        self.arrive(self.first)
        for _ in range(2):
            self.due()
            self.run_due()
        self.assertEqual([run["result"] for run in self.history()], ["done", "nothingNew"])
        self.assertEqual(len(self.archives()), 1)
        # Once the file is gone, it is made again.
        (self.stick / self.archives()[0]).unlink()
        self.due()
        self.run_due()
        self.assertEqual(len(self.archives()), 1)

    def test_plain_formats_and_ranges(self):
        for options in ["--format", "json"], ["--last", "3d"]:
            self.set(*options)
            self.arrive(self.first)
            self.due()
            self.run_due()
            folder = self.stick / self.history()[-1]["path"].rsplit("/", 1)[1]
            self.vault("verify", folder)
            self.assertIn("health.json", self.names(folder))
        # The export is of January: the days count back from its own.
        everything, few = (run["samples"] for run in self.history())
        self.assertTrue(0 < few < everything, (few, everything))

    def test_a_period_of_the_same_export_is_made_once(self):
        self.set("--format", "json", "--last", "3d")
        self.arrive(self.first)
        for _ in range(2):
            self.due()
            self.run_due()
        self.assertEqual([run["result"] for run in self.history()], ["done", "nothingNew"])

    def test_units_of_tables(self):
        self.set("--format", "csv", "--units", "us")
        self.arrive(self.first)
        self.due()
        self.run_due()
        folder = self.stick / self.history()[-1]["path"].rsplit("/", 1)[1]
        [listed] = self.manifest(folder)["formats"]
        self.assertEqual((listed["format"], listed["units"]), ("csv", "us"))
        self.set("--units", "us", status=2)

    def test_other_units_are_another_export(self):
        self.arrive(self.first)
        for units in "source", "us", "us", "metric", "source":
            self.set("--format", "csv", "--units", units)
            self.due()
            self.run_due()
        runs = self.history()
        self.assertEqual([run["result"] for run in runs], ["done", "done", "nothingNew", "done", "done"])
        folders = [self.stick / run["path"].rsplit("/", 1)[1] for run in runs if "path" in run]
        self.assertEqual([self.manifest(folder)["formats"][0].get("units") for folder in folders],
                         [None, "us", "metric", None])

    def test_older_exports_are_removed(self):
        self.encrypted("--keep", "2")
        for number in range(4):
            document = later_exports.read(self.first)
            later_exports.write(self.inbox / f"{number}.zip", self.first, document + b"\n" * number)
            self.due()
            self.run_due()
        self.assertEqual([run["file"] for run in self.history()], ["removed", "removed", "present", "present"])
        self.assertEqual(len(self.archives()), 2)


class Failing(ScheduleTest):
    def test_without_the_key_nothing_is_written(self):
        (self.folder / "key").write_text(PASSPHRASE)
        self.set("-e", "--passphrase-file", "key")
        (self.folder / "key").unlink()
        self.arrive(self.first)
        self.due()
        before = self.names(self.stick)
        self.assertIn("scheduled export failed", self.run_due(status=10, quiet=False).stderr)
        self.assertEqual(self.names(self.stick), before)
        self.assertTrue(self.state()["due"])
        for command in "exit 3", "printf ''", "printf short":
            self.set("-e", "--passphrase-command", "test -e nokey || cat key", status=(0, 1, 2))
            (self.folder / "key").write_text(PASSPHRASE)
            self.set("-e", "--passphrase-command", f"if test -e nokey; then {command}; else cat key; fi")
            self.due()
            (self.folder / "nokey").touch()
            self.assertNotEqual(self.run_due(status=(1, 2), quiet=False).status, 0)
            self.assertEqual(self.names(self.stick), before)
            (self.folder / "nokey").unlink()

    def test_another_passphrase_than_that_of_the_archive(self):
        self.encrypted("--incremental")
        self.arrive(self.first)
        self.due()
        self.run_due()
        (self.folder / "other").write_text("another passphrase 17")
        self.set("-e", "--incremental", "--passphrase-file", "other")
        self.arrive(later("more"), "later.zip")
        self.due()
        self.assertIn("wrong passphrase", self.run_due(status=12, quiet=False).stderr)
        self.assertTrue(self.state()["due"])
        self.assertIn("failed: wrong passphrase", self.shown(1))
        self.set("-e", "--incremental", *OPEN)
        self.due()
        self.run_due()
        self.shown(0)

    def test_another_persons_export(self):
        self.encrypted("--incremental")
        self.arrive(self.first)
        self.due()
        self.run_due()
        before = self.names(self.stick)
        self.arrive(generated("ordinary", "14", "1MB", "--seed", "77").zip, "other.zip")
        self.due()
        self.run_due(status=2, quiet=False)
        self.assertEqual(self.names(self.stick), before)
        self.assertEqual([run["result"] for run in self.history()], ["done", "failed"])

    def test_success_is_recorded_only_after_the_archive_was_verified(self):
        """With a marker that others have taken away, or a drive that lies, the run stays due."""
        self.encrypted()
        self.arrive(self.first)
        self.due()
        (self.stick / ".healthvault-destination").unlink()
        self.assertIn("marker", self.run_due(status=10, quiet=False).stderr)
        self.assertTrue(self.state()["due"])
        self.assertNotIn("lastDone", self.state())


if __name__ == "__main__":
    unittest.main()
