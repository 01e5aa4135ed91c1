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

    let context: ExportContext
    var text = ByteText()
    var records = RecordCounts()
    private var gathered = GeneratedCensus()
    private var drainedBytes = 0
    /// The elements that are not closed, with their paths.
    private var open: [(path: String, hasChildren: Bool)] = []

    init(_ context: ExportContext) { self.context = context }

    /// The length of the document so far, in bytes.
    var position: Int { drainedBytes + text.count }

    /// The census of the document so far.
    var census: GeneratedCensus {
        let lists = "Record/HeartRateVariabilityMetadataList"
        let counts = [
            "Record": records.records, "Record/MetadataEntry": records.metadataEntries,
            lists: records.beatLists,
            "\(lists)/InstantaneousBeatsPerMinute": records.beats,
        ]
        var census = gathered
        for (path, count) in counts where count > 0 { census.elements[path, default: 0] += count }
        return census
    }

    mutating func drain<E: Error>(_ emit: (borrowing Span<UInt8>) throws(E) -> Void) throws(E) {
        drainedBytes += text.count
        try text.drain(emit)
    }

    /// Adds to the number of records of a type.
    mutating func count(_ count: Int, recordsOfType type: String) {
        if count > 0 { gathered.recordTypes[type, default: 0] += count }
    }

    /// Adds to the true and the naive total of a type that two devices record.
    mutating func add(trueTotal: Double, naiveTotal: Double, ofType type: String) {
        gathered.trueTotals[type, default: 0] += trueTotal
        gathered.naiveTotals[type, default: 0] += naiveTotal
    }

    /// Writes an element: its attributes, but those without a value, then its children.
    ///
    /// A ``Provenance`` is several attributes with names of their own.
    mutating func element(
        _ name: String, _ attributes: KeyValuePairs<String, (any AttributeValue)?> = [:],
        children: (inout XMLStream) -> Void = { _ in }
    ) {
        var path = name
        if let parent = open.last {
            if !parent.hasChildren { text.append(">\n") }
            open[open.count - 1].hasChildren = true
            path = "\(parent.path)/\(name)"
        }
        open.append((path, false))
        gathered.elements[path, default: 0] += 1
        indent()
        text.append("<\(name)")
        for (key, value) in attributes {
            guard let value else { continue }
            if value is Provenance {
                value.append(to: &text)
            } else {
                text.append(" \(key)=\"")
                value.append(to: &text)
                text.append("\"")
            }
        }
        children(&self)
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

    mutating func metadata(_ key: String, _ value: String) {
        element("MetadataEntry", ["key": key, "value": value])
    }
}

/// What an attribute may have as its value.
protocol AttributeValue {
    func append(to text: inout ByteText)
}

extension String: AttributeValue {
    func append(to text: inout ByteText) { text.append(escaped: self) }
}

extension Int: AttributeValue {
    func append(to text: inout ByteText) { text.append(self) }
}

extension FixedPoint: AttributeValue {
    func append(to text: inout ByteText) { text.append(self) }
}

extension Timestamp: AttributeValue {
    func append(to text: inout ByteText) { text.append(self) }
}
