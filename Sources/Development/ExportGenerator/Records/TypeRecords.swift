extension ExportContext {
    /// Returns the records of one type, up to the end of a range of the document.
    func records(of profile: RecordProfile, in room: Range<Int>) -> Section {
        let usualBytes = profile.usualBytes(self)
        var chance = self.chance(.records, room.lowerBound)
        var written = 0
        var rhythm = RecordRhythm(
            profile, self, expecting: max(room.count / usualBytes, 1), seed: chance.next())
        return { stream in
            let position = stream.position
            guard position + usualBytes / 2 < room.upperBound else {
                stream.count(written, recordsOfType: profile.type)
                return false
            }
            let progress = Double(position - room.lowerBound) / Double(room.count)
            let draw = rhythm.next(progress: min(max(progress, 0), 1))
            // True duplicates are rare in real exports, but they exist.
            let count = chance.oneIn(4096) ? 2 : 1
            for _ in 0..<count { profile.append(draw, to: &stream) }
            written += count
            return true
        }
    }

    /// Returns records of up to 100,000 invented types, grouped by type, that fill a range of the document.
    ///
    /// For one record of a type 480 bytes suffice, wherever the previous one ended.
    func manyTypesRecords(in room: Range<Int>) -> Section {
        let count = min(100_000, max(room.count / 480, 1))
        var (number, current): (Int, Section) = (0, { _ in false })
        return { [self] stream in
            while !current(&stream) {
                guard number < count else { return false }
                let start = stream.position
                let share = max(room.upperBound - start, 0) / (count - number)
                number += 1
                let name = "Synthetic\(String(1_000_000 + number).dropFirst())"
                let profile = RecordProfile(row: "\(name) count 0...999 1 2014 watch,phone 3600 0...60")
                current = records(of: profile, in: start..<start + share)
            }
            return true
        }
    }

    /// Returns records up to a place in the document, each with a random type, date, origin and device address.
    func shuffledRecords(_ profiles: [RecordProfile], until end: Int) -> Section {
        // The weights are shares of bytes, so long records must occur less often.
        var sum = 0
        let weights = profiles.map { profile in
            sum += profile.weight * 4200 / profile.usualBytes(self)
            return sum
        }
        var chance = self.chance(.records)
        return { [self] stream in
            guard stream.position + profiles[0].usualBytes(self) / 2 < end else { return false }
            let target = chance.below(sum)
            let index = weights.firstIndex { $0 > target } ?? 0
            let profile = profiles[index]
            let start = chance.pick(from: span(since: profile.since))
            let end = capped(start + chance.pick(from: profile.duration))
            let draw = RecordDraw(
                start: start, end: end, created: capped(end + chance.below(900)),
                provenance: provenance(of: chance.pick(from: profile.origins), at: start, from: &chance),
                chance: SplitMix64(seed: chance.next()))
            profile.append(draw, to: &stream)
            stream.count(1, recordsOfType: profile.type)
            return true
        }
    }
}

/// Chooses when the records of a type happen, and where they come from.
///
/// Records come in bursts of one origin and one device object. A burst moves forward in time with occasional steps
/// back, and so do successive bursts: the records of a type are nearly, but not quite, in order, as in real
/// exports. Some bursts are delivered in batches that share a creation date.
private struct RecordRhythm {
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
        if !isBatched || created < end || remaining % 8 == 0 {
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
        remaining = chance.pick(from: 6...44)
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
