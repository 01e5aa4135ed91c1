public import ByteText

/// The identifier of a user: a random UUID.
public struct UserID: Sendable, Hashable, CustomStringConvertible {
    /// The UUID in lower case.
    public let description: String

    /// Creates a random identifier.
    public init() {
        var number = UInt128(UInt64.random(in: 0 ... .max)) << 64 | UInt128(UInt64.random(in: 0 ... .max))
        // Version 4, variant 1 (RFC 9562, section 5.4).
        number = number & ~(0xf << 76) | 0x4 << 76
        number = number & ~(0x3 << 62) | 0x2 << 62
        let digits = String(number, radix: 16)
        let text = Array(String(repeating: "0", count: 32 - digits.count) + digits)
        description = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(text[$0]) }
            .joined(separator: "-")
    }

    /// Reads a UUID; nil if the text is none.
    public init?(_ text: String) {
        let parts = text.lowercased().split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12],
            parts.joined().allSatisfy({ $0.isASCII && $0.isHexDigit })
        else { return nil }
        description = parts.joined(separator: "-")
    }
}

/// A person whose analytics a database contains.
public struct User: Sendable, Equatable {
    /// The identifier.
    public let userID: UserID
    /// The day of birth; nil if it is unknown.
    public var birthdate: CivilDate?
    /// When analytics were last updated; the start of 1999 before the first time.
    public var lastProcessedAt: Timestamp = User.never
    /// When the user was created.
    public let firstInit: Timestamp
    /// The day of the earliest sample; HealthKit's first month until it is known.
    public var firstHealthKitRecord: CivilDate = "2014-09-01"
    /// Whether an app may notify the user.
    public var receivesNotifications = true
    /// Whether an app may read the user's health data.
    public var healthkitAuthorized = false
    /// Whether values are shown in metric units.
    public var usesMetric = true

    /// The time of an update that has never happened.
    static let never = Timestamp(seconds: 915_148_800, offsetMinutes: 0)
}
