"""Lines of CSV files, made of the reference document by the rules of the format."""
import csv
import hashlib
import io
import re

from formats.flat_rows import apple, is_measurement, is_number, is_time, iso, nested, parsed

TIMES = ["startDate", "endDate", "creationDate"]
ORIGIN = ["sourceName", "sourceVersion", "device"]
COLUMNS = {
    "Workout": ["workoutActivityType", *TIMES, "duration", "durationUnit", "totalDistance", "totalDistanceUnit",
                "totalEnergyBurned", "totalEnergyBurnedUnit", "totalFlightsClimbed", "totalFlightsClimbedUnit",
                "totalSwimmingStrokeCount", "totalSwimmingStrokeCountUnit", *ORIGIN],
    "ActivitySummary": ["dateComponents", "activeEnergyBurned", "activeEnergyBurnedGoal", "activeEnergyBurnedUnit",
                        "appleMoveTime", "appleMoveTimeGoal", "appleExerciseTime", "appleExerciseTimeGoal",
                        "appleStandHours", "appleStandHoursGoal"],
    "ClinicalRecord": ["type", "identifier", "sourceName", "sourceURL", "fhirVersion", "receivedDate", "resourceFilePath"],
    "Correlation": ["type", *TIMES, *ORIGIN],
    "VisionPrescription": ["type", "dateIssued", "expirationDate", "brand"],
    "HealthData": ["locale"],
    "ExportDate": ["value"],
    "Me": ["HKCharacteristicTypeIdentifier" + name for name in (
        "DateOfBirth", "BiologicalSex", "BloodType", "FitzpatrickSkinType", "CardioFitnessMedicationsUse")],
}
ANY = ["type", *TIMES, "value", "unit", *ORIGIN]
# Bytes that are not UTF-8, as Python decodes them.
LONE = re.compile("[\udc80-\udcff]")
csv.field_size_limit(1 << 30)
# Where a spreadsheet may start a cell, and what it would take for a formula there.
MARKED = re.compile("(?:\\A|(?<=[;\t\r\n]))(?=[=+@\t\r'-])")
MARK = re.compile("(?:\\A|(?<=[;\t\r\n]))'")


def columns(element):
    return COLUMNS.get(element, ANY)


def derived(element):
    """The names of the columns at the end, whose values are in the content as well."""
    if element.name == "Workout":
        return ["distance", "distanceUnit", "energy", "energyUnit"]
    if element.name == "Correlation":
        is_pressure = element.get("type") == "HKCorrelationTypeIdentifierBloodPressure"
        return ["systolic", "diastolic", "unit"] if is_pressure else ["members"]
    return ["points"] if element.name == "Audiogram" else []


def cell(name, text, element):
    """A number or a time as it is; a text with a mark where it would be a formula, or starts with the mark itself."""
    if is_time(name, element) and iso(text):
        return iso(text)
    if is_measurement(name, element) and is_number(text):
        return text
    text = LONE.sub("\ufffd", text)
    return MARKED.sub("'", text)


def text_of(found):
    """The text of a cell without its marks."""
    return MARK.sub("", found)


def metadata(entries):
    """The object for metadata; None if an entry has anything but a key and a value."""
    keys = {}
    for entry in entries:
        if sorted(name for name, _ in entry) != ["key", "value"] or any(not isinstance(part, str) for _, part in entry):
            return None
        members = dict(entry)
        keys.setdefault(members["key"], []).append(members["value"])
    return tuple((key, values[0] if len(values) == 1 else values) for key, values in keys.items())


def is_entry(child):
    """Whether a child in a list is an entry of metadata with a key and a value."""
    return (child[0] == ("element", "MetadataEntry") and sorted(name for name, _ in child[1:]) == ["key", "value"]
            and all(isinstance(part, str) for _, part in child[1:]))


def line(element):
    """The cells of an element; those that are JSON are parsed."""
    names, taken, rest = columns(element.name), {}, []
    for name, text in element.attributes:
        if name in names and name not in taken:
            taken[name] = text
        else:
            rest.append([name, text])
    if any(is_time(name, element.name) and apple(text) or LONE.search(text) for name, text in taken.items()):
        rest = [list(pair) for pair in element.attributes]
    members = dict(nested(element.children))
    object = metadata(members["metadata"]) if isinstance(members.get("metadata"), list) else None
    if object is not None:
        del members["metadata"]
    if "children" in members:
        # Entries that lie among other elements have their column as well.
        entries = [child[1:] for child in members["children"] if is_entry(child)]
        object = metadata(entries)
        members["children"] = [child for child in members["children"] if not is_entry(child)]
        if not members["children"]:
            del members["children"]
    other = ([("attributes", rest)] if rest else []) + list(members.items())
    cells = [cell(name, taken[name], element.name) if name in taken else "" for name in names]
    return [*cells, object or "", tuple(other) or ""]


def lines(text):
    """The header and the rows of a file."""
    assert text.startswith(b"\xef\xbb\xbf"), "no byte order mark"
    header, *rows = csv.reader(io.StringIO(text[3:].decode(), newline=""), strict=True)
    for row in rows:
        assert len(row) == len(header), row
        for place in header.index("metadata"), header.index("other"):
            row[place] = parsed(text_of(row[place])) if row[place] else ""
    return header, rows


def written(rows):
    """Rows as RFC 4180 asks for, with quotes only where they are needed."""
    def quoted(found):
        return '"' + found.replace('"', '""') + '"' if any(mark in found for mark in ',"\r\n') else found

    return "".join(",".join(map(quoted, row)) + "\r\n" for row in rows).encode()


def names(element):
    """The names that the file for an element may have: with a digest if the type is none of those known."""
    def both(name, mark=""):
        letters = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in name[:80])
        return [f"{letters}-{hashlib.sha256((mark + name).encode()).hexdigest()[:8]}", name]

    kind = element.get("type", "")
    if element.name == "Record":
        return both(kind)
    return [f"{one}-{other}" if kind else one for one in both(element.name, "<") for other in both(kind)]
