extension ClosedRange {
    /// Makes the range between two bounds, whichever of them is greater.
    ///
    /// `...` ends the program if its bounds are the wrong way round, which bounds that come from outside may be.
    public init(between one: Bound, and other: Bound) { self = Swift.min(one, other)...Swift.max(one, other) }
}
