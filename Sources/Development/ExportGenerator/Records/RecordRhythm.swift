/// Chooses when the records of a type happen, and where they come from.
///
/// Records come in bursts of one origin and one device object. A burst moves forward in time with occasional steps
/// back, and so do successive bursts: the records of a type are nearly, but not quite, in order, as in real
/// exports. Some bursts are delivered in batches that share a creation date.
struct RecordRhythm {
    private static let burst = 6...44
    private static let batch = 8

    private let profile: RecordProfile
    private let context: ExportContext
    private let span: ClosedRange<Int>
    private let expected: Int
    private let gap: Int

    private var chance: SplitMix64
    private var remaining = 0
    private var cursor = 0
    private var created = 0
    private var isBatched = false
    private var provenance: Provenance

    init(_ profile: RecordProfile, _ context: ExportContext, expecting expected: Int, seed: UInt64) {
        self.profile = profile
        self.context = context
        self.expected = expected
        span = context.span(since: profile.since)
        gap = max(1, min(profile.gap, (span.upperBound - span.lowerBound) / expected))
        chance = SplitMix64(seed: seed)
        provenance = context.provenance(of: profile.origins[0], at: span.lowerBound, from: &chance)
    }

    /// Returns the next record, given the share of the type's records written so far, from 0 to 1.
    mutating func next(progress: Double) -> RecordDraw {
        if remaining == 0 { startBurst(progress) }
        remaining -= 1
        if context.options.shape == .newDevices { provenance.address = chance.address() }
        let start = cursor - (chance.oneIn(4) ? 2 * gap : 0)
        let end = start + chance.pick(from: profile.duration)
        cursor += gap / 2 + chance.below(gap + 1)
        if !isBatched || created < end || remaining % Self.batch == 0 {
            created = end + chance.below(isBatched ? 900 : 150)
        }
        func inSpan(_ instant: Int) -> Int { min(max(instant, span.lowerBound), span.upperBound) }
        return RecordDraw(
            start: inSpan(start), end: inSpan(end), created: inSpan(created), provenance: provenance,
            chance: SplitMix64(seed: chance.next()))
    }

    /// Starts a burst.
    ///
    /// Bursts are spread over the years in step with the progress, and overlap with those before and after.
    private mutating func startBurst(_ progress: Double) {
        remaining = chance.pick(from: Self.burst)
        let spread = min(1, Double(2 * remaining) / Double(expected))
        let place = min(1, progress + spread * Double(chance.below(1024)) / 1024)
        let length = span.upperBound - span.lowerBound
        cursor = span.lowerBound + Int(Double(max(length - remaining * gap, 0)) * place)
        if profile.isNightly {
            cursor += chance.pick(from: -7200...1800) - context.time(at: cursor).secondOfDay
            remaining = min(remaining, 18)
        }
        isBatched = chance.oneIn(3)
        created = cursor
        provenance = context.provenance(of: chance.pick(from: profile.origins), at: cursor, from: &chance)
    }
}
