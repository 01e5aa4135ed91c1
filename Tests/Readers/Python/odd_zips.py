#!/usr/bin/env python3
"""Makes small zip and XML files around a tiny synthetic Apple Health export, sound and unsound in known ways.

    odd_zips.py OUTDIR

Prints a JSON list: "file", "verdict", "records" (top-level Records, where the file can be read) and "note". Verdicts:
  ok            a reader takes it; all records and side files are there
  safe          a reader takes or refuses it, and makes no file outside its target
  partly        the records are whole, but a side file is not: what can be read of it is exported, and it is said
  unread        a reader could read it, ours does not yet
  damaged       a reader refuses it as damaged or truncated
  unsupported   a reader refuses it as no source that it can read
All files are the same at every run.
"""
import io
import json
import sys
import zipfile
import zlib
from pathlib import Path

RECORDS = 120
DOCTYPE = """<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Workout)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
]>
"""
RECORD = (' <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Test’s Watch" unit="count/min"'
          ' creationDate="2023-05-01 10:{:02}:{:02} +0200" startDate="2023-05-01 10:{:02}:{:02} +0200"'
          ' endDate="2023-05-01 10:{:02}:{:02} +0200" value="{}"/>\n')
BODY = ('<HealthData locale="en_GB">\n'
        ' <ExportDate value="2023-05-13 10:36:12 +0200"/>\n'
        ' <Me HKCharacteristicTypeIdentifierDateOfBirth=""'
        ' HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"'
        ' HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet"'
        ' HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet"/>\n'
        + "".join(RECORD.format(*divmod(i * 7, 60) * 3, 60 + i * 37 % 41) for i in range(RECORDS)) +
        ' <Workout workoutActivityType="HKWorkoutActivityTypeWalking" duration="10" durationUnit="min"'
        ' sourceName="Test" startDate="2023-05-02 08:00:00 +0200" endDate="2023-05-02 08:10:00 +0200">\n'
        '  <WorkoutRoute sourceName="Test" startDate="2023-05-02 08:00:00 +0200" endDate="2023-05-02 08:10:00 +0200">\n'
        '   <FileReference path="/workout-routes/route_2023-05-02_8.10am.gpx"/>\n'
        '  </WorkoutRoute>\n'
        ' </Workout>\n'
        '</HealthData>\n')
PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n'
XML = (PROLOGUE + DOCTYPE + BODY).encode()
GPX = (PROLOGUE + '<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>\n'
       + "".join(f'<trkpt lon="8.{i * 7:05}" lat="50.{i * 3:05}"/>\n' for i in range(40))
       + "</trkseg></trk></gpx>\n").encode()
SIDE = {"workout-routes/route_2023-05-02_8.10am.gpx": GPX, "export_cda.xml": b"<ClinicalDocument/>\n",
        "electrocardiograms/ecg_2023-05-03.csv": b"Name,Test\n\n" + b"12.5\n-3\n" * 50}
TOP = "apple_health_export/"
MAIN = TOP + "export.xml"


class Unseekable(io.RawIOBase):
    """Makes zipfile write data descriptors, since it cannot go back to the local headers."""

    def __init__(self):
        self.data = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.data += data
        return len(data)


def export(main=MAIN, data=XML, top=TOP):
    return {main: data} | {top + name: content for name, content in SIDE.items()}


def archive(members, method=zipfile.ZIP_DEFLATED, stream=None):
    stream = io.BytesIO() if stream is None else stream
    with zipfile.ZipFile(stream, "w") as file:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, (2023, 5, 13, 10, 36, 12))
            info.compress_type, info.external_attr = method, 0o100644 << 16
            file.writestr(info, data)
    return stream.getvalue() if isinstance(stream, io.BytesIO) else bytes(stream.data)


def zip64(members):
    """With 64-bit sizes and offsets in every header, though they are small."""
    limit, zipfile.ZIP64_LIMIT = zipfile.ZIP64_LIMIT, 0
    try:
        return archive(members)
    finally:
        zipfile.ZIP64_LIMIT = limit


# Where a field is in a local and in a central header, and how long it is.
FIELDS = {"flags": (6, 8, 2), "method": (8, 10, 2), "crc": (14, 16, 4), "packed": (18, 20, 4), "size": (22, 24, 4)}


def patch(data, member, **changes):
    """Changes fields of a member's two headers; a change is a function of the value."""
    data, places = bytearray(data), []
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        at = file.start_dir
        for info in file.infolist():
            if info.filename == member:
                places = [(0, info.header_offset), (1, at)]
            at += 46 + sum(int.from_bytes(data[at + i:at + i + 2], "little") for i in (28, 30, 32))
    for field, change in changes.items():
        for header, at in places:
            start, length = at + FIELDS[field][header], FIELDS[field][2]
            value = int.from_bytes(data[start:start + length], "little")
            data[start:start + length] = change(value).to_bytes(length, "little")
    assert places
    return bytes(data)


def zip_crypto(data, password, check):
    """The encryption of old zip programs; `check` is the byte by which they tell a wrong password."""
    def crc(value, byte):
        for _ in range(8):
            bit = (value ^ byte) & 1
            value, byte = value >> 1 ^ (0xEDB88320 if bit else 0), byte >> 1
        return value

    def turn(byte):
        keys[0] = crc(keys[0], byte)
        keys[1] = ((keys[1] + (keys[0] & 255)) * 134775813 + 1) & 0xFFFFFFFF
        keys[2] = crc(keys[2], keys[1] >> 24)

    keys, out = [0x12345678, 0x23456789, 0x34567890], bytearray()
    for byte in password:
        turn(byte)
    for byte in bytes(range(11)) + bytes([check]) + data:
        mask = keys[2] | 2
        out.append(byte ^ (mask * (mask ^ 1) >> 8 & 255))
        turn(byte)
    return bytes(out)


