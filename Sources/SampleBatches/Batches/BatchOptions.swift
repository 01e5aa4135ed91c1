/// How samples are put into batches.
public struct BatchOptions: Sendable, Equatable {
    /// The calendar span of a batch.
    public enum Span: Sendable, Equatable {
        /// A month for the six busiest types, half a year for all others.
        case automatic
        /// The longer, the shorter the document is; ``BatchOptions/settled(forLength:)`` decides.
        case byLength
        /// The same for all types.
        case every(SpanRule)
    }

    /// The calendar span.
    public private(set) var span: Span
    /// A batch with more rows becomes several parts.
    public private(set) var rowLimit: Int
    /// A batch with more packed bytes (roughly a twentieth of the XML) becomes several parts.
    public private(set) var byteLimit: Int

    /// The default limits keep a batch near a MiB of JSON.
    public static let defaultRowLimit = 65_536
    /// See `byteLimit`.
    public static let defaultByteLimit = 1 << 18
    /// A batch is closed before its rows as NDJSON would have more bytes than this, whatever the options say.
    ///
    /// Readers take twice as much, because a single row may be larger.
    public static let lineLimit = 1 << 25
    /// The largest row limit that is taken.
    public static let largestRowLimit = 1 << 32
    /// The largest byte limit that is taken.
    public static let largestByteLimit = 1 << 22

    /// Makes options.
    public init(
        span: Span = .automatic, rowLimit: Int = defaultRowLimit, byteLimit: Int = defaultByteLimit
    ) {
        self.span = span.clamped
        self.rowLimit = min(max(1, rowLimit), Self.largestRowLimit)
        self.byteLimit = min(max(1 << 12, byteLimit), Self.largestByteLimit)
    }

    /// Reads what a person writes.
    ///
    /// That is `auto`, a span such as `1month`, `2weeks`, `1year`, `month/half-year` or `all`, a number of rows such as
    /// `5000`, or a number of bytes such as `4MiB`; several with commas. Without a span it is `auto`.
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

    /// The options in one word, as `init(parsing:)` takes them.
    public var description: String {
        let span =
            switch span {
            case .automatic: Self.automaticWord
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
    private static let byLengthWord = "auto"
    private static let allWord = "all"

    /// The spans that are words.
    private static let words: [(word: String, span: Span)] = [
        (byLengthWord, .byLength), (automaticWord, .automatic), (allWord, .every(.all)),
    ]

    /// Up to which length of a document, in bytes, which span is taken.
    ///
    /// A batch costs about a kilobyte whatever is in it, and most types have few samples a month. What a further export
    /// changes is written anew as a whole, span by span, which is cheap only for short documents. Each span is a part of
    /// one further up.
    private static let spansByLength: [(length: Int, span: Span)] = [
        (25_000_000, .every(.all)), (70_000_000, .every(.months(60))), (200_000_000, .every(.months(12))),
    ]

    /// The same with a span that does not depend on the length any more.
    ///
    /// - Parameter length: The document's, as its source says; nil where only the end will tell, which is taken to be far.
    public func settled(forLength length: Int?) -> BatchOptions {
        guard span == .byLength else { return self }
        var settled = self
        let fitting = length.flatMap { length in Self.spansByLength.first { length < $0.length } }
        settled.span = fitting?.span ?? .automatic
        return settled
    }

    /// These may be what others were settled to.
    public func mayBe(settledFrom other: BatchOptions) -> Bool {
        guard other.span == .byLength else { return self == other }
        let isChosen = span == .automatic || Self.spansByLength.contains { $0.span == span }
        return isChosen && rowLimit == other.rowLimit && byteLimit == other.byteLimit
    }

    /// The longest spans that are taken, in their units; some thousand years each.
    fileprivate static let longest = (hours: 1_000_000, days: 100_000, weeks: 10_000, months: 12_000)

    /// The six types of which a phone with a watch records most.
    private static let busiestTypes: Set<String> = [
        "HKQuantityTypeIdentifierActiveEnergyBurned", "HKQuantityTypeIdentifierBasalEnergyBurned",
        "HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierDistanceWalkingRunning",
        "HKQuantityTypeIdentifierPhysicalEffort", "HKQuantityTypeIdentifierStepCount",
    ]

    /// The spans of one type, by its identifier.
    public func rule(forType type: String) -> SpanRule {
        switch span {
        case .automatic, .byLength: .months(Self.busiestTypes.contains(type) ? 1 : 6)
        case .every(let rule): rule
        }
    }
}

extension BatchOptions.Span {
    /// At least one unit, and not more than the calendar has.
    fileprivate var clamped: Self {
        func clamp(_ count: Int, _ longest: Int) -> Int { min(max(1, count), longest) }
        let longest = BatchOptions.longest
        return switch self {
        case .automatic, .byLength, .every(.all): self
        case .every(.hours(let count)): .every(.hours(clamp(count, longest.hours)))
        case .every(.days(let count)): .every(.days(clamp(count, longest.days)))
        case .every(.weeks(let count)): .every(.weeks(clamp(count, longest.weeks)))
        case .every(.months(let count)): .every(.months(clamp(count, longest.months)))
        }
    }
}
