"""FHIR resources: of every type, with the values of the source, and by the rules of R4 that need no validator."""
import collections
import json
import re
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path
from datetime import datetime, timedelta
from decimal import Decimal

from documents import END, HEAD, export_zip
from formats import fhir_document
from formats.database_rows import opened
from formats.fhir_document import LOINC, PROFILES, equal, expected_value, luhn
from formats.ucum_grammar import is_unit
from vault import BINARY, OPEN, CommandTest, generated, run

APPLE, UCUM = "http://developer.apple.com/documentation/healthkit", "http://unitsofmeasure.org"
QUANTITY = "HKQuantityTypeIdentifier"
IDENTIFIER = re.compile(r"[A-Za-z0-9\-.]{1,64}")
TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d[+-]\d\d:\d\d)?")


def resources(folder):
    """All resources in the files of bulk data, by type."""
    found = collections.defaultdict(list)
    for path in sorted((folder / "fhir").glob("*.ndjson")):
        for line in path.read_text().splitlines():
            resource = json.loads(line, parse_float=Decimal, parse_int=Decimal)
            if resource["resourceType"] != path.stem:
                raise AssertionError(f"{path.name} has a {resource['resourceType']}")
            found[path.stem].append(resource)
    return found


def is_ours(resource):
    """Whether it was made of a sample, and not by an institution."""
    return any("urn:healthvault:" in identifier.get("system", "") for identifier in resource.get("identifier", []))


