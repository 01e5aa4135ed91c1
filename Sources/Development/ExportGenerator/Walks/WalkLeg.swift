/// About ten minutes of a walk at a constant pace, which the phone saves as one record.
struct WalkLeg {
    /// Half the length in seconds; the length itself is even.
    static let halfLength = 270...330

    /// The share of the true amount that a phone measures, in thousandths.
    private static let phoneShare = 860...990

    let time: Range<Int>

    /// The true amount per second.
    let rate: Int

    /// The amount per second that the phone measures.
    let phoneRate: Int

    init(from start: Int, _ measure: WalkMeasure, _ chance: inout SplitMix64) {
        time = start..<start + 2 * chance.pick(from: Self.halfLength)
        rate = chance.pick(from: measure.rate)
        phoneRate = rate * chance.pick(from: Self.phoneShare) / 1000
    }
}
