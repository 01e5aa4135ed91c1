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
        heartbeats = profile.hasHeartbeats && context.version >= .v8 ? HeartbeatList(context) : nil
        hasUniqueMetadata = context.options.shape == .uniqueMetadata
        usualBytes = (heartbeats == nil ? 420 : 3600) + (hasUniqueMetadata ? 85 : 0)
        head = Array(" <Record type=\"\(ByteText.escaped(type))\"".utf8)
        let unit = profile.unit.map { " unit=\"\(ByteText.escaped($0))\"" } ?? ""
        creation = Array("\(unit) creationDate=\"".utf8)
    }

    func append(_ draw: RecordDraw, to stream: inout XMLStream) {
        var chance = draw.chance
        appendAttributes(draw, &chance, to: &stream)
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

    private func appendAttributes(
        _ draw: RecordDraw, _ chance: inout SplitMix64, to stream: inout XMLStream
    ) {
        stream.text.append(head)
        draw.provenance.append(to: &stream.text)
        stream.text.append(creation)
        stream.append(instant: draw.created)
        stream.text.append("\" startDate=\"")
        stream.append(instant: draw.start)
        stream.text.append("\" endDate=\"")
        stream.append(instant: draw.end)
        if draw.value != nil || value.isPresent { stream.text.append("\" value=\"") }
        if let known = draw.value {
            stream.text.append(known)
        } else {
            value.append(&chance, to: &stream.text)
        }
        stream.text.append(UInt8(ascii: "\""))
    }

    private func appendUniqueMetadata(_ chance: inout SplitMix64, to stream: inout XMLStream) {
        stream.text.append("  <MetadataEntry key=\"HKExternalUUID\" value=\"")
        stream.text.append(Identifier(from: &chance).text)
        stream.text.append("\"/>\n")
        stream.records.metadataEntries += 1
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
/// format of the person's language.
struct HeartbeatList {
    private enum TimeForm {
        /// `6:14:48.94 PM`, from version 13 on with a narrow no-break space.
        case twelveHours(space: String)

        /// `17:07:00,29`
        case twentyFourHours(separator: UInt8)
    }

    private let home: HomeTimeZone
    private let form: TimeForm

    init(_ context: ExportContext) {
        home = context.home
        let commaLanguages = ["de", "fr", "es", "it", "nl", "pt", "pl", "ru", "sv", "nb", "da", "fi"]
        let language = context.options.locale.prefix { $0.isLetter }
        if language == "en" {
            form = .twelveHours(space: context.version < .v13 ? " " : "\u{202F}")
        } else {
            let hasComma = commaLanguages.contains(String(language))
            form = .twentyFourHours(separator: hasComma ? UInt8(ascii: ",") : UInt8(ascii: "."))
        }
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
        func append(_ hour: Int, width: Int, separator: UInt8) {
            text.append(hour, width: width)
            text.append(UInt8(ascii: ":"))
            text.append(time.minute, width: 2)
            text.append(UInt8(ascii: ":"))
            text.append(time.secondOfDay % 60, width: 2)
            text.append(separator)
            text.append(hundredths, width: 2)
        }
        switch form {
        case .twelveHours(let space):
            let hour = time.hourOfTwelve
            append(hour, width: hour < 10 ? 1 : 2, separator: UInt8(ascii: "."))
            text.append(space)
            text.append(time.hour < 12 ? "AM" : "PM")
        case .twentyFourHours(let separator):
            append(time.hour, width: 2, separator: separator)
        }
    }
}
