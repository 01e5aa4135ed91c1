/// How samples are put into batches.
public struct BatchOptions: Sendable, Equatable {
    /// The calendar span of a batch.
    public enum Span: Sendable, Equatable {
        /// A month for the six busiest types, half a year for all others.
        case automatic
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

    /// Reads what a person writes: `auto`, a span such as `1month`, `2weeks` or `1year`, a number of rows such as
    /// `5000`, or a number of bytes such as `4MiB`; several with commas.
    public init?(parsing text: String) {
        self.init()
        for word in text.split(separator: ",", omittingEmptySubsequences: false) where word != "auto" {
            guard word != "all" else {
                span = .every(.all)
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
            case .automatic: "auto"
            case .every(.months(let count)): "\(count)months"
            case .every(.weeks(let count)): "\(count)weeks"
            case .every(.days(let count)): "\(count)days"
            case .every(.hours(let count)): "\(count)hours"
            case .every(.all): "all"
            }
        let bytes = byteLimit & 1023 == 0 ? "\(byteLimit >> 10)KiB" : "\(byteLimit)B"
        return "\(span),\(rowLimit),\(bytes)"
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
        case .automatic: .months(Self.busiestTypes.contains(type) ? 1 : 6)
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
        case .automatic, .every(.all): self
        case .every(.hours(let count)): .every(.hours(clamp(count, longest.hours)))
        case .every(.days(let count)): .every(.days(clamp(count, longest.days)))
        case .every(.weeks(let count)): .every(.weeks(clamp(count, longest.weeks)))
        case .every(.months(let count)): .every(.months(clamp(count, longest.months)))
        }
    }
}
