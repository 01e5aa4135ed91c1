/// About ten minutes of a walk at a constant pace, which the phone puts into one record.
struct WalkLeg {
    /// Half the length in seconds; the length itself is even.
    static let halfLength = 270...330

    /// How many thousandths of the true amount a phone measures.
    private static let phoneShare = 860...990

    let time: Range<Int>

    /// The true amount in each second.
    let rate: Int

    /// The amount in each second that the phone measures.
    let phoneRate: Int

    init(from start: Int, _ measure: WalkMeasure, _ chance: inout SplitMix64) {
        time = start..<start + 2 * chance.pick(from: Self.halfLength)
        rate = chance.pick(from: measure.rate)
        phoneRate = rate * chance.pick(from: Self.phoneShare) / 1000
    }
}
