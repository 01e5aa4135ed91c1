/// Which devices record a walk.
enum WalkDevices {
    case both

    /// The watch is on its charger.
    case phoneAlone

    /// The phone lies on a table.
    case watchAlone

    /// The watch is put on during the walk.
    case watchPutOn

    /// The watch is taken off during the walk.
    case watchTakenOff

    /// The phone is fetched after the first leg, if there is more than one.
    case phoneFetched

    private static let frequencies: [WalkDevices] = [
        .both, .both, .both, .phoneAlone, .watchAlone, .watchPutOn, .watchTakenOff, .phoneFetched,
    ]

    init(from chance: inout SplitMix64) {
        self = chance.pick(from: Self.frequencies)
    }

    /// Returns the time during which the watch records: empty, or at least a minute.
    ///
    /// It begins and ends an odd number of seconds after the start of the walk, and legs an even number, so watch
    /// and phone records never share a boundary.
    func watchTime(in walk: Range<Int>, _ chance: inout SplitMix64) -> Range<Int> {
        let start = walk.lowerBound + Self.oddSeconds(from: &chance)
        let end = walk.upperBound - Self.oddSeconds(from: &chance)
        let middle = walk.lowerBound + 2 * chance.pick(from: 60...walk.count / 2 - 60) + 1
        switch self {
        case .both, .watchAlone, .phoneFetched: return start..<end
        case .phoneAlone: return start..<start
        case .watchPutOn: return middle..<end
        case .watchTakenOff: return start..<middle
        }
    }

    /// Returns the indices of the legs that the phone records.
    func phoneLegs(of count: Int) -> Range<Int> {
        switch self {
        case .watchAlone: 0..<0
        case .phoneFetched: min(1, count - 1)..<count
        case .both, .phoneAlone, .watchPutOn, .watchTakenOff: 0..<count
        }
    }

    /// Draws the number of seconds by which the watch begins late or ends early.
    private static func oddSeconds(from chance: inout SplitMix64) -> Int {
        2 * chance.pick(from: 3...20) + 1
    }
}