def codings(value):
    """All codings, units and references below a value, with the name of their member."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield name, member
            yield from codings(member)
    elif isinstance(value, list):
        for member in value:
            yield from codings(member)


def apple_code(resource):
    return next(coding["code"] for coding in resource["code"]["coding"] if coding["system"] == APPLE)


def instants(resource):
    period = resource.get("effectivePeriod") or {"start": resource["effectiveDateTime"]}
    times = [datetime.fromisoformat(period[name]) for name in ("start", "end") if name in period]
    return times[0], times[-1]


class FHIRTest(CommandTest):
    def convert(self, source, *options, **more):
        target = self.folder / f"out{len(list(self.folder.iterdir()))}"
        result = self.vault("export", source, "-o", target, "--format", "fhir", "--json", *options, **more)
        return target, json.loads(result.stdout)["formats"][-1]["notKept"]

    def check(self, found):
        """What a reader of R4 may rely on in each resource."""
        ids = {f"{kind}/{resource['id']}" for kind, all in found.items() if kind != "OperationOutcome" for resource in all}
        self.assertEqual(len(ids), sum(len(all) for kind, all in found.items() if kind != "OperationOutcome"))
        for kind, all in found.items():
            for resource in all:
                if not is_ours(resource):
                    continue
                self.assertRegex(resource["id"], IDENTIFIER)
                for name, member in codings(resource):
                    self.assertNotIn(member, ("", [], {}), name)
                    if name == "coding":
                        for coding in member:
                            self.assertEqual(coding["code"], " ".join(coding["code"].split()))
                            if coding["system"] == "http://loinc.org" and not coding["code"].startswith("LA"):
                                self.assertTrue(luhn(coding["code"]), coding)
                    if name in ("valueQuantity", "origin") and "code" in member:
                        self.assertEqual(member["system"], UCUM)
                        self.assertTrue(is_unit(member["code"]), member["code"])
                    if name == "reference":
                        self.assertIn(member, ids)
                if kind == "Observation":
                    self.check_observation(resource)

    def check_observation(self, observation):
        self.assertEqual(observation["status"], "final")
        self.assertEqual(observation["identifier"], [{"system": "urn:healthvault:sample", "value": observation["id"]}])
        start, end = instants(observation)
        self.assertLessEqual(start, end)
        for name in ("effectiveDateTime", "issued"):
            self.assertRegex(observation.get(name, "2024-01-01"), TIME)
        self.assertTrue(observation["subject"].get("display") or observation["subject"].get("reference"))
        self.assertLessEqual(sum(name.startswith("value") for name in observation), 1)
        codes = [coding["code"] for coding in observation["code"]["coding"] if coding["system"] == "http://loinc.org"]
        for code in codes:
            if code not in PROFILES:
                continue
            profile, units = PROFILES[code]
            self.assertEqual(observation["meta"]["profile"], ["http://hl7.org/fhir/StructureDefinition/" + profile])
            self.assertEqual(observation["category"][0]["coding"][0]["code"], "vital-signs")
            parts = observation.get("component", []) if profile == "bp" else [observation]
            if profile == "bp":
                self.assertEqual([part["code"]["coding"][0]["code"] for part in parts], ["8480-6", "8462-4"])
            for part in parts:
                self.assertIn(part["valueQuantity"]["code"], units)


class AllTypes(FHIRTest):
    @classmethod
    def setUpClass(cls):
        cls.types = json.loads(run(BINARY, "types", "--json").stdout)["types"]

    def source(self):
        files = {f"clinical-records/{kind['identifier']}.json": json.dumps(
            {"resourceType": "Observation", "id": kind["identifier"], "status": "final", "code": {"text": "x"}}, indent=1)
            for kind in self.types if kind["kind"] == "clinical"}
        files["export_cda.xml"] = "<ClinicalDocument/>"
        return export_zip(self.folder / "all.zip", files, fhir_document.all_types(self.types))

    def test_each_of_213_types_has_a_resource(self):
        target, lost = self.convert(self.source(), "--subject", "anna")
        self.assertEqual((len(self.types), lost), (213, {}))
        found = resources(target)
        self.check(found)
        codes = {apple_code(resource) for resource in found["Observation"] if is_ours(resource)}
        wanted = {kind["identifier"] for kind in self.types if kind["kind"] not in ("clinical", "characteristic")}
        self.assertEqual(wanted - codes, {"HKVisionPrescriptionTypeIdentifier"})
        self.assertEqual(len(found["VisionPrescription"]), 1)
        self.assertEqual(sorted(resource["id"] for resource in found["Observation"] if not is_ours(resource)),
                         sorted(kind["identifier"] for kind in self.types if kind["kind"] == "clinical"))
        self.assertEqual(found["Patient"][0]["birthDate"], "1980-02-29")
        self.assertEqual(found["Patient"][0]["gender"], "female")
        self.assertEqual({resource["subject"]["reference"] for resource in found["Observation"] if is_ours(resource)},
                         {"Patient/anna"})
        document, = found["DocumentReference"]
        self.assertEqual((target / "fhir" / document["content"][0]["attachment"]["url"]).read_text(), "<ClinicalDocument/>")
        manifest = json.loads((target / "fhir" / "manifest.json").read_text())
        self.assertEqual({entry["type"]: entry["count"] for entry in manifest["output"]},
                         {kind: len(all) for kind, all in found.items() if kind != "OperationOutcome"})

    def test_every_code_is_that_of_the_table(self):
        found = resources(self.convert(self.source())[0])
        for observation in found["Observation"]:
            if not is_ours(observation) or not apple_code(observation).startswith(QUANTITY):
                continue
            codes = [coding["code"] for coding in observation["code"]["coding"]]
            name = codes[-1].removeprefix(QUANTITY)
            self.assertEqual(codes[:-1], LOINC.get(name, []), name)
            self.assertEqual(apple_code(observation), codes[-1])

    def test_the_zone_of_a_sample_is_the_one_that_it_names(self):
        found = resources(self.convert(self.source())[0])
        offsets = {str(instants(resource)[0].tzinfo) for resource in found["Observation"] if is_ours(resource)}
        self.assertEqual(offsets, {"UTC-08:00", "UTC-07:00", "UTC+01:00"})

    def test_bundles_are_complete(self):
        target, _ = self.convert(self.source(), "--fhir", "bundle", "--subject", "anna")
        entries = []
        for path in sorted((target / "fhir").glob("*.json")):
            bundle = json.loads(path.read_text())
            urls = [entry["fullUrl"] for entry in bundle["entry"]]
            self.assertEqual(len(urls), len(set(urls)))
            self.assertLessEqual(len(urls), 1000)
            for entry in bundle["entry"]:
                entries.append(entry["resource"])
                if bundle["type"] == "collection":
                    continue
                identifier = entry["resource"]["identifier"][0]
                self.assertEqual(entry["request"]["ifNoneExist"], f"identifier={identifier['system']}|{identifier['value']}")
                for name, member in codings(entry["resource"]):
                    if name == "reference":
                        self.assertTrue(member in urls or member == "Patient?identifier=urn:healthvault:patient|anna", member)
        other = resources(self.convert(self.source(), "--subject", "anna")[0])
        self.assertEqual({resource["id"] for resource in entries},
                         {resource["id"] for kind, all in other.items() if kind != "OperationOutcome" for resource in all})


class Values(FHIRTest):
    """Every record of a generated export against its resource, by rules written down a second time."""

    def rows(self, path):
        with zipfile.ZipFile(path) as file:
            name = next(name for name in file.namelist() if name.endswith("/export.xml"))
            text = file.read(name)
        root = ElementTree.fromstring(re.sub(rb"(?s)<!DOCTYPE.*?\]>", b"", text, count=1))
        return [child for child in root if child.tag == "Record"]

    def test_values_and_times_are_those_of_the_source(self):
        source = generated("ordinary", "14", "1MB").zip
        target, lost = self.convert(source)
        found = resources(target)
        self.check(found)
        observations = [resource for resource in found["Observation"] if is_ours(resource)]
        by_sample = collections.defaultdict(list)
        for observation in observations:
            by_sample[(apple_code(observation), *instants(observation))].append(observation)
        rows = self.rows(source)
        matched = set()
        for row in rows:
            start, end = (datetime.strptime(row.get(name), "%Y-%m-%d %H:%M:%S %z") for name in ("startDate", "endDate"))
            candidates = by_sample[(row.get("type"), start, max(start, end))]
            self.assertTrue(any(self.says(observation, row, matched) for observation in candidates), ElementTree.tostring(row))
        records = [observation for observation in observations if observation["id"] in matched]
        self.assertEqual(len(records) + lost.get("copies", 0), len(rows))

    def says(self, observation, row, matched):
        unit, text = row.get("unit"), row.get("value")
        if unit:
            quantity = observation.get("valueQuantity")
            expected = quantity and expected_value(text, unit, quantity["code"])
            if expected is None or not equal(quantity["value"], expected):
                return False
        elif "valueCodeableConcept" in observation:
            title = observation["valueCodeableConcept"]["coding"][0].get("display", "").replace(" ", "").lower()
            if title not in text.lower() and "Asleep" not in text and "Positive" not in text and "Loud" not in text:
                return False
        matched.add(observation["id"])
        return True

    def test_bundles_have_at_most_1000_entries_and_what_these_refer_to(self):
        source = generated("ordinary", "14", "1MB").zip
        target, _ = self.convert(source, "--fhir", "bundle")
        sizes, found = [], set()
        for path in sorted((target / "fhir").glob("bundle-*.json")):
            entries = json.loads(path.read_text())["entry"]
            urls = {entry["fullUrl"] for entry in entries}
            references = {member for entry in entries for name, member in codings(entry["resource"]) if name == "reference"}
            self.assertEqual((len(urls), references - urls), (len(entries), set()))
            found |= {entry["resource"]["id"] for entry in entries}
            sizes.append(len(entries))
        self.assertGreater(len(sizes), 2)
        self.assertLessEqual(max(sizes), 1000)
        self.assertGreater(min(sizes[:-1]), 997)
        lines = resources(self.convert(source)[0])
        self.assertEqual(found, {resource["id"] for all in lines.values() for resource in all if is_ours(resource)})

    def test_an_archive_gives_the_same_files(self):
        source = generated("ordinary", "14", "1MB")
        target, _ = self.convert(source.zip, "--since", "2020")
        self.vault("decrypt", source.archive, "-o", "other", "--format", "fhir,json", "--since", "2020", *OPEN)
        self.assert_same_folder(target / "fhir", self.folder / "other" / "fhir")
        self.assertTrue((self.folder / "other" / "health.json").exists())

    def test_ids_and_bytes_are_the_same_in_every_export(self):
        source = generated("ordinary", "14", "1MB").zip
        first, second = (self.convert(source, "--jobs", jobs)[0] for jobs in ("1", "2"))
        for path in (first / "fhir").iterdir():
            self.assertEqual(path.read_bytes(), (second / "fhir" / path.name).read_bytes(), path.name)

    def test_a_later_export_changes_no_id(self):
        """The offset of all times, the pointers and the order of records differ; the samples do not."""
        record = ('<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" sourceVersion="{}" device="&lt;&lt;HKDevice: '
                  '0x{:x}&gt;, name:iPhone&gt;" unit="count" creationDate="{}" startDate="{}" endDate="{}" value="{}"/>\n')

        def export(name, hours, version, pointer):
            def time(minutes):
                moment = datetime.fromisoformat("2024-01-01T10:00:00+00:00") + timedelta(minutes=minutes, hours=hours)
                return moment.strftime("%Y-%m-%d %H:%M:%S ") + f"+{hours:02}00"
            body = "".join(record.format(version, pointer + n, time(99), time(n), time(n + 1), n) for n in (range(5)))
            return export_zip(self.folder / name, text='<HealthData locale="en"><ExportDate value="2024-02-01 10:00:00 +0000"/>'
                              f"{body}</HealthData>")
        ids = [{resource["id"] for resource in resources(self.convert(path)[0])["Observation"]}
               for path in (export("a.zip", 1, "17.0", 4096), export("b.zip", 2, "17.0", 8192))]
        self.assertEqual(*ids)
        self.assertEqual(len(ids[0]), 5)

    def test_samples_that_differ_in_version_and_time_of_recording_are_copies(self):
        """In a database as well, which keeps both."""
        line = ('<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" sourceVersion="{0}" unit="count" '
                'creationDate="2024-01-0{0} 10:00:00 +0100" startDate="2024-01-01 10:00:00 +0100" '
                'endDate="2024-01-01 10:00:00 +0100" value="5"/>\n')
        source = export_zip(self.folder / "versions.zip", text=HEAD + line.format(1) + line.format(2) + END)
        target, lost = self.convert(source)
        self.assertEqual((len(resources(target)["Observation"]), lost), (1, {"copies": 1}))
        result = self.vault("export", source, "-o", "x", "--format", "fhir")
        self.assertIn("not stored in fhir: 1 copy of another sample", result.stdout.decode() + result.stderr)
        self.vault("export", source, "-o", "x.db", "--format", "sqlite")
        database = opened(self.folder / "x.db")
        self.assertEqual([row[0] for row in database.execute("SELECT is_copy FROM sample ORDER BY position")], [0, 1])

    def test_a_category_without_a_unit_is_one_although_it_has_the_attribute(self):
        line = ('<Record type="HKCategoryTypeIdentifierMindfulSession" sourceName="A" unit="{}" value="HKCategoryValueNotApplicable" '
                'startDate="2024-01-01 10:00:00 +0100" endDate="2024-01-01 10:05:00 +0100"/>\n')
        steps = ('<Record type="HKQuantityTypeIdentifierStepCount" sourceName="A" unit="" value="5" '
                 'startDate="2024-01-01 10:00:00 +0100" endDate="2024-01-01 10:05:00 +0100"/>\n')
        other = steps.replace("HKQuantityTypeIdentifierStepCount", "Unheard").replace('"5"', '"a"')
        for unit in "", "min":
            with self.subTest(unit):
                source = export_zip(self.folder / f"unit{unit}.zip", text=HEAD + line.format(unit) + steps + other + END)
                target, lost = self.convert(source)
                found = {apple_code(resource): resource for resource in resources(target)["Observation"]}
                self.assertEqual(found["HKCategoryTypeIdentifierMindfulSession"]["valueString"],
                                 "HKCategoryTypeIdentifierMindfulSession")
                self.assertEqual(found[QUANTITY + "StepCount"]["valueQuantity"]["value"], 5)
                self.assertEqual(found[QUANTITY + "StepCount"]["valueQuantity"]["code"], "{count}")
                self.assertEqual(found["Unheard"]["valueString"], "a")
                self.assertEqual(lost, {"attributes": 1} if unit else {})

    def test_a_sample_is_issued_in_the_zone_that_it_names(self):
        """Both on the day on which clocks go forward, and the day before, of a record and of a correlation."""
        times = 'creationDate="2026-03-29 {:02}:00:00 +0000" startDate="2026-03-28 23:00:00 +0000" endDate="2026-03-29 00:30:00 +0000"'
        zone = '<MetadataEntry key="HKTimeZone" value="Europe/Berlin"/>'
        text = "".join(
            f'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="A" unit="count" value="{hour}" {times.format(hour)}>{zone}'
            "</Record>\n" for hour in (0, 2))
        text += (f'<Correlation type="HKCorrelationTypeIdentifierFood" sourceName="A" {times.format(2)}>{zone}'
                 f'<Record type="HKQuantityTypeIdentifierDietaryProtein" sourceName="A" unit="g" value="8" {times.format(2)}/>'
                 "</Correlation>\n")
        source = export_zip(self.folder / "zones.zip", text=HEAD + text + END)
        found = resources(self.convert(source)[0])["Observation"]
        self.assertEqual(sorted(resource["issued"] for resource in found),
                         ["2026-03-29T01:00:00+01:00"] + 2 * ["2026-03-29T04:00:00+02:00"])
        self.assertEqual({resource["effectivePeriod"]["start"] for resource in found}, {"2026-03-29T00:00:00+01:00"})

    def test_exact_copies_are_one_resource_and_are_counted(self):
        line = ('<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" creationDate="2024-01-01 10:00:00 +0100" '
                'startDate="2024-01-01 10:00:00 +0100" endDate="2024-01-01 10:00:00 +0100" value="5"/>\n')
        source = export_zip(self.folder / "copies.zip", text='<HealthData locale="en"><ExportDate value="2024-02-01 10:00:00 +0000"/>'
                            f"{line * 3}</HealthData>")
        for options in ((), ("--batch", "1")):
            target, lost = self.convert(source, *options)
            self.assertEqual((len(resources(target)["Observation"]), lost), (1, {"copies": 2}))


class Electrocardiograms(FHIRTest):
    FILE = ("Name,X\nDate of Birth,1987\nRecorded Date,2023-03-04 20:55:0{} +0100\nClassification,{}\nSymptoms,\n"
            "Software Version,1.90\nDevice,Watch\nSample Rate,2 hertz\n\n\nLead,Lead I\nUnit,µV\n\n1\n2\n3\n")

    def source(self, *recordings):
        return export_zip(self.folder / "ecg.zip", {
            f"electrocardiograms/ecg_{number}.csv": self.FILE.format(*recording) for number, recording in enumerate(recordings)})

    def test_a_verdict_in_a_language_that_is_not_understood_has_no_code(self):
        verdicts = ("Fibrillazione atriale", "2"), ("Sinusrytm", "1"), ("Migotanie przedsionków", None), ("Unrecognized", "100")
        target, _ = self.convert(self.source(*((second, text) for second, (text, _) in enumerate(verdicts))))
        values = [resource["valueCodeableConcept"] for resource in resources(target)["Observation"]
                  if "valueCodeableConcept" in resource]
        self.assertEqual(sorted((value["text"], value.get("coding", [{"code": None}])[0]["code"]) for value in values),
                         sorted(verdicts))

    def test_a_part_has_those_of_its_types_and_time(self):
        source = self.source((1, "Sinus Rhythm"), (2, "Sinus Rhythm"))
        for options, count in ((("--types", "electrocardiogram"), 2), (("--types", "electrocardiogram,heartRate"), 2),
                               (("--types", "electrocardiogram", "--until", "2023-03-04"), 2), (("--since", "2023-03-05"), 0),
                               (("--exclude", "electrocardiogram"), 0), (("--types", "heartRate"), 0)):
            with self.subTest(options):
                target, _ = self.convert(source, *options)
                found = resources(target)["Observation"]
                self.assertEqual(sum("valueCodeableConcept" in resource for resource in found), count)
        self.vault("export", source, "-o", "none", "--format", "fhir", "--types", "electrocardiogram", "--since", "2024", status=10)
        self.vault("export", source, "-o", "none", "--format", "json", "--types", "electrocardiogram", status=10)

    def test_copies_are_one_resource_and_are_counted(self):
        source = self.source((1, "Sinus Rhythm"), (2, "Sinus Rhythm"), (1, "Sinus Rhythm"))
        for form in "ndjson", "bundle":
            target, lost = self.convert(source, "--fhir", form)
            self.assertEqual(lost, {"copies": 1})
            texts = [path.read_text() for path in (target / "fhir").iterdir()]
            self.assertEqual(sum(text.count('"valueSampledData"') for text in texts), 2)


class Extensions(FHIRTest):
    def test_the_documented_definition_is_that_of_what_is_written(self):
        page = Path(__file__).parents[3] / "Sources/Interface/HealthVault/HealthVault.docc/FHIR.md"
        definition = json.loads(page.read_text().split("```json\n")[1].split("```")[0])
        elements = {element["id"]: element for element in definition["differential"]["element"]}
        slices = {element["sliceName"]: element for element in elements.values() if "sliceName" in element}
        weather = ('<MetadataEntry key="HKWeatherCondition" value="4"/><MetadataEntry key="HKWeatherHumidity" value="6400 %"/>'
                   '<MetadataEntry key="A" value=""/>')
        text = (f'<Workout workoutActivityType="HKWorkoutActivityTypeRunning" startDate="2024-01-01 10:00:00 +0100" '
                f'endDate="2024-01-01 11:00:00 +0100">{weather}</Workout>')
        source = export_zip(self.folder / "weather.zip", text=HEAD + text + END)
        resource, = resources(self.convert(source)[0])["Observation"]
        self.assertEqual(len(resource["extension"]), 3)
        for extension in resource["extension"]:
            self.assertEqual(extension["url"], definition["url"])
            self.assertEqual(set(extension), {"extension", "url"})
            parts = [part["url"] for part in extension["extension"]]
            self.assertEqual(len(parts), len(set(parts)))
            self.assertTrue({name for name, each in slices.items() if each["min"]} <= set(parts) <= set(slices), parts)
            for part in extension["extension"]:
                kinds = {kind["code"] for kind in elements[f"Extension.extension:{part['url']}.value[x]"]["type"]}
                value, = set(part) - {"url"}
                self.assertIn(value.removeprefix("value").replace("String", "string"), kinds)


class Mappings(FHIRTest):
    STEPS = ('<HealthData locale="en"><ExportDate value="2024-02-01 10:00:00 +0000"/><Record type="HKQuantityTypeIdentifierStepCount" '
             'sourceName="Phone" unit="count" startDate="2024-01-01 10:00:00 +0100" endDate="2024-01-01 10:00:00 +0100" value="5"/>'
             "</HealthData>")

    def source(self):
        return export_zip(self.folder / "steps.zip", text=self.STEPS)

    def test_a_file_replaces_the_codes_of_a_type(self):
        mapping = self.folder / "map.json"
        mapping.write_text(json.dumps({"stepCount": {
            "codings": [{"system": "http://example.org/codes", "code": "steps", "display": "Steps"}],
            "unit": {"unit": "count", "code": "{steps}", "name": "steps"}, "categories": ["exam"],
            "profile": "http://example.org/profile"}}))
        observation, = resources(self.convert(self.source(), "--fhir-map", mapping)[0])["Observation"]
        self.assertEqual([coding["code"] for coding in observation["code"]["coding"]], ["steps", QUANTITY + "StepCount"])
        self.assertEqual(observation["valueQuantity"]["code"], "{steps}")
        self.assertEqual(observation["category"][0]["coding"][0]["code"], "exam")
        self.assertEqual(observation["meta"], {"profile": ["http://example.org/profile"]})

    def test_a_mistake_in_the_file_is_named(self):
        mapping = self.folder / "map.json"
        for text, place in [
            ("[]", "JSON object"), ("{", "JSON object"), ('{"stepz": {}}', '"stepz"'), ('{"stepCount": 1}', '"stepCount"'),
            ('{"stepCount": {"codes": []}}', '"codes"'), ('{"stepCount": {"codings": [{"system": "http://loinc.org"}]}}', "codings[0]"),
            ('{"stepCount": {"codings": [{"system": "http://loinc.org", "code": "55423-7"}]}}', "codings[0]"),
            ('{"stepCount": {"codings": [{"system": "http://loinc.org", "code": "LP203183-1"}]}}', "codings[0]"),
            ('{"stepCount": {"unit": {"unit": "kg"}}}', "unit"), ('{"stepCount": {"unit": {"unit": "count", "code": "[x"}}}', "unit"),
            ('{"stepCount": {"categories": ["sport"]}}', "categories[0]"), ('{"stepCount": {"profile": "x y"}}', "profile"),
        ]:
            with self.subTest(text):
                mapping.write_text(text)
                result = self.vault("export", self.source(), "-o", self.folder / "none", "--format", "fhir", "--fhir-map", mapping, status=2)
                self.assertIn(place, result.stderr)
                self.assertFalse((self.folder / "none").exists())

    def test_the_options_are_for_fhir(self):
        for options in (("--fhir", "bundle"), ("--subject", "x"), ("--fhir-map", "x")):
            result = self.vault("export", self.source(), "-o", self.folder / "none", "--format", "json", *options, status=2)
            self.assertIn("--format fhir", result.stderr)


if __name__ == "__main__":
    unittest.main()
