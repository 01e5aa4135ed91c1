import ByteText

/// The main document being written: its text, its length, and counts of its contents.
///
/// Elements are written one per line, indented by one space for each level, as Apple does. The records, which make
/// up nearly all of a document, are composed of prepared pieces instead, and counted without a lookup in a dictionary.
struct XMLStream {
    /// Attributes with their values; those without one are left out.
    typealias Attributes = KeyValuePairs<String, (any AttributeValue)?>

    let context: ExportContext
    var text = ByteText()
    /// The records, their metadata entries, their lists of heartbeats, and the heartbeats.
    var records = (all: 0, metadataEntries: 0, beatLists: 0, beats: 0)
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
            "Record": records.all, "Record/MetadataEntry": records.metadataEntries, lists: records.beatLists,
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

    /// Writes an element; a ``Provenance`` is several attributes, which have names of their own.
    mutating func element(
        _ name: String, _ attributes: Attributes = [:], _ more: Attributes = [:],
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
        let indentation = String(repeating: " ", count: open.count)
        text.append("\(indentation)<\(name)")
        for (key, value) in Array(attributes) + Array(more) {
            guard let value else { continue }
            if !(value is Provenance) { text.append(" \(key)=\"") }
            value.append(to: &text)
            if !(value is Provenance) { text.append("\"") }
        }
        children(&self)
        text.append(open.removeLast().hasChildren ? "\(indentation)</\(name)>\n" : "/>\n")
    }

    mutating func metadata(_ key: String, _ value: String) {
        element("MetadataEntry", ["key": key, "value": value])
    }
}

/// Writes the next element directly below the root, or the next few, and returns whether there was one.
///
/// It is not called again after it has returned false.
typealias Section = (inout XMLStream) -> Bool

/// What an attribute may have as its value.
protocol AttributeValue {
    func append(to text: inout ByteText)
}

extension String: AttributeValue { func append(to text: inout ByteText) { text.append(escaped: self) } }
extension Int: AttributeValue { func append(to text: inout ByteText) { text.append(self) } }
extension FixedPoint: AttributeValue { func append(to text: inout ByteText) { text.append(self) } }
extension Timestamp: AttributeValue { func append(to text: inout ByteText) { text.append(self) } }
