import ByteText

/// The name and the date of what a FHIR resource is about.
struct ResourceSummary {
    /// The text of its code, such as the name of a medication; nil if it has none.
    ///
    /// A reader of FHIR would look into coded terms as well; this takes the texts that people read.
    private(set) var name: String?
    /// The day, month or year of what it tells, such as `2025-05-01`; nil if it states none.
    private(set) var date: String?

    /// The members with names, the first of which counts.
    private static let names = ["code", "medicationCodeableConcept", "vaccineCode", "type"]
    /// The members with dates or periods, the first of which counts.
    ///
    /// When something was comes before when it was decided, and that before when it was written down. Names of older
    /// versions of FHIR are among them.
    private static let dates = [
        "effectiveDateTime", "effectivePeriod", "effectiveInstant", "effectiveTimeDateTime",
        "effectiveTimePeriod", "onsetDateTime", "onsetPeriod", "performedDateTime", "performedPeriod",
        "occurrenceDateTime", "authoredOn", "dateWritten", "dateAsserted", "whenHandedOver", "whenPrepared",
        "assertedDate", "recordedDate", "dateRecorded", "period", "date", "issued",
    ]

    /// Creates an empty summary.
    init() {}

    /// Creates the summary of a resource; empty if it cannot be read.
    init(of resource: [UInt8], _ days: Days) {
        var reader = JSONReader(resource)
        var (names, dates): ([String: String], [String: String]) = ([:], [:])
        do {
            try reader.object { reader, key in
                if Self.names.contains(key) {
                    names[key] = try Self.concept(&reader)
                } else if Self.dates.contains(key) {
                    dates[key] = try Self.start(&reader).flatMap { Self.day($0, days) }
                } else {
                    _ = try reader.skip()
                }
            }
        } catch { return }
        name = Self.names.lazy.compactMap { names[$0] }.first
        date = Self.dates.lazy.compactMap { dates[$0] }.first
    }

    /// Reads a time, or the start of a period.
    private static func start(_ reader: inout JSONReader) throws -> String? {
        switch try reader.kind() {
        case .string: return try reader.string()
        case .object:
            var start: String?
            try reader.object { reader, key in
                if key == "start", try reader.kind() == .string {
                    start = try reader.string()
                } else {
                    _ = try reader.skip()
                }
            }
            return start
        default:
            _ = try reader.skip()
            return nil
        }
    }

    /// Returns the day of a time; a day, month or year without a time as it is; nil for any other text.
    private static func day(_ text: String, _ days: Days) -> String? {
        // Fractions of seconds do not matter, and UTC has a name of its own.
        let zone = text.hasSuffix("Z") ? "+00:00" : String(text.suffix(6))
        if let time = Timestamp(iso: Array("\(text.prefix(19))\(zone)".utf8).span) {
            return days.day(of: time.seconds).description
        }
        let first = Array("\(text.prefix(10))-01-01".utf8.prefix(10))
        return CivilDate(first.span).map { _ in String(text.prefix(10)) }
    }

    /// Reads the text of a concept, or the first display name or code of its codings.
    private static func concept(_ reader: inout JSONReader) throws -> String? {
        guard try reader.kind() == .object else {
            _ = try reader.skip()
            return nil
        }
        var (text, coding): (String?, String?)
        try reader.object { reader, key in
            switch (key, try reader.kind()) {
            case ("text", .string): text = try reader.string()
            case ("coding", .array):
                try reader.array { reader in
                    let found = try Self.coding(&reader)
                    coding = coding ?? found
                }
            default: _ = try reader.skip()
            }
        }
        return text ?? coding
    }

    private static func coding(_ reader: inout JSONReader) throws -> String? {
        guard try reader.kind() == .object else {
            _ = try reader.skip()
            return nil
        }
        var (display, code): (String?, String?)
        try reader.object { reader, key in
            switch (key, try reader.kind()) {
            case ("display", .string): display = try reader.string()
            case ("code", .string): code = try reader.string()
            default: _ = try reader.skip()
            }
        }
        return display ?? code
    }
}
