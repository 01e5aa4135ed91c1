import SystemIO
import Testing
import VaultContainer

@Suite("Damage to segments")
struct SegmentDamageTests {
    /// Containers whose index and footer lie in different ways.
    enum Sample: String, CaseIterable, Sendable {
        /// Payload, index and footer end in the last segment.
        case small
        /// The index spans segments, and the last one holds only its end.
        case longIndex
        /// Behind the index come segments of padding alone.
        case padded

        static let blueprints: [Sample: Result<Blueprint, any Error>] = [
            .small: Result { try Blueprint(members: [("a", noise(66_000)), ("b", noise(3000))]) },
            .longIndex: Result {
                try Blueprint(
                    members: (0..<120).map { ("\($0) \(String(repeating: "x", count: 80))", noise($0)) })
            },
            .padded: Result { try Blueprint(members: [("a", noise(2_100_000))]) },
        ]
        static let specimens = blueprints.mapValues { blueprint in Result { try blueprint.get().build() } }

        var blueprint: Blueprint { get throws { try #require(Self.blueprints[self]).get() } }
        var specimen: Specimen { get throws { try #require(Self.specimens[self]).get() } }

        /// The last segment whose salt the index lists.
        var lastListed: Int { get throws { try blueprint.payload.count / 16384 } }
    }

    /// What reading or, where that does not meet it, verifying says first.
    private func diagnosis(_ specimen: Specimen, of sample: Sample) throws -> ContainerError.Code? {
        let reading = try Reading(specimen.bytes)
        #expect(try sample.blueprint.payload.starts(with: reading.payload))
        #expect(reading.failure != nil || !reading.problems.isEmpty)
        // What cannot be read to the end does not pass the verification either.
        return reading.failure ?? reading.problems.first
    }

    @Test("The samples lie as they should")
    func samples() throws {
        #expect(try Sample.small.lastListed == Sample.small.specimen.segments.count - 1)
        let spanning = try Sample.longIndex.specimen.segments.count - Sample.longIndex.lastListed
        #expect(spanning >= 2)
        let padding = try Sample.padded.specimen.segments.count - Sample.padded.lastListed
        #expect(padding >= 4)
        for sample in Sample.allCases {
            #expect(try Reading(sample.specimen.bytes).isFlawless(payload: sample.blueprint.payload))
        }
    }

    // SECURITY.md: "reorder, repeat or drop segments"
    @Test("A segment that was dropped leaves others misplaced", arguments: Sample.allCases)
    func dropped(sample: Sample) throws {
        let last = try sample.specimen.segments.count - 1
        let places = sample == .padded ? [0, 77, last - 5, last - 3, last - 2, last - 1] : Array(0..<last)
        for place in places {
            var specimen = try sample.specimen
            specimen.segments.remove(at: place)
            // Nothing in the file tells which segment the last one was when the one before it is gone; but that some
            // are missing is known by the size.
            let expected: ContainerError.Code =
                place == last - 1 ? .truncated : .segmentMisplaced(segment: place, found: place + 1)
            #expect(try diagnosis(specimen, of: sample) == expected, "\(place)")
        }
    }

    @Test("Several segments that were dropped are told by their number")
    func severalDropped() throws {
        for (place, count) in [(0, 2), (1, 100), (125, 4)] {
            var specimen = try Sample.padded.specimen
            specimen.segments.removeSubrange(place..<(place + count))
            let expected = ContainerError.Code.segmentMisplaced(segment: place, found: place + count)
            #expect(try diagnosis(specimen, of: .padded) == expected)
        }
    }

    // SECURITY.md: "reorder, repeat or drop segments"
    @Test("Two segments that changed places are both named", arguments: [Sample.small, .longIndex])
    func swapped(sample: Sample) throws {
        let last = try sample.specimen.segments.count - 1
        for first in 0..<last {
            for second in (first + 1)..<max(last, first + 1) {
                var specimen = try sample.specimen
                specimen.segments.swapAt(first, second)
                let expected = ContainerError.Code.segmentMisplaced(segment: first, found: second)
                #expect(try diagnosis(specimen, of: sample) == expected, "\(first) and \(second)")
            }
            // The last one has another size, so all between them moves.
            var specimen = try sample.specimen
            specimen.segments.swapAt(first, last)
            _ = try diagnosis(specimen, of: sample)
        }
    }

    @Test("Padding that changed places with payload is named, too")
    func swappedWithPadding() throws {
        let last = try Sample.padded.specimen.segments.count - 1
        let listed = try Sample.padded.lastListed
        for (first, second) in [
            (0, last - 1), (3, listed + 1), (listed, last - 1), (listed + 1, listed + 2),
            (listed - 1, listed),
        ] {
            var specimen = try Sample.padded.specimen
            specimen.segments.swapAt(first, second)
            let expected = ContainerError.Code.segmentMisplaced(segment: first, found: second)
            #expect(try diagnosis(specimen, of: .padded) == expected, "\(first) and \(second)")
        }
    }

    // SECURITY.md: "reorder, repeat or drop segments"
    @Test("A segment that stands there twice is named", arguments: Sample.allCases)
    func duplicated(sample: Sample) throws {
        let last = try sample.specimen.segments.count - 1
        for place in stride(from: 0, to: last, by: sample == .padded ? 40 : 1) {
            // Once more behind itself.
            var specimen = try sample.specimen
            specimen.segments.insert(specimen.segments[place], at: place + 1)
            let expected = ContainerError.Code.segmentMisplaced(segment: place + 1, found: place)
            #expect(try diagnosis(specimen, of: sample) == expected, "\(place)")
            // Over another one.
            for other in [place + 1, place + 2, place - 1] where (0..<last).contains(other) {
                specimen = try sample.specimen
                specimen.segments[other] = specimen.segments[place]
                let expected = ContainerError.Code.segmentMisplaced(segment: other, found: place)
                #expect(try diagnosis(specimen, of: sample) == expected, "\(place) over \(other)")
            }
        }
    }

    // SECURITY.md: "insert segments of another archive"
    @Test("A segment of another vault is damage", arguments: Sample.allCases)
    func foreign(sample: Sample) throws {
        var other = try sample.blueprint
        other.seed = 2
        let foreign = try other.build()
        let last = try sample.specimen.segments.count - 1
        for place in stride(from: 0, through: last, by: sample == .padded ? 40 : 1) {
            var specimen = try sample.specimen
            specimen.segments[place] = foreign.segments[place]
            #expect(try diagnosis(specimen, of: sample) == .segmentDamaged(segment: place), "\(place)")
        }
    }

    // SECURITY.md: "or of another attempt at writing the same one"
    @Test(
        "A segment of an earlier attempt after the same one before it is replaced",
        arguments: Sample.allCases)
    func replaced(sample: Sample) throws {
        let last = try sample.specimen.segments.count - 1
        for place in stride(from: 0, to: last, by: sample == .padded ? 40 : 1) {
            var earlier = try sample.blueprint
            earlier.attempt = { $0 >= place ? 1 : 0 }
            var specimen = try sample.specimen
            specimen.segments[place] = try earlier.build().segments[place]
            // Only the last segment could tell that the one before it is another one; it may as well be damaged itself.
            let expected: ContainerError.Code =
                place == last - 1 ? .segmentDamaged(segment: last) : .segmentReplaced(segment: place)
            #expect(try diagnosis(specimen, of: sample) == expected, "\(place)")
        }
    }

    /// The chain of salts alone would let the second of them pass.
    // SECURITY.md: "or of another attempt at writing the same one"
    @Test("Neighbours of an earlier attempt are replaced", arguments: Sample.allCases)
    func replacedNeighbours(sample: Sample) throws {
        let last = try sample.specimen.segments.count - 1
        for place in stride(from: 0, to: last - 1, by: sample == .padded ? 40 : 1) {
            var earlier = try sample.blueprint
            earlier.attempt = { $0 >= place ? 1 : 0 }
            let old = try earlier.build()
            var specimen = try sample.specimen
            specimen.segments.replaceSubrange(place...(place + 1), with: old.segments[place...(place + 1)])
            let found = try diagnosis(specimen, of: sample)
            let listed = try sample.lastListed
            switch place {
            case last - 2: #expect(found == .segmentDamaged(segment: last), "\(place)")
            // Where no index lists them, the break is seen behind them.
            case (listed + 1)...: #expect(found == .segmentReplaced(segment: place + 1), "\(place)")
            default:
                #expect(
                    [.segmentReplaced(segment: place), .segmentReplaced(segment: place + 1)].contains(found),
                    "\(place)")
            }
        }
    }

    @Test(
        "A segment of an attempt that was another one from the start cannot be told from damage, but for the first"
    )
    func replacedFromAnotherStart() throws {
        var earlier = try Sample.small.blueprint
        earlier.attempt = { _ in 1 }
        let old = try earlier.build()
        let last = old.segments.count - 1
        for place in 0...last {
            var specimen = try Sample.small.specimen
            specimen.segments[place] = old.segments[place]
            let expected: ContainerError.Code =
                place == 0 ? .segmentReplaced(segment: 0) : .segmentDamaged(segment: place)
            #expect(try diagnosis(specimen, of: .small) == expected, "\(place)")
        }
    }

    // SECURITY.md: "make an archive that tests more passphrases in a single try than it has key slots"
    @Test(
        "A flip in any byte of a salt or a commitment is damage to that segment",
        arguments: Sample.allCases)
    func prefixes(sample: Sample) throws {
        let original = try sample.specimen
        let last = original.segments.count - 1
        let places =
            sample == .padded ? [0, 1, last - 7, last - 3, last - 2, last - 1, last] : Array(0...last)
        for place in places {
            for offset in stride(from: 0, to: 56, by: sample == .small ? 1 : 11) {
                var specimen = original
                specimen.segments[place][offset] ^= 1 << (offset % 8)
                #expect(
                    try diagnosis(specimen, of: sample) == .segmentDamaged(segment: place),
                    "\(place), \(offset)")
            }
            for range in [0..<24, 24..<56, 0..<56] {
                var specimen = original
                for offset in range { specimen.segments[place][offset] = 0 }
                #expect(
                    try diagnosis(specimen, of: sample) == .segmentDamaged(segment: place),
                    "\(place), \(range)")
            }
        }
    }

