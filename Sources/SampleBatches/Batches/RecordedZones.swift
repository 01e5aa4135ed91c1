import ByteSpans
import JSONText

/// The time zones that samples name in their metadata (`HKTimeZone`), each with the newest start of such a sample.
public struct RecordedZones: Sendable, Equatable {
    private var newest: [ExactName: Int] = [:]

    /// There are some 600 zones in the world; of more, which are a stranger's, the newest count.
    private static let mostNames = 2048
    private static let longestName = 64

    /// None yet.
    public init() {}

    /// The names, the one of the newest sample first; of equally new ones the first in the order of their bytes.
    public var names: [String] { sorted.map(\.key.text) }

    private var sorted: ArraySlice<(key: ExactName, value: Int)> {
        newest.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostNames)
    }

    /// Adds what other samples name.
    public mutating func add(_ other: RecordedZones) {
        for (name, seconds) in other.newest { add(name, seconds) }
    }

    mutating func add(_ name: ExactName, _ seconds: Int) {
        newest[name] = max(seconds, newest[name] ?? .min)
        // What is left out now has as many before it at the end, in whatever order names come.
        if newest.count >= 2 * Self.mostNames {
            newest = Dictionary(uniqueKeysWithValues: sorted.map { ($0.key, $0.value) })
        }
    }

    /// The zone in the metadata of a content; nil where there is none, or one that no file can be named after.
    ///
    /// - Parameter json: The content, a JSON object. What is no such object has no zone.
    static func zone(in json: [UInt8]) -> ExactName? {
        var zone: ExactName?
        var reader = JSONReader(json)
        try? reader.object { reader, key in
            guard key == "metadata" || key == "children", try reader.kind() == .array else {
                try reader.skip()
                return
            }
            try reader.array { reader in
                // What is text has no name of its own.
                let entry = try MetadataText(&reader, isNamed: key == "children")
                if entry.key == "HKTimeZone", isZoneName(entry.value) {
                    zone = zone ?? ExactName(entry.value)
                }
            }
        }
        return zone
    }

    /// Letters, digits and `_+-`, in parts with `/` between them: never a path that leads out of its folder.
    static func isZoneName(_ name: String) -> Bool {
        guard name.utf8.count <= longestName else { return false }
        return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
            part in
            !part.isEmpty
                && part.allSatisfy { byte in
                    (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "_+-".utf8.contains(byte)
                }
        }
    }
}

/// A metadata entry whose key and value are strings.
private struct MetadataText {
    var key = ""
    var value = ""

    init(_ reader: inout JSONReader, isNamed: Bool) throws {
        var isEntry = !isNamed
        try reader.object { reader, name in
            switch name {
            case "element": isEntry = try reader.string() == "MetadataEntry"
            case "key" where try reader.kind() == .string: key = try reader.string()
            case "value" where try reader.kind() == .string: value = try reader.string()
            default: try reader.skip()
            }
        }
        if !isEntry { key = "" }
    }
}

extension SampleBatch {
    /// The time zones that its rows name, each with the newest start of such a row.
    public func recordedZones() -> RecordedZones {
        var zones: [Int: ExactName] = [:]
        for (number, content) in contents.enumerated() where Self.mayName(content.span) {
            zones[number + 1] = RecordedZones.zone(in: content)
        }
        var recorded = RecordedZones()
        guard !zones.isEmpty else { return recorded }
        forEachBatchRow { row in
            if let zone = zones[row.head.content], let start = row.start { recorded.add(zone, start.seconds) }
        }
        return recorded
    }

    private static let key = Array("\"HKTimeZone\"".utf8)

    /// The key stands somewhere in a content.
    private static func mayName(_ content: Span<UInt8>) -> Bool {
        // Few contents hold a capital Z.
        var index = content.firstIndex(of: UInt8(ascii: "Z"), from: 0)
        while index < content.count {
            if index >= 7, content.matches(at: index - 7, key) { return true }
            index = content.firstIndex(of: UInt8(ascii: "Z"), from: index + 1)
        }
        return false
    }
}
