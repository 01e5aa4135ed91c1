/// Rounds amounts to whole units, and carries what remains of one to the next.
///
/// The sum of the counts differs from the sum of the amounts by half a unit at most.
struct WholeCounter {
    private let unit: Int

    /// What the counts do not contain yet, and half a unit more.
    private var rest: Int

    init(unit: Int) {
        self.unit = unit
        rest = unit / 2
    }

    /// Returns the number of units in an amount and in what remained before it.
    mutating func count(_ amount: Int) -> Int {
        rest += amount
        let whole = rest / unit
        rest %= unit
        return whole
    }
}
