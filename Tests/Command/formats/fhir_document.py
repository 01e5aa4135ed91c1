"""An export with samples of all known types, and what their resources must say, by tables that are not the program's."""
import re
from decimal import Decimal

TIME = "2024-{}-{:02} {:02}:{} +0100"
DEVICE = "&lt;&lt;HKDevice: 0x{:x}&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:10.1&gt;"
# The LOINC codes of types: facts of HealthKitOnFHIR, without those that its reviewers found wrong.
LOINC = {
    "ActiveEnergyBurned": ["41981-2"], "BloodGlucose": ["41653-7"], "BloodPressureDiastolic": ["8462-4"],
    "BloodPressureSystolic": ["8480-6"], "BodyFatPercentage": ["41982-0"], "BodyMass": ["29463-7"],
    "BodyMassIndex": ["39156-5"], "BodyTemperature": ["8310-5"], "DietaryEnergyConsumed": ["9052-2"],
    "DistanceSwimming": ["93816-7"], "FlightsClimbed": ["100304-5"], "ForcedExpiratoryVolume1": ["20150-9"],
    "ForcedVitalCapacity": ["19870-5"], "HeartRate": ["8867-4"], "HeartRateVariabilitySDNN": ["80404-7"],
    "Height": ["8302-2"], "LeanBodyMass": ["91557-9"], "OxygenSaturation": ["2708-6", "59408-5"],
    "PeakExpiratoryFlowRate": ["19935-6"], "PeripheralPerfusionIndex": ["61006-3"], "PushCount": ["96502-0"],
    "RespiratoryRate": ["9279-1"], "RestingHeartRate": ["40443-4"], "StepCount": ["55423-8"],
    "WaistCircumference": ["8280-0"],
}
# The profiles of FHIR R4 and the units that they allow (http://hl7.org/fhir/R4/observation-vitalsigns.html).
PROFILES = {
    "8867-4": ("heartrate", {"/min"}), "9279-1": ("resprate", {"/min"}), "2708-6": ("oxygensat", {"%"}),
    "8310-5": ("bodytemp", {"Cel", "[degF]"}), "8302-2": ("bodyheight", {"cm", "[in_i]"}),
    "29463-7": ("bodyweight", {"g", "kg", "[lb_av]"}), "39156-5": ("bmi", {"kg/m2"}), "85354-9": ("bp", {"mm[Hg]"}),
}
# Multiples of the first unit that a value in the second one is; the degrees have an offset as well.
FACTORS = {
    ("kg", "lb"): "0.45359237", ("kg", "st"): "6.35029318", ("kg", "g"): "0.001", ("cm", "ft"): "30.48", ("cm", "in"): "2.54",
    ("cm", "m"): "100", ("m", "km"): "1000", ("m", "mi"): "1609.344", ("m", "yd"): "0.9144", ("m", "cm"): "0.01", ("m", "ft"): "0.3048",
    ("kcal", "Cal"): "1", ("kcal", "kJ"): "0.2390057361376673", ("/min", "count/s"): "60", ("ug", "mcg"): "1", ("ug", "g"): "1000000",
    ("ug", "mg"): "1000", ("mg", "g"): "1000", ("mg", "mcg"): "0.001", ("l", "mL"): "0.001", ("L", "mL"): "0.001",
    ("L", "fl_oz_us"): "0.0295735295625", ("km/h", "m/s"): "3.6", ("km/h", "mi/hr"): "1.609344", ("m/s", "km/hr"): "0.277777777777778",
    ("m/s", "mi/hr"): "0.44704", ("mg/dL", "mmol<180.1558800000541>/L"): "18.01558800000541", ("min", "s"): "0.0166666666666667",
    ("min", "hr"): "60", ("S", "mcS"): "0.000001", ("ms", "s"): "1000",
}


def expected_value(text, unit, code):
    """What a number in a unit of the export is in the unit with a UCUM code; None for a pair of units without a rule."""
    value = Decimal(text)
    if code == "%":
        return value * 100 if unit == "%" else None
    if (code, unit) == ("Cel", "degF"):
        return (value - 32) * 5 / 9
    if (code, unit) in FACTORS:
        return value * Decimal(FACTORS[code, unit])
    same = {"count/min": "/min", "degC": "Cel", "mmHg": "mm[Hg]", "IU": "[iU]", "count": "{count}", "dBASPL": "dB[SPL]",
            "dBHL": "dB{HL}", "appleEffortScore": "{score}", "mL/min·kg": "mL/(kg.min)", "kcal/hr·kg": "kcal/(h.kg)",
            "km/hr": "km/h", "mcS": "uS"}.get(unit, unit)
    if unit == "count" and code == "kg/m2":
        return value
    return value if same == code else None


