"""Side files read with other means than the command's, in the form that a JSON document has them in."""
import csv
import re
from xml.etree import ElementTree

from formats.flat_rows import Number, iso, parsed

POINT = {"lon": "longitude", "lat": "latitude", "ele": "elevation", "time": "time", "speed": "speed", "course": "course",
         "hAcc": "horizontalAccuracy", "vAcc": "verticalAccuracy"}
GPX = "{http://www.topografix.com/GPX/1/1}"


FIELDS = ("name", "born", "recordedDate", "classification", "symptoms", "softwareVersion", "device", "samplingFrequency",
          "lead", "unit")


def decimal(text):
    """A number as the command writes one that it has read; German has a comma where English has a point."""
    return Number(repr(float(text.replace(",", "."))))


def header(text):
    """The values of the labelled lines, whose labels depend on the language, and the lines of the voltages."""
    lines = [line for line in text.decode().split("\n") if line]
    texts = [",".join(row[1:]) for row in csv.reader(lines[:len(FIELDS)])]
    return dict(zip(FIELDS, texts, strict=True)), lines[len(FIELDS):]


def recording(path, text):
    fields, voltages = header(text)
    frequency = re.match("[0-9.,]+", fields["samplingFrequency"])[0]
    # A comma before a lower-case letter is part of a symptom.
    symptoms = [symptom.strip() for symptom in re.split(r",(?!\s*[a-z])", fields["symptoms"]) if symptom]
    texts = [(name, fields[name]) for name in ("softwareVersion", "device", "lead")]
    return (("path", "/" + path), ("recordedDate", iso(fields["recordedDate"])), ("classificationText", fields["classification"]),
            ("symptoms", symptoms), *texts, ("samplingFrequency", decimal(frequency)), ("samplingFrequencyUnit", "Hz"),
            ("unit", "uV"), ("voltages", [decimal(voltage) for voltage in voltages]))


def points(text):
    """The points of a route, each with its values as they are written, and the number of its segment if there are several."""
    segments = [segment for segment in ElementTree.fromstring(text).iter(GPX + "trkseg") if segment.find(GPX + "trkpt") is not None]
    for number, segment in enumerate(segments):
        for point in segment.iter(GPX + "trkpt"):
            values = [(name, point.attrib[name]) for name in ("lon", "lat")]
            values += [(part.tag.removeprefix(GPX), part.text) for part in point.iter() if part.text and part.text.strip()]
            yield [(POINT[name], text) for name, text in values] + [("segment", str(number))] * (len(segments) > 1)


def route(path, text):
    name = ElementTree.fromstring(text).findtext(f"{GPX}trk/{GPX}name")
    return (("path", "/" + path), ("name", name),
            ("points", [tuple((name, value if name == "time" else Number(value)) for name, value in point)
                        for point in points(text)]))


def resource(path, text):
    return ("path", "/" + path), ("resource", parsed(text))
