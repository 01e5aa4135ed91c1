/// A value of one of SQLite's five storage classes.
public enum DatabaseValue: Sendable, Equatable {
    /// NULL.
    case null
    /// A signed integer of 64 bits.
    case integer(Int)
    /// A double; never NaN, which SQLite stores as NULL.
    case real(Double)
    /// A text as bytes of UTF-8, which SQLite does not check.
    case text([UInt8])
    /// Bytes.
    case blob([UInt8])
}
