import ByteText

/// The time zones that samples name in their metadata (`HKTimeZone`), each with the latest start of such a sample.
public struct RecordedZones: Sendable, Equatable {
    private var newest: [ExactName: Int] = [:]
    /// The last content that named a zone, and its zone, cached because many samples have the same content.
    private var lastContent: [UInt8] = []
    private var lastZone: ExactName?

    /// The maximum number of names, of which the newest are kept: the world has some 600 zones, so more come from a
    /// forged export.
    private static let mostNames = 2048
    private static let longestName = 64

    /// Creates a value without zones.
    public init() {}

    /// Whether both have the same names with the same starts.
    public static func == (left: Self, right: Self) -> Bool { left.newest == right.newest }

    /// The names, that of the newest sample first; ties in the order of their bytes.
    public var names: [String] { sorted.map(\.key.text) }

    private var sorted: ArraySlice<(key: ExactName, value: Int)> {
        newest.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostNames)
    }

    /// Adds the zones recorded by other samples.
    public mutating func add(_ other: RecordedZones) {
        for (name, seconds) in other.newest { add(name, seconds) }
    }

    /// Adds the zone that the content of a sample names, if it names one.
    ///
    /// - Parameters:
    ///   - content: The content, a JSON object.
    ///   - seconds: When the sample starts.
    package mutating func add(content: [UInt8], start seconds: Int) {
        guard Self.mayBe(in: content.span) else { return }
        guard let zone = lastContent == content ? lastZone : Self.zone(in: content) else { return }
        (lastContent, lastZone) = (content, zone)
        add(zone, seconds)
    }

    mutating func add(_ name: ExactName, _ seconds: Int) {
        newest[name] = max(seconds, newest[name] ?? .min)
        // A name dropped here would not be among the newest in the end either, whatever the order of arrival.
        if newest.count >= 2 * Self.mostNames {
            newest = Dictionary(uniqueKeysWithValues: sorted.map { ($0.key, $0.value) })
        }
    }

    private static let key = Array("\"HKTimeZone\"".utf8)

    /// Returns whether a content may name a zone: whether the key occurs anywhere in it.
    static func mayBe(in content: Span<UInt8>) -> Bool {
        // Few contents contain a capital Z.
        var index = content.firstIndex(of: UInt8(ascii: "Z"), from: 0)
        while index < content.count {
            if index >= 7, content.matches(at: index - 7, key) { return true }
            index = content.firstIndex(of: UInt8(ascii: "Z"), from: index + 1)
        }
        return false
    }

    /// Returns the zone in the metadata of a content; nil if there is none, or if its name is not valid.
    ///
    /// - Parameter json: The content, a JSON object; anything else has no zone.
    static func zone(in json: [UInt8]) -> ExactName? {
        var zone: ExactName?
        var reader = JSONReader(json)
        try? reader.members { reader, key in
            guard key == "metadata" || key == "children", try reader.kind() == .array else {
                try reader.skipNested()
                return true
            }
            try reader.array { reader in
                // In the list `children`, only objects with an element name are elements.
                let entry = try MetadataText(&reader, isNamed: key == "children")
                if entry.key == "HKTimeZone", isZoneName(entry.value) {
                    zone = zone ?? ExactName(entry.value)
                }
            }
            return zone == nil
        }
        return zone
    }

    /// Returns whether a name consists of letters, digits and `_+-` in parts separated by `/`, and so cannot lead out
    /// of its folder.
    package static func isZoneName(_ name: String) -> Bool {
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
    /// Returns the time zones that its rows name, each with the latest start of such a row.
    public func recordedZones() -> RecordedZones {
        var zones: [Int: ExactName] = [:]
        for (number, content) in contents.enumerated() where RecordedZones.mayBe(in: content.span) {
            zones[number + 1] = RecordedZones.zone(in: content)
        }
        var recorded = RecordedZones()
        guard !zones.isEmpty else { return recorded }
        forEachBatchRow { row in
            if let zone = zones[row.head.content], let start = row.start { recorded.add(zone, start.seconds) }
        }
        return recorded
    }
}
