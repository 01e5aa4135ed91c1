public import ByteText

/// How samples are grouped into batches.
public struct BatchOptions: Sendable, Equatable {
    /// The calendar span of a batch.
    public enum Span: Sendable, Equatable {
        /// A month for the six busiest types, half a year for all others: for sessions, which do one batch at a time.
        case automatic
        /// Half a year for the six busiest types, a year for all others: for long documents.
        case long
        /// A span that ``BatchOptions/resolved(forLength:)`` chooses: the shorter the document, the longer the span.
        case byLength
        /// The same for all types.
        case every(SpanRule)
    }

    /// The calendar span.
    public private(set) var span: Span
    /// The maximum number of rows in a batch; more are split into parts.
    public private(set) var rowLimit: Int
    /// The maximum size of the rows of a batch, as ``RowValues`` counts it (roughly a twentieth of the XML); more are split into
    /// parts.
    public private(set) var byteLimit: Int

    /// The default row limit; the default limits keep a batch near 1 MiB of JSON.
    public static let defaultRowLimit = 65_536
    /// The default byte limit.
    public static let defaultByteLimit = 1 << 18
    /// The maximum number of bytes of a batch's rows as NDJSON, regardless of the options.
    ///
    /// A batch is closed before it exceeds this. Readers accept twice as much, because a single row may be larger.
    public static let lineLimit = 1 << 25
    /// The largest row limit that is accepted.
    public static let largestRowLimit = 1 << 32
    /// The largest byte limit that is accepted.
    public static let largestByteLimit = 1 << 22

    /// Creates options.
    public init(
        span: Span = .automatic, rowLimit: Int = defaultRowLimit, byteLimit: Int = defaultByteLimit
    ) {
        self.span = span.clamped
        self.rowLimit = min(max(1, rowLimit), Self.largestRowLimit)
        self.byteLimit = min(max(1 << 12, byteLimit), Self.largestByteLimit)
    }

    /// Parses options entered by a person.
    ///
    /// These are `auto`, a span such as `1month`, `2weeks`, `1year`, `month/half-year`, `half-year/year` or `all`, a number
    /// of rows such as `5000`, or a number of bytes such as `4MiB`, or several of them separated by commas. The default
    /// span is `auto`.
    public init?(parsing text: String) {
        self.init(span: .byLength)
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            if let span = Self.words.first(where: { $0.word == word })?.span {
                self.span = span
                continue
            }
            let digits = word.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits), number > 0, number < 1 << 40 else { return nil }
            switch word.dropFirst(digits.count) {
            case "": rowLimit = number
            case "hour", "hours": span = .every(.hours(number))
            case "day", "days": span = .every(.days(number))
            case "week", "weeks": span = .every(.weeks(number))
            case "month", "months": span = .every(.months(number))
            case "year", "years": span = .every(.months(12 * number))
            case "B": byteLimit = number
            case "KiB": byteLimit = number << 10
            case "MiB": byteLimit = number << 20
            default: return nil
            }
        }
        span = span.clamped
        guard ((1 << 12)...Self.largestByteLimit).contains(byteLimit), rowLimit <= Self.largestRowLimit
        else { return nil }
    }

    /// The options as text that `init(parsing:)` accepts.
    public var description: String {
        let span =
            switch span {
            case .automatic: Self.automaticWord
            case .long: Self.longWord
            case .byLength: Self.byLengthWord
            case .every(.months(let count)): "\(count)months"
            case .every(.weeks(let count)): "\(count)weeks"
            case .every(.days(let count)): "\(count)days"
            case .every(.hours(let count)): "\(count)hours"
            case .every(.all): Self.allWord
            }
        let bytes = byteLimit & 1023 == 0 ? "\(byteLimit >> 10)KiB" : "\(byteLimit)B"
        return "\(span),\(rowLimit),\(bytes)"
    }

    private static let automaticWord = "month/half-year"
    private static let longWord = "half-year/year"
    private static let byLengthWord = "auto"
    private static let allWord = "all"

    /// The spans that are words.
    private static let words: [(word: String, span: Span)] = [
        (byLengthWord, .byLength), (automaticWord, .automatic), (longWord, .long), (allWord, .every(.all)),
    ]

    /// The spans for documents shorter than a length in bytes.
    ///
    /// Each batch costs about a kilobyte and a tenth of a millisecond, and most types have few samples a month. Changes in a
    /// later export rewrite whole spans, which is cheap only for short documents. Each span is part of one listed before it.
    private static let spansByLength: [(length: Int, span: Span)] = [
        (25_000_000, .every(.all)), (70_000_000, .every(.months(60))), (200_000_000, .every(.months(12))),
    ]

    /// Returns the same options with a span that no longer depends on the length.
    ///
    /// - Parameter length: The length of the document; nil if it is not known in advance, which counts as long.
    public func resolved(forLength length: Int?) -> BatchOptions {
        guard span == .byLength else { return self }
        var settled = self
        let fitting = length.flatMap { length in Self.spansByLength.first { length < $0.length } }
        settled.span = fitting?.span ?? .long
        return settled
    }

    /// Returns whether these options can be the result of `resolved(forLength:)` for others.
    public func mayBe(resolvedFrom other: BatchOptions) -> Bool {
        guard other.span == .byLength else { return self == other }
        let isChosen = span == .long || Self.spansByLength.contains { $0.span == span }
        return isChosen && rowLimit == other.rowLimit && byteLimit == other.byteLimit
    }

    /// The longest spans that are accepted, in their units; between a hundred and a thousand years each.
    fileprivate static let longest = (hours: 1_000_000, days: 100_000, weeks: 10_000, months: 12_000)

    /// The six types that a phone with a watch records most.
    private static let busiestTypes: Set<String> = [
        "HKQuantityTypeIdentifierActiveEnergyBurned", "HKQuantityTypeIdentifierBasalEnergyBurned",
        "HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierDistanceWalkingRunning",
        "HKQuantityTypeIdentifierPhysicalEffort", "HKQuantityTypeIdentifierStepCount",
    ]

    /// Returns the span rule for a type, by its identifier.
    public func rule(forType type: String) -> SpanRule {
        switch span {
        case .automatic: .months(Self.busiestTypes.contains(type) ? 1 : 6)
        case .long, .byLength: .months(Self.busiestTypes.contains(type) ? 6 : 12)
        case .every(let rule): rule
        }
    }
}

extension BatchOptions.Span {
    /// The span, limited to at least one unit and at most the longest that is accepted.
    fileprivate var clamped: Self {
        func clamp(_ count: Int, _ longest: Int) -> Int { min(max(1, count), longest) }
        let longest = BatchOptions.longest
        return switch self {
        case .automatic, .long, .byLength, .every(.all): self
        case .every(.hours(let count)): .every(.hours(clamp(count, longest.hours)))
        case .every(.days(let count)): .every(.days(clamp(count, longest.days)))
        case .every(.weeks(let count)): .every(.weeks(clamp(count, longest.weeks)))
        case .every(.months(let count)): .every(.months(clamp(count, longest.months)))
        }
    }
}
