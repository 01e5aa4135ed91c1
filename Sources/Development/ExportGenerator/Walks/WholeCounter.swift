/// Rounds amounts to whole units, and carries the remainder of each to the next.
///
/// The sum of the counts differs from the sum of the amounts by half a unit at most.
struct WholeCounter {
    private let unit: Int

    /// The amount not counted yet, plus half a unit.
    private var rest: Int

    init(unit: Int) {
        self.unit = unit
        rest = unit / 2
    }

    /// Returns the number of whole units in an amount plus the previous remainder.
    mutating func count(_ amount: Int) -> Int {
        rest += amount
        let whole = rest / unit
        rest %= unit
        return whole
    }
}
