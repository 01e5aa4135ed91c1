"""The forms of every answer: the members of its JSON in their order, its CSV columns, and the titles of its text.

Programs read them, so none may change its name, its place or its meaning unnoticed.
"""
import json
import os
import unittest

from assistants.client import Client
from vault import OPEN, CommandTest, generated

CALENDAR = ["--by", "month"]
STAGES = "asleepSeconds coreSeconds deepSeconds remSeconds unspecifiedSeconds awakeSeconds inBedSeconds gapSeconds sources"
PART = "first last days daysWithData isPartial mean total"
ORIGIN = "sourceName sourceVersion device[hardware manufacturer model name software]"
METRICS = ("steps cyclingDistance walkingDistance runningDistance swimmingDistance swimmingStrokes crossCountrySkiingDistance "
           "downhillSnowSportsDistance energyActive energyResting heartbeats stairsClimbed exerciseMinutes standMinutes "
           "sleepTotal sleepDeep sleepREM timeInBed")


def shape(value):
    """The members of an object, with those of the objects in it; of a list those of the element that has the most."""
    if isinstance(value, list):
        return max(map(shape, value), key=len, default="")
    if not isinstance(value, dict):
        return ""
    return " ".join(name + (f"[{inner}]" if (inner := shape(member)) else "") for name, member in value.items())


