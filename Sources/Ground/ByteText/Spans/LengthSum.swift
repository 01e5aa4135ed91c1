/// A sum of lengths or counts that come from outside: from files, directories or manifests.
///
/// An attacker may have chosen them, and an overflow must not end the program: the sum stays at `Int.max` instead.
public struct LengthSum: Sendable, Equatable {
    /// The sum.
    public var value: Int { sum }
    @usableFromInline var sum = 0

    /// Creates a sum of 0.
    @inlinable
    public init() {}

    /// Creates a sum that starts with a length; a negative one counts as 0.
    public init(_ length: Int) { sum = max(0, length) }

    /// Adds a length; a negative one counts as 0.
    @inlinable
    public mutating func add(_ length: Int) {
        let (more, isTooLarge) = sum.addingReportingOverflow(max(0, length))
        sum = isTooLarge ? .max : more
    }

    /// Returns the sum of some lengths.
    public static func of(_ lengths: Int...) -> Int { lengths.total { $0 } }
}

extension Sequence {
    /// Returns the sum of `length` over all elements, at most `Int.max`.
    @inlinable
    public func total<Failure: Error>(_ length: (Element) throws(Failure) -> Int) throws(Failure) -> Int {
        var sum = LengthSum()
        for element in self { sum.add(try length(element)) }
        return sum.sum
    }
}
