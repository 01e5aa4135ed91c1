/// Records, each with a random type, date, origin and device address.
struct ShuffledRecords: Section {
    private let profiles: [RecordProfile]
    private let lines: [RecordLine]
    private let weights: [Int]
    private let end: Int
    private let context: ExportContext
    private var written: [Int]
    private var chance: SplitMix64

    init(_ profiles: [RecordProfile], until end: Int, _ context: ExportContext) {
        self.profiles = profiles
        self.end = end
        self.context = context
        lines = profiles.map { RecordLine($0, context) }
        var sum = 0
        weights = zip(profiles, lines).map { profile, line in
            // The weights are shares of bytes, so long records must occur less often.
            sum += profile.weight * 4200 / line.usualBytes
            return sum
        }
        written = Array(repeating: 0, count: profiles.count)
        chance = context.chance(.records)
    }

    mutating func appendNext(to stream: inout XMLStream) -> Bool {
        guard stream.position + lines[0].usualBytes / 2 < end else {
            for (line, count) in zip(lines, written) { stream.count(count, recordsOfType: line.type) }
            written = written.map { _ in 0 }
            return false
        }
        let index = pickType()
        let profile = profiles[index]
        let span = context.span(since: profile.since)
        let start = chance.pick(from: span)
        let end = min(start + chance.pick(from: profile.duration), span.upperBound)
        let draw = RecordDraw(
            start: start, end: end, created: min(end + chance.below(900), span.upperBound),
            provenance: context.provenance(
                of: chance.pick(from: profile.origins), at: start, from: &chance),
            chance: SplitMix64(seed: chance.next()))
        lines[index].append(draw, to: &stream)
        written[index] += 1
        return true
    }

    /// Returns the index of a type, chosen in proportion to its weight.
    private mutating func pickType() -> Int {
        let target = chance.below(weights[weights.count - 1])
        var low = 0
        var high = weights.count - 1
        while low < high {
            let middle = (low + high) / 2
            if weights[middle] > target { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