class Forms(CommandTest):
    def setUp(self):
        super().setUp()
        self.export = generated(shape="watchAndPhone")

    def check(self, *command, json_form=None, csv=None, text=None, lines=False, source=None):
        action, *rest = command
        words = action.split()
        asked = words if source is False else [*words, source or self.export.zip]
        if json_form:
            told = self.vault(*asked, *rest, "--json").stdout
            found = [json.loads(line) for line in told.splitlines()] if lines else json.loads(told)
            self.assertEqual(shape(found), json_form)
        if csv:
            first = self.vault(*asked, *rest, "--csv").stdout.split(b"\r\n")[0]
            self.assertEqual(first.decode(), csv.replace(" ", ","))
        if text:
            self.assertEqual(" ".join(self.vault(*asked, *rest).stdout.decode().splitlines()[0].split()), text)

    def test_statistics(self):
        head = "path type unit by zone merge sources skipped warnings"
        self.check("stats", "stepCount", *CALENDAR, json_form=f"{head} intervals[startDate endDate count isPartial sum]",
                   csv="period startDate endDate unit count sum isPartial", text="month sum")
        self.check("stats", "heartRate", "--agg", "avg,min,max,latest,duration",
                   json_form=f"{head} intervals[startDate endDate count isPartial average minimum maximum mostRecent duration]",
                   csv="period startDate endDate unit count average minimum maximum mostRecent duration isPartial", text="day avg min max latest duration")

    def test_comparisons(self):
        row = f"[period[{PART}] other[{PART}] change changePercent]"
        names = "First Last Days DaysWithData Mean Total Partial".split()
        self.check("stats", "stepCount", "--since", "2023", "--until", "2024", "--compare", "previous", *CALENDAR,
                   json_form=f"path type unit value by zone merge skipped warnings whole{row} parts{row}",
                   csv=" ".join(["part", *("period" + name for name in names), *("other" + name for name in names), "change", "unit"]),
                   text="period day days compared with day days change")

    def test_sleep(self):
        self.check("sleep", json_form=f"path zone warnings nights[night startDate endDate {STAGES}]", csv=f"night startDate endDate {STAGES}",
                   text="night from to asleep core deep REM other awake in bed gap source")
        self.check("sleep", "--by", "year", json_form=f"path zone by warnings periods[startDate days {STAGES}]",
                   csv=f"year days {STAGES}", text="year days asleep core deep REM other awake in bed gap source")

    def test_electrocardiograms(self):
        facts = ("number file recordedDate classification classificationText symptoms samplingFrequency durationSeconds device softwareVersion lead "
                 "voltages")
        self.check("ecg list", json_form=f"path recordings[{facts}] warnings",
                   csv="number recordedDate classification classificationText durationSeconds samplingFrequency file",
                   text="recorded classification length file")
        self.check("ecg show", "1", json_form=f"path {facts} microvolts", csv="seconds microvolts",
                   text="file electrocardiograms/ecg_2017-09-17.csv")

    def test_samples(self):
        for name, json_form, csv, text in [
            ("stepCount", f"value unit {ORIGIN}", "value unit", "value unit"),
            ("sleepAnalysis", f"value {ORIGIN} metadata[key value]", "value unit", "value"),
            ("workout", None, "activity durationSeconds distance distanceUnit energy energyUnit attributes",
             "activity duration distance energy"),
            ("bloodPressure", None, "systolic diastolic unit", "value"),
            ("audiogram", None, "value unit points attributes content", "value"),
            ("activitySummary", "activeEnergyBurned activeEnergyBurnedGoal activeEnergyBurnedUnit appleMoveTime appleMoveTimeGoal "
             "appleExerciseTime appleExerciseTimeGoal appleStandHours appleStandHoursGoal",
             "activeEnergyBurned activeEnergyBurnedGoal activeEnergyBurnedUnit appleMoveTime appleMoveTimeGoal appleMoveMinutes "
             "appleMoveMinutesGoal appleExerciseTime appleExerciseTimeGoal appleStandHours appleStandHoursGoal attributes",
             "energy exercise stand"),
        ]:
            times = "startDate" if name == "activitySummary" else "startDate endDate"
            with self.subTest(name):
                self.check("query", name, json_form=json_form and f"id type {times} {json_form}", lines=True,
                           csv=f"id type startDate endDate {csv} sourceName sourceVersion device",
                           text=f"start {text} source" if name == "activitySummary" else f"start end {text} source")
        for name, members in ("workout", "activity durationSeconds distance distanceUnit energy energyUnit content"), (
                "bloodPressure", "systolic diastolic unit sourceName"):
            for line in self.vault("query", self.export.zip, name, "--json").stdout.splitlines():
                self.assertTrue(" ".join(json.loads(line)).startswith(f"id type startDate endDate {members}"), line)

    def test_changes(self):
        earlier = generated().zip
        lines = self.vault("changes", self.export.zip, "--since", earlier, "--json").stdout.splitlines()
        samples, last = [json.loads(line) for line in lines[:-1]], json.loads(lines[-1])
        self.assertEqual({" ".join(sample).split(" startDate ")[0] for sample in samples}, {"change id type"})
        self.assertEqual(shape(last), "added deleted anchor")
        self.check("changes", "--since", earlier, text="type added deleted")

    def test_days(self):
        head = "path type unit value zone merge skipped warnings"
        self.check("stats", "heartRate", "--agg", "median", "--of", "day", json_form=f"{head} periods[startDate median change days]",
                   csv="month median change days unit", text="month median change days")
        self.check("stats", "heartRate", "--by", "year", "--agg", "median", "--of", "day", csv="year median change days unit", text="year median change days")
        self.check("correlate", "stepCount", "heartRate", csv="day first firstUnit second secondUnit",
                   json_form="path types values zone merge warnings lag n unpaired rankCorrelation")

    def test_analytics(self):
        database = os.path.join(self.folder, "totals.db")
        self.vault("analytics", "init", self.export.zip, "--database", database)
        amount = "[value unit n days coverage sources rule]"
        for period in "day", "week", "month", "year":
            show = f"analytics show {period} --database {database}"
            told = json.loads(self.vault(*show.split(), "--json").stdout)
            self.assertEqual(" ".join(told), "path period zone warnings rows")
            for row in told["rows"]:
                self.assertEqual(" ".join(row), f"startDate endDate {METRICS} recordedAt")
                self.assertLessEqual({shape(member) for member in row.values()}, {"", amount.strip("[]")})
            self.check(show, source=False, csv=f"startDate endDate {METRICS}")
            self.check(show, "--metric", "steps", source=False, text=f"{period} steps",
                       csv="startDate endDate steps",
                       json_form=f"path period zone warnings rows[startDate endDate steps{amount} recordedAt]")
        told = json.loads(self.vault("analytics", "records", "--database", database, "--json").stdout)
        self.assertEqual(list(told)[:2], ["path", "best"])
        self.assertEqual({shape(best) for best in told["best"].values()}, {"date value unit"})

    def test_types(self):
        told = json.loads(self.vault("types", "--json").stdout)
        self.assertEqual(shape(told["types"][0]), "identifier name title kind groups unit metricUnit usUnit ukUnit aggregation loinc")
        self.check("types", source=False, text="name title groups unit aggregation LOINC identifier")

    def test_answers_to_assistants(self):
        rows = "rows shown total truncated"
        with Client(self.export.archive, *OPEN, cwd=self.folder) as client:
            for name, arguments, facts, columns in [
                ("overview", {}, "firstDay lastDay exportAgeDays types samples sources singleSamples places", "group types samples"),
                ("list_types", {}, "", "type title kind unit n first last"),
                ("statistics", {"types": ["stepCount"], "by": "month"},
                 "from before by overall[type unit n daysWithData days sum sources]", "type start n coverage partial sum"),
                ("statistics", {"types": ["heartRate"], "by": "day", "from": "2021", "to": "2021-02"},
                 "from before by overall[type unit n daysWithData days avg min max sources]", "type start n partial avg min max"),
                ("summary", {"by": "month"}, "from before by methods",
                 "start steps walkingRunningKm activeKcal exerciseMinutes restingHeartRate heartRate hrvMs bodyMassKg sleepMinutes "
                 "nights"),
                ("compare", {"types": ["stepCount"], "a_from": "2021", "a_to": "2021", "b_from": "2024", "b_to": "2024"},
                 "note a[from before days] b[from before days]",
                 "type unit aDays aN aMean aMedian bDays bN bMean bMedian difference percent withheld"),
                ("sleep", {}, "from before order note overall[nights daysWithData days meanAsleep meanCore meanDeep meanRem "
                 "meanUnspecified meanAwake meanInBed]", "night start end asleep core deep rem unspecified awake inBed sources"),
                ("workouts", {}, "from before order overall[activity n minutes km kcal]", "id start activity minutes km kcal source"),
                ("ecg", {}, None, "number recorded classification seconds hertz"),
                ("ecg", {"number": 1}, "recorded classification voltages step hertz note", "microvolts"),
                ("samples", {"type": "bodyMass", "limit": 3}, "from before type order overall[n mean min max]",
                 "start end value unit source"),
                ("quality", {"type": "stepCount"},
                 "from before rawSum mergedSum n enteredByHand daysWithData days longestGapDays", "source n firstDay lastDay hours"),
            ]:
                with self.subTest(name, **arguments):
                    answer = client.call(name, **arguments)
                    self.assertEqual(" ".join(answer["columns"]), columns)
                    members = shape({name: member for name, member in answer.items() if name not in ("columns", "archive")})
                    if facts is not None:
                        members = members.removesuffix(" nextCursor")
                        self.assertEqual(members, f"{facts} {rows}".strip())


if __name__ == "__main__":
    unittest.main()
