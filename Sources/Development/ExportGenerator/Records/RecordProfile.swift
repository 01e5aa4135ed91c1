/// The characteristics of the records of one type, and the prepared pieces of their lines.
struct RecordProfile {
    let type: String
    var value: ValueShape?
    /// The share of the records' bytes, relative to the weights of the other types.
    let weight: Int
    /// The year in which the type was introduced.
    let since: Int
    /// Where records come from; an origin that is listed twice is twice as likely.
    let origins: [Origin]
    /// Seconds from the start of one record to that of the next; fewer if the years are too short for all records.
    let gap: Int
    /// Seconds from the start of a record to its end.
    let duration: ClosedRange<Int>
    var metadata: [MetadataTemplate]
    /// Whether the records occur only at night.
    let isNightly: Bool
    /// Whether the records list the heartbeats they were computed from.
    private let hasHeartbeats: Bool
    private let head: [UInt8]
    private let creation: [UInt8]

    /// Reads a row of the catalogue, which stops the program if it has a mistake.
    ///
    /// Origins may have a factor, as in `3*watch,phone`. After the columns come the names of metadata, and the words
    /// `night` and `heartbeats` for records that have these characteristics.
    init(row: String) {
        let columns = row.split(separator: " ").map(String.init)
        let isCategory = columns[1] == "-"
        let prefix =
            columns[0].hasPrefix("HK") ? "" : "HK\(isCategory ? "Category" : "Quantity")TypeIdentifier"
        type = prefix + columns[0]
        head = Array(" <Record type=\"\(type)\"".utf8)
        creation = Array(
            "\(isCategory ? "" : " unit=\"\(ByteText.escaped(columns[1]))\"") creationDate=\"".utf8)
        value = ValueShape(column: columns[2])
        weight = Self.number(columns[3])
        since = Self.number(columns[4])
        origins = columns[5].split(separator: ",").flatMap { part in
            let words = part.split(separator: "*").map(String.init)
            let origin = Origin.allCases.filter { "\($0)" == words.last }
            precondition(!origin.isEmpty, "no origin \(part)")
            return Array(repeating: origin[0], count: words.count > 1 ? Self.number(words[0]) : 1)
        }
        gap = Self.number(columns[6])
        duration = Self.range(columns[7])
        let words = columns.dropFirst(8)
        isNightly = words.contains("night")
        hasHeartbeats = words.contains("heartbeats")
        metadata = words.filter { $0 != "night" && $0 != "heartbeats" }.map { name in
            guard let template = Catalogue.metadata[name] else { preconditionFailure("no metadata \(name)") }
            return template
        }
    }

    /// Reads `3...940`, or `1` for a range of one number.
    static func range(_ text: String) -> ClosedRange<Int> {
        let bounds = text.split(separator: ".").map { number(String($0)) }
        return bounds[0]...bounds[bounds.count - 1]
    }

    static func number(_ text: String) -> Int {
        guard let number = Int(text) else { preconditionFailure("no number: \(text)") }
        return number
    }

    /// Returns the usual length of a record in bytes, including its children.
    func usualBytes(_ context: ExportContext) -> Int {
        (hasHeartbeats && context.version >= .v8 ? 3600 : 420)
            + (context.options.shape == .uniqueMetadata ? 85 : 0)
    }

    func append(_ draw: RecordDraw, to stream: inout XMLStream) {
        var chance = draw.chance
        let context = stream.context
        stream.text.append(head)
        draw.provenance.append(to: &stream.text)
        stream.text.append(creation)
        stream.text.append(context.time(at: draw.created))
        stream.text.append("\" startDate=\"")
        stream.text.append(context.time(at: draw.start))
        stream.text.append("\" endDate=\"")
        stream.text.append(context.time(at: draw.end))
        if draw.value != nil || value != nil { stream.text.append("\" value=\"") }
        if let known = draw.value {
            stream.text.append(known)
        } else {
            value?.append(&chance, to: &stream.text)
        }
        stream.text.append("\"")
        let start = stream.text.count
        for entry in metadata where entry.oneIn == 1 || chance.oneIn(entry.oneIn) {
            if stream.text.count == start { stream.text.append(">\n") }
            entry.append(&chance, to: &stream)
        }
        let isUnique = context.options.shape == .uniqueMetadata
        let hasBeats = hasHeartbeats && context.version >= .v8
        if isUnique || hasBeats, stream.text.count == start { stream.text.append(">\n") }
        if isUnique {
            stream.text.append("  <MetadataEntry key=\"HKExternalUUID\" value=\"\(chance.identifier())\"/>\n")
            stream.records.metadataEntries += 1
        }
        if hasBeats { stream.heartbeats(from: draw.start, &chance) }
        stream.text.append(stream.text.count > start ? " </Record>\n" : "/>\n")
        stream.records.all += 1
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

extension XMLStream {
    /// Writes the individual heartbeats behind a record of heart rate variability.
    ///
    /// Unlike all other times in the document, theirs are only times of day, in the true local time of that day and
    /// the format of the person's language: `6:14:48.94 PM`, from version 13 on with a narrow no-break space, or
    /// `17:07:00,29`.
    fileprivate mutating func heartbeats(from start: Int, _ chance: inout SplitMix64) {
        let language = String(context.options.locale.prefix { $0.isLetter })
        let commas = ["de", "fr", "es", "it", "nl", "pt", "pl", "ru", "sv", "nb", "da", "fi"]
        let separator = commas.contains(language) ? "," : "."
        let halfDay = language == "en" ? context.since(.v13, "\u{202F}") ?? " " : nil
        let count = chance.pick(from: 24...72)
        var hundredths = 0
        text.append("  <HeartRateVariabilityMetadataList>\n")
        for _ in 0..<count {
            hundredths += chance.pick(from: 66...122)
            text.append("   <InstantaneousBeatsPerMinute bpm=\"\(chance.pick(from: 49...91))\" time=\"")
            let time = context.home.time(at: start + hundredths / 100)
            text.append(halfDay == nil ? time.hour : time.hourOfTwelve, width: halfDay == nil ? 2 : 1)
            let seconds = time.secondOfDay % 60
            for (before, part) in [(":", time.minute), (":", seconds), (separator, hundredths % 100)] {
                text.append(before)
                text.append(part, width: 2)
            }
            if let halfDay { text.append(halfDay + (time.hour < 12 ? "AM" : "PM")) }
            text.append("\"/>\n")
        }
        text.append("  </HeartRateVariabilityMetadataList>\n")
        records.beatLists += 1
        records.beats += count
    }
}