    @Test("A verification names each damaged segment once, and the entries in it")
    func verification() throws {
        var specimen = try Sample.small.specimen
        specimen.segments[1][0] ^= 1
        specimen.segments[3][30] ^= 1
        let reading = try Reading(specimen.bytes)
        #expect(reading.problems == [.segmentDamaged(segment: 1), .segmentDamaged(segment: 3)])
        #expect(reading.affected == ["a"])
        // The salt of a segment of padding keeps the next from opening, too; only one of them is damaged.
        specimen = try Sample.padded.specimen
        specimen.segments[specimen.segments.count - 4][5] ^= 1
        let padded = try Reading(specimen.bytes)
        #expect(padded.problems == [.segmentDamaged(segment: specimen.segments.count - 4)])
        #expect(padded.failure == nil && padded.affected.isEmpty)
    }
}

@Suite("Damage to chunks")
struct ChunkDamageTests {
    private static let blueprint = Result {
        try Blueprint(segmentChunks: 2, members: [("a", noise(120_000))])
    }
    private static let sample = Result { try blueprint.get().build() }

    /// The first byte, a middle one and the last of a chunk's ciphertext, and both ends of its tag.
    private func places(inChunk chunk: Int, of segment: [UInt8]) -> [Int] {
        let start = 56 + chunk * 16400
        let end = min(start + 16400, segment.count)
        return Set([start, (start + end) / 2, end - 17, end - 16, end - 1]).filter { $0 >= start }.sorted()
    }