def encrypted():
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed, crc = packer.compress(XML) + packer.flush(), zlib.crc32(XML)
    data = archive({MAIN: zip_crypto(packed, b"password", crc >> 24)}, zipfile.ZIP_STORED)
    return patch(data, MAIN, flags=lambda _: 1, method=lambda _: 8, crc=lambda _: crc, size=lambda _: len(XML))


def cases():
    """File name, content, verdict and note of each case."""
    plain, chinese = archive(export()), archive(export(TOP + "导出.xml"))
    clutter = export() | {"__MACOSX/" + TOP + "._export.xml": b"\0\5\x16\7\0\2\0\0Mac OS X", "__MACOSX/._x": b"",
                          TOP + ".DS_Store": b"\0\0\0\1Bud1", ".DS_Store": b"\0\0\0\1Bud1"}
    yield "flat.zip", archive(export("export.xml", top="")), "ok", "no folder apple_health_export"
    yield "nested.zip", plain, "ok", "as Apple makes it"
    yield "chinese-flagged.zip", chinese, "ok", "导出.xml, UTF-8 flag set"
    yield ("chinese-unflagged.zip", patch(chinese, TOP + "导出.xml", flags=lambda flags: flags & ~0x800), "ok",
           "导出.xml in UTF-8, but the flag is not set")
    yield "descriptors.zip", archive(export(), stream=Unseekable()), "ok", "sizes and CRC follow the data (flag 8)"
    yield "zip64.zip", zip64(export()), "ok", "zip64 extra fields, end record and locator"
    yield "macosx.zip", archive(clutter), "ok", "__MACOSX and .DS_Store clutter, also a ._export.xml"
    yield "stored.zip", archive(export(), zipfile.ZIP_STORED), "ok", "method 0"
    yield ("two-candidates.zip", archive(export() | {TOP + "导出.xml": XML}), "unsupported",
           "two members are health exports: the reader must not choose in silence")
    yield "no-health.zip", archive({"readme.txt": b"Hello\n", "data.xml": b"<x/>\n"}), "unsupported", "no export inside"
    yield "empty.zip", archive({}), "unsupported", "a valid zip without members"
    yield "empty-file.zip", b"", "unsupported", "no bytes at all"
    yield "not-a.zip", b"This is no zip file, it only says so.\n" * 40, "unsupported", "text"
    yield "encrypted.zip", encrypted(), "unsupported", "ZipCrypto; the password is: password"
    yield "slip.zip", archive(export() | {"../../evil.txt": b"evil\n"}), "safe", "a member is ../../evil.txt"
    yield "absolute.zip", archive(export() | {"/etc/evil": b"evil\n"}), "safe", "a member is /etc/evil"
    yield "crc.zip", patch(plain, MAIN, crc=lambda crc: crc ^ 1), "damaged", "the CRC of export.xml is wrong"
    yield ("crc-side.zip", patch(plain, TOP + "export_cda.xml", crc=lambda crc: crc ^ 1), "partly",
           "the CRC of export_cda.xml is wrong")
    yield "truncated.zip", plain[:len(plain) // 2], "damaged", "the first half of nested.zip"
    yield ("wrapped.zip", patch(plain, MAIN, size=lambda size: size - 4096), "ok",
           "the size of export.xml is said to be 4096 less, as sizes over 4 GiB come out 2^32 less; CRC is right")
    wrapped = patch(plain, MAIN, size=lambda size: size - 4096, packed=lambda size: size - 256)
    yield ("wrapped-packed.zip", wrapped, "unread",
           "likewise, and the compressed size is said to be 256 less; the deflate stream knows its end")
    entity = '<!DOCTYPE HealthData [\n<!ENTITY a "aaaaaaaaaa">\n' + "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">\n' for before, name in zip("abcdefgh", "bcdefghi")) + "]>\n"
    yield ("entity.xml", (PROLOGUE + entity + BODY.replace("Test’s Watch", "&i;", 1)).encode(), "unsupported",
           "declares entities that grow to 10^9 bytes: refused without expanding them")
    yield ("nul.xml", XML.replace("Test’s Watch".encode(), b"Test\0Watch", 1), "ok",
           "a NUL in an attribute: not well-formed; kept and counted as odd")
    yield ("utf16.xml", XML.decode().replace("UTF-8", "UTF-16", 1).encode("utf-16"), "unsupported",
           "UTF-16 with a byte order mark")
    yield "truncated.xml", XML[:XML.rindex(b"<Record") + 60], "damaged", "cut inside an element; 119 records are whole"
    yield "unclosed.xml", XML.replace(b"</HealthData>\n", b""), "damaged", "lacks </HealthData>; all records are whole"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: odd_zips.py OUTDIR")
    folder, report = Path(sys.argv[1]), []
    folder.mkdir(parents=True, exist_ok=True)
    for name, data, verdict, note in cases():
        (folder / name).write_bytes(data)
        report.append({"file": name, "verdict": verdict, "note": note})
        if verdict in ("ok", "safe", "partly", "unread"):
            report[-1]["records"] = RECORDS
    print(json.dumps(report, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
