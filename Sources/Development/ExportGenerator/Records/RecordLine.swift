import CivilTime

/// Writes the records of one type from prepared pieces.
struct RecordLine {
    let type: String

    /// The usual length of a record in bytes, including its children.
    let usualBytes: Int

    private let head: [UInt8]
    private let creation: [UInt8]
    private let value: ValueShape
    private let metadata: [MetadataTemplate]
    private let heartbeats: HeartbeatList?
    private let hasUniqueMetadata: Bool

    init(_ profile: RecordProfile, _ context: ExportContext) {
        type = profile.type
        value = profile.value
        metadata = profile.metadata
        heartbeats = profile.hasHeartbeats ? context.since(.v8, HeartbeatList(context)) : nil
        hasUniqueMetadata = context.options.shape == .uniqueMetadata
        usualBytes = (heartbeats == nil ? 420 : 3600) + (hasUniqueMetadata ? 85 : 0)
        head = Array(" <Record type=\"\(ByteText.escaped(type))\"".utf8)
        let unit = profile.unit.map { " unit=\"\(ByteText.escaped($0))\"" } ?? ""
        creation = Array("\(unit) creationDate=\"".utf8)
    }

    func append(_ draw: RecordDraw, to stream: inout XMLStream) {
        var chance = draw.chance
        stream.text.append(head)
        draw.provenance.append(to: &stream.text)
        stream.text.append(creation)
        stream.text.append(stream.context.time(at: draw.created))
        stream.text.append("\" startDate=\"")
        stream.text.append(stream.context.time(at: draw.start))
        stream.text.append("\" endDate=\"")
        stream.text.append(stream.context.time(at: draw.end))
        if draw.value != nil || value.isPresent { stream.text.append("\" value=\"") }
        if let known = draw.value {
            stream.text.append(known)
        } else {
            value.append(&chance, to: &stream.text)
        }
        stream.text.append(UInt8(ascii: "\""))
        appendChildren(draw, &chance, to: &stream)
        stream.records.records += 1
    }

    private func appendChildren(
        _ draw: RecordDraw, _ chance: inout SplitMix64, to stream: inout XMLStream
    ) {
        let start = stream.text.count
        func open() { if stream.text.count == start { stream.text.append(">\n") } }
        for entry in metadata where entry.occurs(&chance) {
            open()
            entry.append(&chance, to: &stream)
        }
        if hasUniqueMetadata {
            open()
            stream.text.append("  <MetadataEntry key=\"HKExternalUUID\" value=\"\(chance.identifier())\"/>\n")
            stream.records.metadataEntries += 1
        }
        if let heartbeats {
            open()
            heartbeats.append(from: draw.start, &chance, to: &stream)
        }
        stream.text.append(stream.text.count > start ? " </Record>\n" : "/>\n")
    }
}

/// The random choices for one record; equal draws produce equal records.
struct RecordDraw {
    let start: Int
    let end: Int
    let created: Int
    let provenance: Provenance

    /// The random source of the value and the metadata.
    let chance: SplitMix64

    /// The value, or nil to draw one.
    var value: FixedPoint?
}

/// The individual heartbeats behind a record of heart rate variability.
///
/// Unlike all other times in the document, theirs are only times of day, in the true local time of that day and the
/// format of the person's language: `6:14:48.94 PM`, from version 13 on with a narrow no-break space, or `17:07:00,29`.
struct HeartbeatList {
    private let home: HomeTimeZone
    /// What stands before `AM` and `PM`; nil for times with 24 hours.
    private let space: String?
    private let separator: String

    init(_ context: ExportContext) {
        home = context.home
        let commaLanguages = ["de", "fr", "es", "it", "nl", "pt", "pl", "ru", "sv", "nb", "da", "fi"]
        let language = String(context.options.locale.prefix { $0.isLetter })
        space = language == "en" ? context.since(.v13, "\u{202F}") ?? " " : nil
        separator = commaLanguages.contains(language) ? "," : "."
    }

    func append(from start: Int, _ chance: inout SplitMix64, to stream: inout XMLStream) {
        let count = chance.pick(from: 24...72)
        var hundredths = 0
        stream.text.append("  <HeartRateVariabilityMetadataList>\n")
        for _ in 0..<count {
            hundredths += chance.pick(from: 66...122)
            stream.text.append("   <InstantaneousBeatsPerMinute bpm=\"")
            stream.text.append(chance.pick(from: 49...91))
            stream.text.append("\" time=\"")
            append(start + hundredths / 100, hundredths: hundredths % 100, to: &stream.text)
            stream.text.append("\"/>\n")
        }
        stream.text.append("  </HeartRateVariabilityMetadataList>\n")
        stream.records.beatLists += 1
        stream.records.beats += count
    }

    private func append(_ instant: Int, hundredths: Int, to text: inout ByteText) {
        let time = home.time(at: instant)
        text.append(space == nil ? time.hour : time.hourOfTwelve, width: space == nil ? 2 : 1)
        for (before, number) in [(":", time.minute), (":", time.secondOfDay % 60), (separator, hundredths)] {
            text.append(before)
            text.append(number, width: 2)
        }
        if let space { text.append("\(space)\(time.hour < 12 ? "AM" : "PM")") }
    }
}
