public import ByteText
public import SystemIO

/// The name of an export at a destination: `health-2026-11-23.hvault`, continued by
/// `health-2026-11-23.plus-2026-12-01.hvault`.
///
/// The days are those of the exports inside. A further archive of an export of the same day is
/// `health-2026-11-23-another-2.hvault`. Names are for people: what continues what, and which is newer, is told by the
/// archives themselves. They contain no personal data, and are valid on every file system.
public struct ArchiveName: Sendable, Hashable, Comparable {
    /// A day, and the number of the archive among those that would have the same name otherwise.
    public struct Part: Sendable, Hashable {
        /// The day of an export.
        public let day: CivilDate
        /// 1 for the first archive, and so on.
        public let number: Int

        /// Makes a part of a name.
        public init(day: CivilDate, number: Int = 1) {
            self.day = day
            self.number = number
        }

        private static let mark: BytePath = "-another-"

        /// Reads a part of a name; nil if it does not have this form.
        init?(_ text: BytePath) {
            guard text.bytes.count >= 10, let day = CivilDate(Array(text.bytes.prefix(10)).span) else {
                return nil
            }
            self.init(day: day)
            let tail = BytePath(bytes: text.bytes.dropFirst(10))
            if let digits = tail.dropping(prefix: Self.mark)?.text {
                guard let number = Int(digits), number > 1, number < 1_000_000 else { return nil }
                self.init(day: day, number: number)
            }
            // Numbers may have been written with leading zeroes.
            guard base == text else { return nil }
        }

        /// The text of the part.
        var base: BytePath { number > 1 ? "\(day.description)\(Self.mark)\(number)" : "\(day.description)" }
    }

    /// The export that the chain begins with.
    public let first: Part
    /// The export that this archive adds; nil for a full one.
    public let addition: Part?

    private static let stem: BytePath = "health-"
    private static let plus: BytePath = ".plus-"

    /// Makes a name.
    public init(_ first: Part, adding addition: Part? = nil) {
        self.first = first
        self.addition = addition
    }

    /// Reads a name without its suffix; nil if it does not have this form.
    public init?(_ name: BytePath) {
        guard let rest = name.dropping(prefix: Self.stem) else { return nil }
        guard let mark = rest.bytes.firstIndex(of: UInt8(ascii: ".")) else {
            guard let first = Part(rest) else { return nil }
            self.init(first)
            return
        }
        guard let first = Part(BytePath(bytes: rest.bytes[..<mark])),
            let text = BytePath(bytes: rest.bytes[mark...]).dropping(prefix: Self.plus),
            let addition = Part(text)
        else { return nil }
        self.init(first, adding: addition)
    }

    /// The name without a suffix.
    public var base: BytePath {
        let start = Self.stem + first.base
        return addition.map { start + Self.plus + $0.base } ?? start
    }

    /// The day of the newest export inside.
    public var day: CivilDate { addition?.day ?? first.day }

    private var order: (Int, Int, Int, Int) {
        (day.daysSince1970, first.day.daysSince1970, first.number, addition?.number ?? 0)
    }

    /// Orders names by the newest export inside.
    public static func < (left: ArchiveName, right: ArchiveName) -> Bool { left.order < right.order }
}
