/// Writes the records of one type from prepared pieces.
struct RecordLine {
    let type: String

    /// The usual length of a record in bytes, including its children.
    let usualBytes: Int

    private let head: [UInt8]
    private let creation: [UInt8]
    private let value: ValueWriter
    private let metadata: [MetadataWriter]
    private let heartbeats: HeartbeatList?
    private let hasUniqueMetadata: Bool
    private let clock: ExportClock

    init(_ profile: RecordProfile, _ context: ExportContext) {
        type = profile.type
        clock = context.clock
        value = ValueWriter(profile.value)
        metadata = profile.metadata.map(MetadataWriter.init)
        heartbeats = profile.hasHeartbeats && context.version >= .v8 ? HeartbeatList(context) : nil
        hasUniqueMetadata = context.options.shape == .uniqueMetadata
        usualBytes = (heartbeats == nil ? 420 : 3600) + (hasUniqueMetadata ? 85 : 0)
        var head = ByteText()
        head.append(" <Record type=\"")
        head.append(escaped: profile.type)
        head.append("\"")
        self.head = head.bytes
        var creation = ByteText()
        if let unit = profile.unit {
            creation.append(" unit=\"")
            creation.append(escaped: unit)
            creation.append("\"")
        }
        creation.append(" creationDate=\"")
        self.creation = creation.bytes
    }

    func append(_ draw: RecordDraw, to stream: inout XMLStream) {
        var chance = draw.chance
        appendAttributes(draw, &chance, to: &stream.text)
        var hasChildren = false
        for entry in metadata where entry.occurs(&chance) {
            Self.open(&hasChildren, &stream)
            entry.append(&chance, to: &stream)
        }
        if hasUniqueMetadata {
            Self.open(&hasChildren, &stream)
            appendUniqueMetadata(&chance, to: &stream)
        }
        if let heartbeats {
            Self.open(&hasChildren, &stream)
            heartbeats.append(from: draw.start, &chance, to: &stream)
        }
        stream.text.append(hasChildren ? " </Record>\n" : "/>\n")
        stream.records.records += 1
    }

    private static func open(_ isOpen: inout Bool, _ stream: inout XMLStream) {
        guard !isOpen else { return }
        stream.text.append(">\n")
        isOpen = true
    }

    private func appendAttributes(_ draw: RecordDraw, _ chance: inout SplitMix64, to text: inout ByteText) {
        text.append(head)
        draw.edition.append(address: draw.address, to: &text)
        text.append(creation)
        clock.append(draw.created, to: &text)
        text.append("\" startDate=\"")
        clock.append(draw.start, to: &text)
        text.append("\" endDate=\"")
        clock.append(draw.end, to: &text)
        if let known = draw.value {
            text.append("\" value=\"")
            text.append(known)
        } else if value.isPresent {
            text.append("\" value=\"")
            value.append(&chance, to: &text)
        }
        text.append(UInt8(ascii: "\""))
    }

    private func appendUniqueMetadata(_ chance: inout SplitMix64, to stream: inout XMLStream) {
        stream.text.append("  <MetadataEntry key=\"HKExternalUUID\" value=\"")
        Identifier(from: &chance).append(to: &stream.text)
        stream.text.append("\"/>\n")
        stream.records.metadataEntries += 1
    }
}
