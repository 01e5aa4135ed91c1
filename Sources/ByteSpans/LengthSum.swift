/// A sum of lengths or counts that come from outside: files, directories, manifests.
///
/// Whoever made them may have chosen them, and a sum that does not fit must not end the program. One that would be more
/// than `Int.max` stays there.
public struct LengthSum: Sendable, Equatable {
    /// The sum.
    public private(set) var value = 0

    /// Nothing yet.
    public init() {}

    /// A sum that starts with a length.
    public init(_ length: Int) { value = max(0, length) }

    /// Adds a length; a negative one is none.
    public mutating func add(_ length: Int) {
        let (sum, isTooLarge) = value.addingReportingOverflow(max(0, length))
        value = isTooLarge ? .max : sum
    }

    /// The lengths together.
    public static func of(_ lengths: Int...) -> Int { lengths.total { $0 } }
}

extension Sequence {
    /// The sum of what `length` gives for each element, `Int.max` where it would be more.
    public func total<Failure: Error>(_ length: (Element) throws(Failure) -> Int) throws(Failure) -> Int {
        var sum = LengthSum()
        for element in self { sum.add(try length(element)) }
        return sum.value
    }
}
