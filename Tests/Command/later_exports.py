"""A later export of the same phone, made of an earlier one by text alone: other offsets, other pointers, another date."""

import datetime
import re
import zipfile

TIME = re.compile(rb"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) ([+-])(\d\d)(\d\d)")
COMPACT_TIME = re.compile(rb"\d{14}[+-]\d{4}")
POINTER = re.compile(rb"HKDevice: 0x[0-9a-f]+")
EXPORT_DATE = re.compile(rb'<ExportDate value="([^"]*)"')


def moved(document, minutes):
    """Returns the document, or a side file, with each time written with another offset, and with other pointers."""
    sign = b"-" if minutes < 0 else b"+"
    offset = b"%s%02d%02d" % (sign, abs(minutes) // 60, abs(minutes) % 60)
    zone = datetime.timezone(datetime.timedelta(minutes=minutes))
    known = {}

    def time(match):
        text = match.group(0)
        form = "%Y-%m-%d %H:%M:%S " if b" " in text else "%Y%m%d%H%M%S"
        if text not in known:
            instant = datetime.datetime.strptime(text.decode(), form + "%z")
            known[text] = instant.astimezone(zone).strftime(form).encode() + offset
        return known[text]

    number = iter(range(0x3_0000_0000, 1 << 40, 64))
    document = POINTER.sub(lambda match: b"HKDevice: 0x%x" % next(number), document)
    return COMPACT_TIME.sub(time, TIME.sub(time, document))


def dated(document, date=b"2026-06-01 08:00:00 +0200"):
    """Returns the document as an export of another date."""
    return EXPORT_DATE.sub(b'<ExportDate value="' + date + b'"', document)


def compact(time):
    """Returns a time in the form of HL7."""
    return re.sub(rb"[-: ]", b"", time[:19]) + time[20:]


def extended(document, *elements):
    """Returns the document with further elements at its end."""
    end = document.rindex(b"</HealthData>")
    return document[:end] + b"".join(b" " + element + b"\n" for element in elements) + document[end:]


def without(document, *lines):
    """Returns the document without lines that have a text."""
    return b"".join(
        line for line in document.splitlines(keepends=True) if not any(text in line for text in lines))


def read(path):
    """Returns the main document of a zip."""
    with zipfile.ZipFile(path) as source:
        return source.read(next(name for name in source.namelist() if name.endswith("/export.xml")))


def write(path, original, document, dropping=(), adding=None, minutes=None):
    """Writes a zip like another one with another main document, without some files, and with others.

    With minutes, the times in texts among the side files are written with that offset. Files that say when they were
    exported say the new time.
    """
    before, after = (compact(EXPORT_DATE.search(text).group(1)) for text in (read(original), document))
    with zipfile.ZipFile(original) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            if name.endswith("/export.xml"):
                target.writestr(name, document)
            elif not any(name.endswith(end) for end in dropping):
                content = source.read(name)
                if name.endswith((".csv", ".xml")) and minutes is not None:
                    content = moved(content.replace(before, after), minutes)
                target.writestr(name, content)
        for name, content in (adding or {}).items():
            target.writestr(name, content)
