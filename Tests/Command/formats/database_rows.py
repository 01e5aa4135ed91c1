"""Elements put together again from the tables of a database, and elements of the reference document in the same form.

What a database does not keep is left out on both sides: the order of attributes and of unlike elements, device pointers, and
the element that only encloses heartbeats, and a start that is another date as well.
"""
import re
import sqlite3
from decimal import Decimal

from formats.csv_rows import LONE
from formats.flat_rows import apple, element, parsed
from formats.reference_document import Element

WRAPPER = "HeartRateVariabilityMetadataList"
# For each table of nested elements: their name, or None where a column has it.
NESTED = {"workout_activity": "WorkoutActivity", "workout_event": "WorkoutEvent", "workout_statistics": "WorkoutStatistics",
          "workout_route": "WorkoutRoute", "heartbeat": "InstantaneousBeatsPerMinute", "correlation_member": "Record",
          "sensitivity_point": "SensitivityPoint", "prescription_eye": None, "attachment": "Attachment"}
SAMPLES = {"workout": "Workout", "activity_summary": "ActivitySummary", "clinical_record": "ClinicalRecord",
           "vision_prescription": "VisionPrescription"}
OWN = {"id", "sample_id", "activity_id", "number", "element", "metadata_id", "other", "file_path"}


def opened(path):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    return database


def shortest(number):
    """The shortest decimal that gives the number, without an exponent."""
    text = format(Decimal(repr(number)), "f")
    return text.removesuffix(".0")


def normal(found):
    """An element without what a database does not keep."""
    entries, others = [], []
    for child in children(found):
        if isinstance(child, str):
            others.append(child)
        elif child.name == "MetadataEntry" and not child.children and {"key", "value"} == {
                name for name, _ in child.attributes} and len(child.attributes) == 2:
            entries.append((child.get("key"), child.get("value")))
        else:
            others.append(normal(child))
    # The start of a sample is its first date, whatever its name.
    dates = [text for name, text in found.attributes if name in ("dateIssued", "receivedDate")]
    attributes = sorted((name, described(text) if name == "device" else text) for name, text in found.attributes
                        if name != "startDate" or text not in dates)
    return found.name, attributes, entries, sorted(others, key=repr)


def children(found):
    for child in found.children:
        if isinstance(child, Element) and child.name == WRAPPER and not child.attributes:
            yield from children(child)
        else:
            yield child


def described(device):
    """A device's description without its pointer."""
    if re.match("<<HKDevice: 0x[0-9a-fA-F]+>", device):
        device = "<<HKDevice: " + device[device.index(">"):]
    return device


def lasting(found):
    """A normal element without what another export of the same sample may say otherwise."""
    if isinstance(found, str):
        return found
    name, attributes, entries, others = found
    kept = [(key, re.sub(", creation date:[^,>]*", "", text, count=1) if key == "device" else text)
            for key, text in attributes if key not in ("creationDate", "sourceVersion")]
    return name, kept, entries, [lasting(other) for other in others]


# Attributes whose words are not told by their capitals alone.
SPECIAL = {name.lower(): name for name in ("farPD", "farPDUnit", "nearPD", "nearPDUnit", "sourceURL")}


def attribute_name(column):
    """The attribute of a column: `left_ear_unit` is `leftEarUnit`."""
    return SPECIAL.get(column.replace("_", "")) or re.sub("_([a-z])", lambda part: part[1].upper(), column)


class Tables:
    """The tables of a database, each row a dictionary."""

    def __init__(self, path):
        self.database = opened(path)
        self.metadata = {}
        for set_id, key, value in self.rows("SELECT set_id, key, value FROM metadata ORDER BY set_id, number"):
            self.metadata.setdefault(set_id, []).append(Element("MetadataEntry", [("key", key), ("value", value)], []))
        self.inside, self.own = {}, {}
        for table in NESTED:
            for row in self.rows(f"SELECT * FROM {table} ORDER BY sample_id, number, id"):
                parent = row["activity_id"] if "activity_id" in row.keys() else None
                self.inside.setdefault((row["sample_id"], parent), []).append((table, row))
        for table in SAMPLES:
            for row in self.rows(f"SELECT * FROM {table}"):
                self.own[row["sample_id"]] = row

    def rows(self, query, *values):
        return self.database.execute(query, values)

    def samples(self):
        """All samples by their positions, in the form of `normal`."""
        for row in self.rows("SELECT sample.*, all_samples.*, attribute FROM sample JOIN all_samples USING (id) "
                             "JOIN type ON type.id = type_id ORDER BY position"):
            yield row["position"], normal(self.sample(row))

    def sample(self, row):
        own = self.columns(self.own.get(row["id"], {}))
        names = {"attribute": "type", "start_date": "startDate", "end_date": "endDate", "creation_date": "creationDate",
                 "unit": "unit", "source_name": "sourceName", "source_version": "sourceVersion", "device": "device"}
        found = {name: row[column] for column, name in names.items() if row[column] is not None}
        if not found["type"]:
            del found["type"]
        for name in "startDate", "endDate", "creationDate":
            if name in found:
                found[name] = apple(found[name])
        if row["value_text"] is not None:
            found["value"] = row["value_text"]
        elif row["value"] is not None:
            found["value"] = shortest(row["value"])
        nested = self.nested(row["id"], None)
        return self.element(row["element"], found | own, row, nested)

    def columns(self, row):
        """The attributes in the columns of an element's table."""
        found = {}
        for column in row.keys():
            if column not in OWN and row[column] is not None:
                text = shortest(row[column]) if isinstance(row[column], float) else row[column]
                found[attribute_name(column)] = text
        return {name: apple(text) or text if iso_column(name) else text for name, text in found.items()}

    def nested(self, sample, parent):
        for table, row in self.inside.get((sample, parent), []):
            inner = self.nested(sample, row["id"]) if table == "workout_activity" else ()
            if table == "workout_route" and row["file_path"] is not None:
                inner = [Element("FileReference", [("path", row["file_path"])], [])]
            yield self.element(NESTED[table] or row["element"], self.columns(row), row, inner)

    def element(self, name, attributes, row, nested):
        other = element(name, parsed(row["other"])) if row["other"] else Element(name, [], [])
        entries = self.metadata.get(row["metadata_id"], [])
        # What is listed is the exact text of a column, or an attribute that has none, or a further one of the same name.
        kept = [(key, text) for key, text in attributes.items()
                if not any(key == other_key and is_same(text, exact) for other_key, exact in other.attributes)]
        return Element(name, [*kept, *other.attributes], [*entries, *nested, *other.children])


def is_same(text, exact):
    """Whether a column holds what of an exact text it can hold."""
    if text in (LONE.sub("\ufffd", described(exact)), described(exact), LONE.sub("\ufffd", exact), apple(exact)):
        return True
    try:
        return float(text) == float(exact)
    except ValueError:
        return False


def iso_column(name):
    return name.endswith("Date") or name in ("date", "dateIssued")


def about(document):
    """The rows about the export and the person."""
    for _, row in document.everything:
        if row.name in ("HealthData", "ExportDate", "Me"):
            yield from ((row.name, name, text) for name, text in row.attributes)
