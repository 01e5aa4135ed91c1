#!/usr/bin/env python3
"""Validates what healthvault writes as FHIR with two validators and a grammar of UCUM that are not ours.

    validate.py HEALTHVAULT HEALTHVAULT-GENERATE

Three exports are converted to bulk data and to Bundles: one with samples of all known types, a generated one, and one with a type
that nobody knows. Each resource is parsed by `fhir.resources` (R4B) and by `fhirkit-rs` (R4). Both must refuse resources that
were broken on purpose, so that their silence means something. Clinical records are what institutions wrote, and not checked.
"""
import collections
import copy
import json
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

import fhirkit
from fhir.resources.R4B import get_fhir_model_class
from lark.exceptions import LarkError
from ucumvert import get_ucum_parser

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Command"))
from formats import fhir_document  # noqa: E402  (found by the line above)

PROGRAMS = sys.argv[1:3]
UNKNOWN = ('<HealthData locale="en"><ExportDate value="2024-02-01 10:00:00 +0000"/><Record type="HKQuantityTypeIdentifierOfTheFuture" '
           'sourceName="A B" unit="kg/m^2" startDate="2024-01-01 10:00:00 +0100" endDate="2024-01-01 10:00:01 +0100" value="5"/>'
           '<Record type="Some thing" sourceName="\u00a0" startDate="2024-01-01 10:00:00 +0100" endDate="2024-01-01 10:00:00 +0100" '
           'value=" "/></HealthData>')


def write_zip(path, text, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in ({"export.xml": text} | files).items():
            file.writestr("apple_health_export/" + name, content)
    return path


def problems(resource):
    """What the two validators say against a resource, by validator."""
    found = {}
    try:
        get_fhir_model_class(resource["resourceType"]).model_validate(resource)
    except ValueError as error:
        found["fhir.resources"] = str(error)
    issues = [issue for issue in fhirkit.validate(json.dumps(resource)) if issue.severity == "error"]
    if issues:
        found["fhirkit"] = "; ".join(f"{issue.path}: {issue.message}" for issue in issues)
    return found


def units(value):
    if isinstance(value, dict):
        if value.get("system") == "http://unitsofmeasure.org":
            yield value["code"]
        for member in value.values():
            yield from units(member)
    elif isinstance(value, list):
        for member in value:
            yield from units(member)


class Validation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        types = json.loads(subprocess.run([PROGRAMS[0], "types", "--json"], check=True, capture_output=True).stdout)["types"]
        subprocess.run([PROGRAMS[1], "-o", cls.folder / "generated.zip", "--size", "3MB"], check=True)
        cls.sources = {
            "all": write_zip(cls.folder / "all.zip", fhir_document.all_types(types), {"export_cda.xml": "<ClinicalDocument/>"}),
            "generated": cls.folder / "generated.zip",
            "unknown": write_zip(cls.folder / "unknown.zip", UNKNOWN, {}),
        }

    def convert(self, name, *options):
        target = self.folder / "-".join((name, *options)).replace("--", "")
        if not target.exists():
            subprocess.run([PROGRAMS[0], "export", self.sources[name], "-o", target, "--format", "fhir", "--quiet",
                            "--subject", "anna", *options], check=True)
        return target / "fhir"

    def resources(self, name):
        for path in sorted(self.convert(name).glob("*.ndjson")):
            for line in path.read_text().splitlines():
                resource = json.loads(line)
                if path.stem == "OperationOutcome" or "urn:healthvault" in str(resource.get("identifier")):
                    yield resource

    def test_both_validators_accept_every_resource(self):
        for name in self.sources:
            with self.subTest(name):
                found, count = collections.Counter(), 0
                for resource in self.resources(name):
                    count += 1
                    for validator, text in problems(resource).items():
                        found[validator, text[:300], resource["resourceType"]] += 1
                self.assertEqual(found, {})
                self.assertGreater(count, 1)

    def test_both_validators_accept_every_bundle(self):
        for name in self.sources:
            for path in sorted(self.convert(name, "--fhir", "bundle").glob("bundle-*.json")):
                self.assertEqual(problems(json.loads(path.read_text())), {}, path)

    def test_every_unit_is_ucum(self):
        grammar = get_ucum_parser()
        for code in sorted({code for name in self.sources for resource in self.resources(name) for code in units(resource)}):
            with self.subTest(code):
                try:
                    grammar.parse(code)
                except LarkError as error:
                    self.fail(f"{code}: {error}")

    def test_both_validators_refuse_broken_resources(self):
        observation = next(resource for resource in self.resources("all") if "valueQuantity" in resource)

        def broken(change):
            other = copy.deepcopy(observation)
            change(other)
            return problems(other)
        for name, change in [
            ("no status", lambda other: other.pop("status")), ("no code", lambda other: other.pop("code")),
            ("a time without an offset", lambda other: other.update(issued="2024-01-01T10:00:00")),
            ("a member that R4 does not have", lambda other: other.update(values=1)),
        ]:
            with self.subTest(name):
                self.assertEqual(set(broken(change)), {"fhir.resources", "fhirkit"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
