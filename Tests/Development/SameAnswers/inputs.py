"""What the commands read: six exports of several shapes, two later ones of a phone, and some that are damaged or odd."""
import random
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Command"))
import later_exports  # noqa: E402  (found by the line above)
from vault import GENERATE, PASSPHRASE, odd_zips, run  # noqa: E402

# The name of each, and how it is generated.
EXPORTS = {
    "first.zip": ("--size", "300kB"),
    "small.zip": ("--size", "30kB", "--side-files", "none", "--seed", "2"),
    "walks.zip": ("--size", "700kB", "--shape", "watchAndPhone", "--years", "2", "--seed", "7"),
    "many": ("--size", "100kB", "--shape", "manyTypes", "--dtd", "11", "--seed", "3"),
    "old.xml": ("--size", "60kB", "--shape", "uniqueMetadata", "--dtd", "none", "--seed", "4"),
    "devices.zip": ("--size", "100kB", "--shape", "newDevices", "--dtd", "8", "--years", "1", "--seed", "5"),
}
PASSPHRASES = {
    "secret": PASSPHRASE, "wrong": "not the passphrase at all", "new": "otter violin mesa plunder gherkin"}
TOP = "apple_health_export/"


def steps(day, count):
    return [(f'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" startDate="{time}" '
             f'creationDate="{time}" endDate="{time}" value="100"/>').encode()
            for time in (f"{day} 07:{minute:02}:00 +0200" for minute in range(count))]


def make(folder):
    """Makes all of them in a folder."""
    folder.mkdir()
    for name, options in EXPORTS.items():
        made = run(GENERATE, "--output", folder / name, *options)
        assert made.status == 0, made.stderr
    first = folder / "first.zip"
    document = later_exports.read(first)
    # The same phone in another time zone, and with less and other files.
    later = later_exports.extended(later_exports.dated(later_exports.moved(document, -300)), *steps("2026-05-31", 10))
    later_exports.write(folder / "later.zip", first, later, minutes=-300)
    gone = [line for line in later.splitlines(keepends=True) if b"<Record " in line and line.endswith(b"/>\n")][5:12]
    latest = later_exports.extended(later_exports.without(later, *gone), *steps("2026-06-10", 5))
    latest = later_exports.dated(latest, b"2026-06-11 08:00:00 +0200")
    later_exports.write(folder / "latest.zip", first, latest, dropping=(".gpx",), minutes=-300, adding={
        TOP + "workout-routes/route_2026-06-10_7.00am.gpx": b"<gpx></gpx>",
        TOP + "chance.bin": random.Random(1).randbytes(90_000)})
    # Each heart rate has become another one.
    changed = later_exports.without(latest, b"HKMetadataKeyHeartRateMotionContext")
    later_exports.write(folder / "changed.zip", first, changed, dropping=(".csv",))
    with zipfile.ZipFile(first) as source:
        route = next(entry for entry in source.infolist() if entry.filename.endswith(".gpx"))
    for name, place in ("damaged.zip", 20_000), ("part.zip", route.header_offset + 2000):
        content = bytearray(first.read_bytes())
        content[place:place + 8] = bytes(8)
        (folder / name).write_bytes(content)
    (folder / "truncated.zip").write_bytes(first.read_bytes()[:100_000])
    (folder / "truncated.xml").write_bytes((folder / "old.xml").read_bytes()[:30_000])
    (folder / "empty.xml").write_bytes(b"")
    (folder / "text.xml").write_text("no export\n")
    with zipfile.ZipFile(folder / "other.zip", "w") as other:
        other.writestr("letter.txt", "no export either")
    odd = folder / "odd"
    odd.mkdir()
    for name, text in PASSPHRASES.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o600)
    made = run(sys.executable, odd_zips.__file__, odd)
    assert made.status == 0, made.stderr
