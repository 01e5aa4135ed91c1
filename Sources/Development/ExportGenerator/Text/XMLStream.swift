import CivilTime

/// The main document being written: its text, its length, and counts of its contents.
///
/// Elements are written one per line, indented by one space for each level, as Apple does. The records, which make
/// up nearly all of a document, are composed of prepared pieces instead and counted in ``records``.
struct XMLStream {
    /// The counts that records update without a dictionary lookup.
    struct RecordCounts {
        var records = 0
        var metadataEntries = 0
        var beatLists = 0
        var beats = 0
    }

    private struct OpenElement {
        let path: String
        var hasChildren = false
    }

    var text = ByteText()
    var records = RecordCounts()
    /// The offset of all dates.
    private let offsetMinutes: Int
    private var gathered = GeneratedCensus()
    private var drainedBytes = 0
    private var open: [OpenElement] = []

    init(offsetMinutes: Int) {
        self.offsetMinutes = offsetMinutes
    }

    /// The length of the document so far, in bytes.
    var position: Int { drainedBytes + text.count }

    /// The census of the document so far.
    var census: GeneratedCensus {
        var census = gathered
        census.add("Record", records.records)
        census.add("Record/MetadataEntry", records.metadataEntries)
        census.add("Record/HeartRateVariabilityMetadataList", records.beatLists)
        census.add("Record/HeartRateVariabilityMetadataList/InstantaneousBeatsPerMinute", records.beats)
        return census
    }

    mutating func drain<E: Error>(_ emit: (borrowing Span<UInt8>) throws(E) -> Void) throws(E) {
        drainedBytes += text.count
        try text.drain(emit)
    }

    /// Adds to the number of records of a type.
    mutating func count(_ count: Int, recordsOfType type: String) {
        guard count > 0 else { return }
        gathered.recordTypes[type, default: 0] += count
    }

    /// Adds to the true and the naive total of a type that two devices record.
    mutating func add(trueTotal: Double, naiveTotal: Double, ofType type: String) {
        gathered.trueTotals[type, default: 0] += trueTotal
        gathered.naiveTotals[type, default: 0] += naiveTotal
    }

    /// Writes an element; `content` writes its attributes first, then its children.
    mutating func element(_ name: String, _ content: (inout XMLStream) -> Void) {
        var path = name
        if let parent = open.last {
            if !parent.hasChildren {
                text.append(">\n")
                open[open.count - 1].hasChildren = true
            }
            path = "\(parent.path)/\(name)"
        }
        open.append(OpenElement(path: path))
        gathered.add(path, 1)
        indent()
        text.append("<")
        text.append(name)
        content(&self)
        if open[open.count - 1].hasChildren {
            indent()
            text.append("</\(name)>\n")
        } else {
            text.append("/>\n")
        }
        open.removeLast()
    }

    private mutating func indent() {
        for _ in open { text.append(UInt8(ascii: " ")) }
    }

    /// Writes an instant with the document's offset: `2026-01-15 09:30:00 +0100`.
    mutating func append(instant: Int) {
        text.append(Timestamp(seconds: instant, offsetMinutes: offsetMinutes))
    }
}

extension XMLStream {
    mutating func attribute(_ name: String, _ value: String) {
        attribute(name) { $0.text.append(escaped: value) }
    }

    mutating func attribute(_ name: String, _ value: Int) {
        attribute(name) { $0.text.append(value) }
    }

    mutating func attribute(_ name: String, _ value: FixedPoint) {
        attribute(name) { $0.text.append(value) }
    }

    mutating func attribute(_ name: String, at instant: Int) {
        attribute(name) { $0.append(instant: instant) }
    }

    /// Writes the three dates of a sample.
    mutating func dates(created: Int, _ start: Int, _ end: Int) {
        attribute("creationDate", at: created)
        attribute("startDate", at: start)
        attribute("endDate", at: end)
    }

    private mutating func attribute(_ name: String, _ write: (inout XMLStream) -> Void) {
        text.append(" \(name)=\"")
        write(&self)
        text.append(UInt8(ascii: "\""))
    }

    mutating func metadata(_ key: String, _ value: String) {
        element("MetadataEntry") { entry in
            entry.attribute("key", key)
            entry.attribute("value", value)
        }
    }
}

extension GeneratedCensus {
    fileprivate mutating func add(_ path: String, _ count: Int) {
        guard count > 0 else { return }
        elements[path, default: 0] += count
    }
}
