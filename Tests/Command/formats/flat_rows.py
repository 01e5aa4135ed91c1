"""Rows as flat JSON objects, made of the reference document by the rules of the format, and read back.

An object is a tuple of its members here, in their order, and a number is its spelling: nothing that JSON can tell apart is
equal.
"""
import datetime
import json
import re
from typing import NamedTuple

from formats.reference_document import Element

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
APPLE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2}) ([0-9]{2}:[0-9]{2}:[0-9]{2}) ([+-])([0-9]{2})([0-9]{2})")
ISO = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9:]{8})([+-][0-9]{2}):([0-9]{2})")
TIMES = {"startDate", "endDate", "creationDate", "date", "receivedDate", "dateIssued", "expirationDate"}
MEASUREMENTS = set("""
    value duration totalDistance totalEnergyBurned totalSwimmingStrokeCount totalFlightsClimbed average minimum maximum sum
    bpm activeEnergyBurned activeEnergyBurnedGoal appleMoveTime appleMoveTimeGoal appleMoveMinutes appleMoveMinutesGoal
    appleExerciseTime appleExerciseTimeGoal appleStandHours appleStandHoursGoal frequencyValue leftEarValue rightEarValue
    leftEarClampingRangeLowerBound leftEarClampingRangeUpperBound rightEarClampingRangeLowerBound
    rightEarClampingRangeUpperBound sphere cylinder axis add vertex prismAmount prismAngle farPD nearPD baseCurve diameter
    latitude longitude altitude horizontalAccuracy verticalAccuracy course speed""".split())
UNITS = {"appleMoveTime": "min", "appleExerciseTime": "min", "appleStandHours": "hr"}


class Number(NamedTuple):
    """A number, by its spelling."""

    text: str


def members(pairs):
    names = [name for name, _ in pairs]
    assert len(set(names)) == len(names), "a name occurs twice in an object"
    return tuple(pairs)


def parsed(text):
    return json.loads(text, object_pairs_hook=members, parse_int=Number, parse_float=Number, parse_constant=Number)


def is_measurement(name, element):
    return name in MEASUREMENTS and element != "MetadataEntry"


def is_time(name, element):
    return name in TIMES and element != "MetadataEntry"


def is_number(text):
    return NUMBER.fullmatch(text) is not None


def iso(text):
    """A time in Apple's form in that of RFC 3339; None for anything else."""
    parts = APPLE.fullmatch(text)
    if not parts:
        return None
    year, month, day, time, sign, hours, minutes = parts.groups()
    try:
        datetime.datetime.fromisoformat(f"{year}-{month}-{day}T{time}")
    except ValueError:
        return None
    if int(hours) > 23 or int(minutes) > 59 or (sign == "-" and hours + minutes == "0000"):
        return None
    return f"{year}-{month}-{day}T{time}{sign}{hours}:{minutes}"


def apple(text):
    """A time in the form of RFC 3339 in Apple's; None for anything else."""
    parts = ISO.fullmatch(text)
    written = parts and f"{parts[1]} {parts[2]} {parts[3]}{parts[4]}"
    return written if written and iso(written) == text else None


def is_group(name):
    """Whether an element of this name can be a member of an object: no attribute of HealthKit starts with a capital."""
    return "A" <= name[0] <= "Z" and not name.startswith("HKCharacteristic")


def is_reserved(name):
    return name in ("element", "position", "metadata", "children", "attributes") or is_group(name)


def value(name, text, element):
    if is_time(name, element):
        return iso(text) or text
    return Number(text) if is_measurement(name, element) and is_number(text) else text


def attributes(element):
    """The members for attributes: after a list of all, if the members alone could not tell what they were."""
    names = [name for name, _ in element.attributes]
    is_odd = (len(set(names)) < len(names) or any(map(is_reserved, names))
              or any(is_time(name, element.name) and apple(text) for name, text in element.attributes))
    if is_odd:
        yield "attributes", [[name, text] for name, text in element.attributes]
    seen = set()
    for name, text in element.attributes:
        if name not in seen and not is_reserved(name):
            yield name, value(name, text, element.name)
        seen.add(name)


def nested(children):
    """The members for what is nested: an array for each name, or one for all if the order would get lost."""
    runs = []
    for child in children:
        if isinstance(child, str) or not is_group(child.name):
            runs = None
            break
        if not runs or runs[-1][0] != child.name:
            runs.append((child.name, []))
        runs[-1][1].append(child)
    if runs is None or len({name for name, _ in runs}) < len(runs):
        yield "children", [(("text", child),) if isinstance(child, str) else
                           (("element", child.name), *attributes(child), *nested(child.children)) for child in children]
        return
    for name, elements in runs:
        yield "metadata" if name == "MetadataEntry" else name, [
            (*attributes(element), *nested(element.children)) for element in elements]


def row(element):
    """The object for a child of the root, as a JSON document has it."""
    names = {name for name, _ in element.attributes}
    units = [(name + "Unit", unit) for name, unit in UNITS.items()
             if element.name == "ActivitySummary" and name in names and name + "Unit" not in names]
    return (("element", element.name), *attributes(element), *units, *nested(element.children))


def element(name, members):
    """The element that an object was made of."""
    found, exact, children = [], None, []
    for key, content in members:
        if key == "attributes" and isinstance(content, list):
            exact = [tuple(pair) for pair in content]
        elif key == "children" and isinstance(content, list):
            children += [listed(child) for child in content]
        elif isinstance(content, list):
            inner = "MetadataEntry" if key == "metadata" else key
            children += [element(inner, child) for child in content]
        elif key != "element":
            text = content.text if isinstance(content, Number) else content
            found.append((key, is_time(key, name) and apple(text) or text))
    return Element(name, found if exact is None else exact, children)


def listed(members):
    names = dict(members)
    return element(names["element"], members) if "element" in names else names["text"]
