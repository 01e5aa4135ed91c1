"""Documents of chance that are well-formed and made to hurt.

The same seed always gives the same document. It has what no export of the Health app has, but what an XML file may have:
repeated metadata keys, all of Unicode, every way to write a character, text between elements, unknown names, odd numbers and
dates, deep nesting and records that are equal to the byte.
"""
import random

from documents import END, PROLOGUE

LETTERS = ["a", "Z", "0", " ", "  ", ",", ";", '"', "'", "<", ">", "&", "\t", "\n", "\r", "=", "+", "-", "@", "\\", "\\n", "/",
           "]]>", "%", "\u007f", "\u0085", "\u00a0", "\u00e9", "e\u0301", "\u200b", "\u202e", "\u2028", "\ud7ff", "\ue000",
           "\ufdd0", "\ufffd", "\U0001f3c3", "\U0001f1e9\U0001f1ea", "\U00010000", "\U000fffff", "\U0010ffff", "{}", "[1]",
           "null", "\\u0041", "&amp;", "&#65;"]
NUMBERS = ["0", "1", "-1", "-0", "72.5", "1.50", "1e5", "1E5", "-2.50e-3", "007", "+1", ".5", "5.", "1e999", "NaN", "0x10",
           "0.30000000000000004", "87.26666666666667", "12345678901234567", "0.12345678901234567", "123456789012345678901",
           "1,5", " 1", "", "=1+1", "-1+1", "@x", "HKCategoryValueNotApplicable"]
TIMES = ["2023-05-01 10:00:00 +0200", "2023-05-01 10:00:00 -0330", "2024-02-29 23:59:59 +0000", "1969-12-31 23:59:59 +0000",
         "2023-05-01T10:00:00+02:00", "2023-02-30 10:00:00 +0200", "2023-05-01 24:00:00 +0200", "2023-05-01 10:00:60 +0200",
         "2023-05-01 10:00:00 -0000", "2023-05-01 10:00:00 +2359", "2023-05-01 10:00:00", "2023-05-01", "", "yesterday",
         "2023-05-01 10:00:00 +0200 ", "2023-05-01 10:00:00 AM +0200", "0001-01-01 00:00:00 +0000"]
TYPES = ["HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierStepCount", "HKCategoryTypeIdentifierSleepAnalysis",
         "HKQuantityTypeIdentifierOfTomorrow", "HKCategoryTypeIdentifier", "X", "x", "../x", "A/B", "Type with \u00e4", "CON"]
DEVICES = ["<<HKDevice: 0x28fe8faa0>, name:Apple Watch, manufacturer:Apple Inc.>", "<<HKDevice: 0x1>, name:A, creation date:"
           "2020-01-01 10:00:00 +0000>", "<<HKDevice: 0x>, name:A>", "<<HKDevice: 0x12", "a device", ", creation date:"]
RECORD_NAMES = ["sourceName", "sourceVersion", "device", "unit", "creationDate", "startDate", "endDate", "value", "x", "element",
                "position", "metadata", "children", "attributes", "Capital", "dateIssued", "\u00e9", "_", "HKCharacteristicX"]
NESTED_NAMES = ["MetadataEntry", "MetadataEntry", "MetadataEntry", "WorkoutEvent", "WorkoutStatistics", "WorkoutRoute", "Record",
                "Unknown", "unknown", "SensitivityPoint", "RightEye", "A\u00e9", "HKCharacteristicY", "FileReference"]
ELEMENTS = ["Record"] * 8 + ["Workout", "Workout", "Correlation", "ActivitySummary", "ClinicalRecord", "Audiogram",
                             "VisionPrescription", "Novelty", "novelty"]