    @Test("A flip in any chunk, its body or its tag, is named with exact numbers")
    func flips() throws {
        let original = try Self.sample.get()
        for (number, segment) in original.segments.enumerated() {
            for chunk in 0...((segment.count - 72) / 16400) {
                for place in places(inChunk: chunk, of: segment) {
                    var specimen = original
                    specimen.segments[number][place] ^= 0x20
                    let reading = try Reading(specimen.bytes)
                    let expected = ContainerError.Code.chunkDamaged(segment: number, chunk: chunk)
                    #expect(
                        (reading.failure ?? reading.problems.first) == expected,
                        "\(number), \(chunk), \(place)")
                    // Chunks of the payload are met on reading, the empty ones at the end of a segment included.
                    let isPayload = try number * 32768 + chunk * 16384 < Self.blueprint.get().payload.count
                    #expect(reading.failure != nil || !isPayload)
                    #expect(try Self.blueprint.get().payload.starts(with: reading.payload))
                }
            }
        }
    }

    @Test("Chunks that changed places or were doubled inside a segment are named")
    func swaps() throws {
        let original = try Self.sample.get()
        for number in 0..<3 {
            let chunks = [56..<16456, 16456..<32856].map { Array(original.segments[number][$0]) }
            for (order, damaged) in [([1, 0], 0), ([0, 0], 1), ([1, 1], 0)] {
                var specimen = original
                specimen.segments[number].replaceSubrange(56..<32856, with: order.flatMap { chunks[$0] })
                let expected = ContainerError.Code.chunkDamaged(segment: number, chunk: damaged)
                #expect(try Reading(specimen.bytes).failure == expected, "\(number), \(order)")
            }
        }
    }

    @Test("A chunk of the same number in another segment is damage")
    func otherSegment() throws {
        var specimen = try Self.sample.get()
        specimen.segments[1].replaceSubrange(56..<16456, with: specimen.segments[0][56..<16456])
        #expect(try Reading(specimen.bytes).failure == .chunkDamaged(segment: 1, chunk: 0))
    }
}
