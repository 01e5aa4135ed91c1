import SystemIO
import VaultCrypto

/// Finds out why a segment does not open at its place.
///
/// A segment's keys depend on its number, on whether it is the last, on its own salt and on that of the segment
/// before it, so trying others shows what a foreign segment was sealed as. Some cases cannot be distinguished,
/// because the only copy of a salt is gone:
/// - A segment whose salt is damaged, one of another container, and one of an earlier attempt whose predecessor is not
///   in the file: all are `segmentDamaged`.
/// - A last segment whose salt is damaged, and an intact one whose predecessor was replaced by that of an earlier
///   attempt: `segmentDamaged` of the last one, because damage is more likely.
/// - Which segment was the last one, if exactly the one before it was dropped: `truncated`, because the file's size
///   is not that of a finished container.
struct SegmentDiagnosis {
    let reader: SegmentReader
    private let last: Int

    init(_ reader: SegmentReader) {
        self.reader = reader
        last = reader.count - 1
    }

    /// How many places before and after a foreign segment are searched for its original place; each costs some
    /// microseconds.
    private static let reach = 1024

    /// Returns the first of `places` with a segment that was not sealed for it, nil if there is none.
    func firstForeignSegment(
        in places: ClosedRange<Int>, _ file: VolumeFile
    ) throws(ContainerError) -> Int? {
        for place in places {
            let context = try reader.context(ofSegment: place, file)
            guard try reader.commitmentMatches(segment: place, context, file) else { return place }
        }
        return nil
    }

    /// Returns what is wrong at `place`, if every segment before it is in its place.
    func explain(_ place: Int, _ file: VolumeFile) throws(ContainerError) -> ContainerError {
        if try tagsMatch(place, file) { return ContainerError(.segmentDamaged(segment: place)) }
        if let number = try number(ofStranger: place, file) {
            return ContainerError(.segmentMisplaced(segment: place, found: number))
        }
        let salt = try reader.salt(ofSegment: place, file)
        if try matches(place, place, place != last, after: reader.salt(ofSegment: place - 1, file), file) {
            return ContainerError(place == last ? .truncated : .trailingData)
        }
        if place < last {
            if place > 0, try matches(place + 1, place + 1, place + 1 == last, after: salt, file) {
                // Its salt is genuine, so it follows a segment other than this file's: two attempts meet here, and
                // the one that does not reach the end is the wrong one.
                let reachesEnd = try firstForeignSegment(in: (place + 1)...last, file) == nil
                return ContainerError(.segmentReplaced(segment: reachesEnd ? place - 1 : place))
            }
        } else if reader.end % ContainerFormat.headerSize != 0 {
            return ContainerError(.truncated)
        }
        return ContainerError(.segmentDamaged(segment: place))
    }

    /// Whether the segment at `place` was sealed with this number and kind, after the segment with this salt.
    private func matches(
        _ place: Int, _ number: Int, _ isFinal: Bool, after salt: [UInt8], _ file: VolumeFile
    ) throws(ContainerError) -> Bool {
        let context = SegmentContext(
            preamble: reader.key.preamble, index: number, isFinal: isFinal, previousSalt: salt)
        return try reader.commitmentMatches(segment: place, context, file)
    }

    /// Whether the segment opens although its commitment is wrong.
    private func tagsMatch(_ place: Int, _ file: VolumeFile) throws(ContainerError) -> Bool {
        let context = try reader.context(ofSegment: place, file)
        let opener = try SegmentOpener(
            key: reader.key, file: file, context: context, fileSize: reader.fileSize(ofSegment: place),
            comparingCommitment: false)
        guard var opener else { return false }
        for chunk in Set([0, opener.chunkCount - 1]) {
            var plaintext: [UInt8] = []
            do {
                try opener.open(chunks: chunk..<(chunk + 1), of: file, into: &plaintext)
                return true
            } catch {
                guard case .chunkDamaged = error.code else { throw error }
            }
        }
        return false
    }

    /// Returns the number of the segment at `place`, if the segment before or after its own place is in the file.
    private func number(
        ofStranger place: Int, _ file: VolumeFile
    ) throws(ContainerError) -> Int? {
        let own = try reader.salt(ofSegment: place, file)
        // Only the last segment can have the last one's size.
        let kinds = place == last ? [true, false] : [false]
        let nearby = max(0, place - Self.reach)...min(last, place + Self.reach)
        for isFinal in kinds where try matches(place, 0, isFinal, after: SegmentContext.noSalt, file) {
            if place > 0 { return 0 }
        }
        for other in nearby {
            let salt = try reader.salt(ofSegment: other, file)
            // It belongs after that segment or, if neighbours changed places, after its own predecessor.
            for number in Set([other + 1, place + 1]) where number != place {
                for isFinal in kinds where try matches(place, number, isFinal, after: salt, file) {
                    return number
                }
            }
            // It is a copy of that segment.
            if salt == own, other < last, other != place,
                try matches(other + 1, other + 1, other + 1 == last, after: own, file)
            {
                return other
            }
        }
        // The segment after it, sealed with its salt, reveals its number.
        guard place < last else { return nil }
        for next in nearby.lowerBound...(nearby.upperBound + Self.reach) where next != place + 1 {
            if try matches(place + 1, next, false, after: own, file) { return next - 1 }
            if place + 1 == last, try matches(last, next, true, after: own, file) { return next - 1 }
        }
        return nil
    }
}

extension SegmentReader {
    /// Whether the commitment stored at a place matches `context`.
    func commitmentMatches(
        segment index: Int, _ context: SegmentContext, _ file: VolumeFile
    ) throws(ContainerError) -> Bool {
        let prefix = try reading { () throws(SystemError) in
            try file.bytes(at: key.geometry.offset(ofSegment: index), count: ContainerFormat.segmentPrefix)
        }
        guard prefix.count == ContainerFormat.segmentPrefix else { return false }
        let salt = [UInt8](prefix[..<ContainerFormat.saltSize])
        let commitment = try crypto { () throws(CryptoError) in
            try ChunkedEncryption.commitment(inputKey: key.segmentKey, salt: salt, context: context.bytes)
        }
        return constantTimeEqual(commitment.span, prefix.span.extracting(ContainerFormat.saltSize...))
    }
}