class Writer:
    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.end_of_line = self.chance.choice(["\n", "\n", "\r\n"])

    def text(self, most=6):
        return "".join(self.chance.choices(LETTERS, k=self.chance.randrange(most + 1)))

    def any_letter(self):
        while True:
            code = self.chance.choice([self.chance.randrange(0x20, 0x3000), self.chance.randrange(0x20, 0x110000)])
            if not 0xd800 <= code < 0xe000 and code not in (0xfffe, 0xffff):
                return chr(code)

    def reference(self, letter):
        code = ord(letter)
        named = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"}.get(letter)
        return self.chance.choice([f"&#{code};", f"&#x{code:x};", f"&#x{code:X};", f"&#000{code};", named or f"&#{code};"])

    def quoted(self, text):
        """A value between quotes, in one of the ways to write it."""
        quote = self.chance.choice('""\'')
        letters = [self.reference(letter) if letter in "&<\t\n\r" + quote or self.chance.random() < 0.05 else letter
                   for letter in text]
        # White space as it stands is read as blanks.
        letters += self.chance.choices(["", "\n", "\t", self.end_of_line], [20, 1, 1, 1])
        return quote + "".join(letters) + quote

    def value(self, name, element):
        kind = self.chance.random()
        if name == "type" and element != "WorkoutEvent":
            return self.chance.choice(TYPES)
        if name.endswith("Date") or name in ("date", "dateIssued"):
            return TIMES[0] if kind < 0.5 else self.chance.choice(TIMES)
        if name in ("value", "duration", "sum", "frequencyValue", "sphere", "activeEnergyBurned"):
            return self.chance.choice(NUMBERS)
        if name == "device" and kind < 0.7:
            return self.chance.choice(DEVICES)
        return self.text() if kind < 0.8 else self.any_letter() + self.any_letter()

    def attributes(self, names, element):
        chosen = self.chance.sample(names, self.chance.randrange(len(names) + 1))
        between = self.chance.choice([" ", " ", "  ", self.end_of_line])
        return "".join(f"{between}{name}{self.chance.choice(['=', ' = '])}{self.quoted(self.value(name, element))}"
                       for name in chosen)

    def between(self):
        """What may stand between tags: nothing that counts, or text."""
        kind = self.chance.random()
        if kind < 0.85:
            return self.end_of_line + " "
        if kind < 0.9:
            return "<!-- a comment & <more> -->"
        if kind < 0.95:
            return f"<![CDATA[{self.text().replace(']]>', '').replace(chr(13), '')}]]>"
        return "".join(self.reference(letter) if letter in "&<>\r" else letter for letter in self.text())

    def nested(self, depth):
        name = self.chance.choice(NESTED_NAMES)
        if name == "MetadataEntry" and self.chance.random() < 0.9:
            key = self.chance.choice(["k", "k", "HKTimeZone", self.text()])
            return f"<MetadataEntry key={self.quoted(key)} value={self.quoted(self.value('note', name))}/>"
        names = ["type", "key", "value", "date", "startDate", "duration", "unit", "sum", "path", "frequencyValue", "sphere", "q",
                 "children"]
        inside = self.children(depth + 1) if depth < 10 and self.chance.random() < 0.5 else ""
        return self.tag(name, self.attributes(names, name), inside)

    def tag(self, name, attributes, inside):
        if not inside and self.chance.random() < 0.7:
            return f"<{name}{attributes}/>"
        return f"<{name}{attributes}{self.chance.choice(['', ' '])}>{inside}</{name}>"

    def children(self, depth):
        return self.between() + "".join(self.nested(depth) + self.between() for _ in range(self.chance.randrange(4)))

    def row(self):
        element = self.chance.choice(ELEMENTS)
        names = RECORD_NAMES + (["dateComponents", "activeEnergyBurned", "appleMoveTime", "appleStandHours"]
                                if element == "ActivitySummary" else ["duration", "workoutActivityType"])
        kind = "" if self.chance.random() < 0.1 else f" type={self.quoted(self.chance.choice(TYPES))}"
        inside = self.children(1) if self.chance.random() < 0.5 else ""
        return self.tag(element, kind + self.attributes(names, element), inside)


def random_document(seed, rows=60):
    """A document as bytes."""
    writer = Writer(seed)
    written = []
    for _ in range(rows):
        row = writer.row()
        written += [row] * writer.chance.choice([1, 1, 1, 1, 2])
    writer.chance.shuffle(written)
    written = [row for row in written for _ in range(writer.chance.choice([1, 1, 1, 3]))]
    line = writer.end_of_line
    head = f"<HealthData locale={writer.quoted(writer.text())}>{line} <ExportDate value='2023-05-13 10:36:12 +0200'/>{line} "
    text = PROLOGUE.replace("\n", line) + head + f"{line} ".join(written) + line + END.replace("\n", line)
    return text.encode()
