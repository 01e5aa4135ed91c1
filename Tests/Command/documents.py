"""Small documents with something odd in them, and health values that no message may repeat."""
import re
import zipfile

VALUE, SOURCE = "31337.25", "Zebrafink"
# Parts of the two: a message that begins within a value is no better.
CANARY = re.compile("(?i)ebrafi|1337")

PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n'
HEAD = PROLOGUE + '<HealthData locale="en_GB">\n <ExportDate value="2023-05-13 10:36:12 +0200"/>\n'
TIME = "2023-05-01 10:00:00 +0200"
START = (f'<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="{SOURCE}" unit="count/min"'
         f' creationDate="{TIME}" startDate="{TIME}" endDate="{TIME}" value="{VALUE}"')
RECORD = f" {START}/>\n"
METADATA = f'<MetadataEntry key="{SOURCE}" value="{SOURCE} {VALUE}"/>'
FULL = f" {START}>\n  {METADATA}\n </Record>\n"
END = "</HealthData>\n"


def document(*parts):
    """The parts as the content of a document, after one sound record."""
    return HEAD + FULL + "".join(parts) + END


def write_zip(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method, compresslevel=1) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return path


def export_zip(path, members=None, text=None, method=zipfile.ZIP_DEFLATED):
    """A sound export, with more members in its folder."""
    top = "apple_health_export/"
    return write_zip(path, {top + "export.xml": text or document(RECORD)} |
                     {top + name: data for name, data in (members or {}).items()}, method)