def equal(found, expected):
    """Whether a number is another one but for the twelfth digit."""
    return abs(Decimal(found) - expected) <= abs(expected) * Decimal("2e-11") + Decimal("1e-18")


def value_in(unit):
    return {"%": "0.97", "count/min": "61", "degC": "36.6", "kg": "71.35", "count": "12"}.get(unit, "1.25")


def all_types(types):
    """A document with a sample of each type that `types --json` lists."""
    lines, number = [], 0
    for kind in types:
        number += 1
        # In both halves of the year; the export has the offset of the day on which it was made.
        start, end = (TIME.format("0307"[number % 2 * 2:][:2], 1 + number // 24, number % 24, rest) for rest in ("00:00", "30:00"))
        common = (f'sourceName="Watch" sourceVersion="10.1" device="{DEVICE.format(number)}" creationDate="{end}" '
                  f'startDate="{start}" endDate="{end}"')
        name = kind["identifier"]
        metadata = '<MetadataEntry key="HKTimeZone" value="America/Los_Angeles"/>' if number % 7 == 0 else ""
        if kind["kind"] == "quantity":
            unit = kind.get("metricUnit") or kind["unit"]
            lines.append(f'<Record type="{name}" {common} unit="{unit}" value="{value_in(unit)}">{metadata}</Record>')
        elif kind["kind"] == "category":
            for value in kind["values"]:
                lines.append(f'<Record type="{name}" {common} value="{value}">{metadata}</Record>')
        elif kind["kind"] == "correlation":
            members = "".join(f'<Record type="{member}" {common} unit="{unit}" value="80"/>' for member, unit in (
                [("HKQuantityTypeIdentifierBloodPressureSystolic", "mmHg"), ("HKQuantityTypeIdentifierBloodPressureDiastolic", "mmHg")]
                if "Pressure" in name else [("HKQuantityTypeIdentifierDietaryProtein", "g")]))
            lines.append(f'<Correlation type="{name}" {common}>{members}</Correlation>')
        elif kind["kind"] == "clinical":
            lines.append(f'<ClinicalRecord type="Observation" identifier="{number}" sourceName="Clinic" sourceURL="https://x.example" '
                         f'fhirVersion="4.0.1" receivedDate="{start}" resourceFilePath="/clinical-records/{name}.json"/>')
        elif kind["kind"] != "characteristic":
            lines.append(special(name, common, start, metadata))
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_GB">\n<ExportDate value="2024-05-01 10:00:00 +0200"/>\n'
            '<Me HKCharacteristicTypeIdentifierDateOfBirth="1980-02-29" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale" '
            'HKCharacteristicTypeIdentifierBloodType="HKBloodTypeABPositive" HKCharacteristicTypeIdentifierFitzpatrickSkinType="" '
            'HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse="None"/>\n' + "\n".join(lines) + "\n</HealthData>\n")


def special(name, common, start, metadata):
    statistics = ('<WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" startDate="{0}" endDate="{0}" average="121.5" minimum="80" '
                  'maximum="160" unit="count/min"/><WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" startDate="{0}" '
                  'endDate="{0}" sum="250" unit="Cal"/>').format(start)
    if name == "HKWorkoutTypeIdentifier":
        return (f'<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" {common}>'
                f'{metadata}{statistics}</Workout>')
    if name == "HKDataTypeIdentifierAudiogram":
        return (f'<Audiogram type="{name}" {common}><SensitivityPoint frequencyValue="1000" frequencyUnit="Hz" leftEarValue="10.5" '
                'leftEarUnit="dBHL" rightEarValue="-5" rightEarUnit="dBHL"/></Audiogram>')
    if name == "HKVisionPrescriptionTypeIdentifier":
        return (f'<VisionPrescription type="{name}" dateIssued="{start}" brand="None"><RightEye sphere="-1.25" sphereUnit="D" '
                'axis="104" axisUnit="deg"/></VisionPrescription>')
    if name == "HKDataTypeStateOfMind":
        entries = [("Kind", "2"), ("ValenceClassification", "5"), ("Label", "1"), ("Association", "3")]
        return f'<Record type="{name}" {common} value="0.27">' + "".join(
            f'<MetadataEntry key="HKStateOfMind{key}" value="{value}"/>' for key, value in entries) + "</Record>"
    if "ScoredAssessment" in name:
        answers = "2;3;0;1;1;0;2" if "GAD7" in name else "2;3;0;1;1;0;2;3;1"
        return f'<Record type="{name}" {common} value="{answers}"/>'
    return f'<Record type="{name}" {common} value="1"/>'


def luhn(code):
    """Whether the check digit of a LOINC code is right."""
    if not re.fullmatch("[0-9]{1,7}-[0-9]", code):
        return False
    digits, check = code.split("-")
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (2 if place % 2 == 0 else 1)
        total += doubled // 10 + doubled % 10
    return (10 - total % 10) % 10 == int(check)
