"""What a JSON document holds of the samples of a reference document, in its sections and their order."""
import itertools
import re

from formats.conversions import has_time
from formats.flat_rows import row
from formats.reference_document import Element

SECTIONS = {"Correlation": "correlationData", "Workout": "workoutData", "ActivitySummary": "activitySummaryData",
            "Audiogram": "audiogramData", "VisionPrescription": "visionPrescriptionData", "ClinicalRecord": "clinicalData"}
FILE_SECTIONS = "clinicalResources", "electrocardiogramData", "routeData"
ORDER = ["quantityData", "categoryData", *SECTIONS.values(), "otherData"]
ABOUT = "ExportDate", "HealthData", "Me"


def section(element):
    kind = element.get("type", "")
    if element.name == "Record":
        prefix = re.match("HK(Quantity|Category)TypeIdentifier", kind)
        return f"{prefix[1].lower()}Data" if prefix else "otherData"
    return SECTIONS.get(element.name, "otherData")


def group(element):
    """What all samples of an array have in common; None where there is only one."""
    if section(element) in ("workoutData", "activitySummaryData"):
        return None
    return element.name, element.get("type", "")


def named(groups):
    """The arrays of a section with names that differ, although a type may be called like an element."""
    taken = set()
    for (element, kind), rows in groups:
        name = f"{element}/{kind}" if section(Element(element, [("type", kind)], [])) == "otherData" and element != "Record" and kind else kind or element
        unique = next(one for one in itertools.chain([name], (f"{name} ({number})" for number in itertools.count(2)))
                      if one not in taken)
        taken.add(unique)
        yield unique, rows


def health_data(document):
    """What the document has to hold, of samples."""
    def place(element):
        return ORDER.index(section(element)), element.name, element.get("type", ""), not has_time(element)

    rows = [element for element in document.rows if element.name not in ABOUT]
    for name, elements in itertools.groupby(sorted(rows, key=place), section):
        groups = [(kind, [row(element) for element in found])
                  for kind, found in itertools.groupby(elements, group)]
        yield name, groups[0][1] if groups[0][0] is None else tuple(named(groups))


def about(document):
    """What it has to hold about the export and the person: an array for each of the elements that there are."""
    def place(element):
        return element.name, element.get("type", ""), not has_time(element)

    found = [element for _, element in document.everything if element.name in ABOUT]
    for name, elements in itertools.groupby(sorted(found, key=place), lambda element: element.name):
        yield name, [row(element) for element in elements]
