import SystemIO
import Testing
import VaultContainer
import VaultCrypto

@Suite("Damage to the end")
struct EndDamageTests {
    private static let blueprint = Result {
        try Blueprint(members: [("a", noise(54_000)), ("b", noise(500))])
    }
    private static let sample = Result { try blueprint.get().build() }
    /// With segments of two chunks, so that the last one has a chunk boundary inside.
    private static let wide = Result {
        try Blueprint(segmentChunks: 2, members: [("a", noise(50_000))]).build()
    }

    @Test(
        "Of a file of some bytes there is no container, or the start of one",
        arguments: [0, 1, 7, 8, 4095])
    func noContainer(size: Int) throws {
        let start = try Array(Self.sample.get().bytes[..<size])
        #expect(try Reading(start).failure == (size < 8 ? .notContainer : .incomplete))
        #expect(try Reading(zeroes(size)).failure == .notContainer)
    }

    @Test("A preamble with zeroes behind it is a container that was never finished")
    func onlyPreamble() throws {
        let preamble = try Array(Self.sample.get().bytes[..<64])
        #expect(try Reading(preamble).failure == .incomplete)
        #expect(try Reading(preamble + zeroes(20_000)).failure == .incomplete)
    }

    @Test(
        "A header and not much more is an unfinished container",
        arguments: [4096, 4097, 5000, 8191, 8192])
    func onlyHeader(size: Int) throws {
        let derivations = KeyDerivations()
        #expect(
            try Reading(Array(Self.sample.get().bytes[..<size]), derivations: derivations).failure
                == .incomplete)
        #expect(size > 4096 || derivations.count == 0)
    }

    @Test("Two headers without a segment between them are an unfinished container")
    func twoHeaders() throws {
        let sample = try Self.sample.get()
        #expect(try Reading(sample.header + sample.trailer).failure == .incomplete)
    }

    @Test("A trailer whose magic is damaged costs a warning", arguments: 0..<8)
    func damagedMagic(offset: Int) throws {
        var sample = try Self.sample.get()
        sample.trailer[offset] ^= 1
        try expectOnly(.spareHeaderDamaged, .headersDiffer, sample.bytes)
    }

    @Test(
        "A trailer that is missing, whole or in part, costs a warning",
        arguments: [1, 16, 17, 4095, 4096])
    func missingTrailer(count: Int) throws {
        let bytes = try Self.sample.get().bytes.dropLast(count)
        try expectOnly(count == 4096 ? .spareHeaderMissing : .spareHeaderDamaged, .truncated, Array(bytes))
    }

    private func expectOnly(
        _ warning: ContainerWarning, _ problem: ContainerError.Code, _ bytes: [UInt8]
    ) throws {
        let reading = try Reading(bytes)
        #expect(try reading.gives(Self.blueprint.get().payload))
        #expect(reading.warnings == [.weakKdf, warning])
        #expect(reading.problems == [problem])
    }

    @Test(
        "What is cut off beyond the trailer makes it truncated, or unfinished where the last segment is gone"
    )
    func cutBeyondTrailer() throws {
        for sample in [try Self.sample.get(), try Self.wide.get()] {
            let bytes = sample.bytes
            let last = try #require(sample.segments.last).count
            // The last segment is known by its first 56 bytes.
            for count in [1, 16, 17, 1000, last - 73, last - 72, last - 57, last - 56] {
                #expect(try Reading(bytes.dropLast(4096 + count)).failure == .truncated, "\(count)")
            }
            for count in [last - 55, last - 24, last - 1, last, last + 1, last + 5000] {
                #expect(try Reading(bytes.dropLast(4096 + count)).failure == .incomplete, "\(count)")
            }
        }
    }

    // SECURITY.md: "truncate an archive"
    @Test("Segments dropped before the trailer make it truncated")
    func droppedEnd() throws {
        let sample = try Self.sample.get()
        for kept in 0..<sample.segments.count {
            var specimen = sample
            specimen.segments.removeLast(sample.segments.count - kept)
            // Two headers alone are no archive.
            #expect(
                try Reading(specimen.bytes).failure == (kept == 0 ? .incomplete : .truncated), "\(kept) kept")
        }
    }

    @Test("An unfinished file with a forged trailer is truncated")
    func forgedTrailer() throws {
        var blueprint = try Self.blueprint.get()
        blueprint.isFinal = { _, _ in false }
        var specimen = try blueprint.build()
        #expect(try Reading(specimen.bytes).failure == .truncated)
        specimen.trailer = []
        #expect(try Reading(specimen.bytes).failure == .incomplete)
        let last = specimen.segments.count - 1
        for size in [0, 1, 55, 56, 71, 72, 73, 1000] {
            specimen.segments[last] = Array(try blueprint.build().segments[last][..<size])
            specimen.trailer = specimen.header
            #expect(try Reading(specimen.bytes).failure == .truncated, "\(size)")
            specimen.trailer = []
            #expect(try Reading(specimen.bytes).failure == .incomplete, "\(size)")
        }
    }

    @Test(
        "A last segment cut inside or behind a chunk, with the trailer kept, is damaged or truncated"
    )
    func cutLastSegment() throws {
        let sample = try Self.wide.get()
        let last = sample.segments.count - 1
        let size = sample.segments[last].count
        try #require(size > 56 + 16400 + 100)
        for kept in [0, 1, 23, 24, 55, 56, 57, 71] {
            var specimen = sample
            specimen.segments[last].removeLast(size - kept)
            #expect(try Reading(specimen.bytes).failure == .truncated, "\(kept)")
        }
        for (kept, chunk) in [
            (72, 0), (5000, 0), (56 + 16399, 0), (56 + 16400 + 16, 1), (size - 1, 1), (size - 16, 1),
        ] {
            var specimen = sample
            specimen.segments[last].removeLast(size - kept)
            let failure = try Reading(specimen.bytes).failure
            #expect(failure == .chunkDamaged(segment: last, chunk: chunk), "\(kept)")
        }
        // At the boundary no short chunk is left, and a segment always ends with one.
        var specimen = sample
        specimen.segments[last].removeLast(size - 56 - 16400)
        #expect(try Reading(specimen.bytes).failure == .truncated)
    }

    @Test(
        "Bytes behind the trailer are trailing data",
        arguments: [1, 16, 100, 4095, 4096, 4097, 8192, 50_000])
    func behindTrailer(count: Int) throws {
        for sample in [try Self.sample.get(), try Self.wide.get()] {
            for extra in [zeroes(count), noise(count)] {
                #expect(try Reading(sample.bytes + extra).failure == .trailingData)
            }
        }
    }

    @Test("A second trailer behind the first is trailing data, too")
    func secondTrailer() throws {
        let sample = try Self.sample.get()
        let failure = try Reading(sample.bytes + sample.trailer).failure
        #expect(failure == .chunkDamaged(segment: sample.segments.count - 1, chunk: 0))
    }

    @Test("Bytes before the trailer are noticed", arguments: [1, 16, 4096, 16_000, 20_000, 40_000])
    func beforeTrailer(count: Int) throws {
        let sample = try Self.sample.get()
        let last = sample.segments.count - 1
        for extra in [zeroes(count), noise(count)] {
            var specimen = sample
            specimen.segments.append(extra)
            let failure = try #require(try Reading(specimen.bytes).failure)
            // They look like a longer last chunk, or like segments behind the last one.
            #expect(
                [.chunkDamaged(segment: last, chunk: 0), .trailingData, .truncated].contains(failure),
                "\(failure)")
        }
    }

    @Test("A second last segment is noticed")
    func secondLastSegment() throws {
        for isFinal: @Sendable (Int, Int) -> Bool in [{ $0 >= $1 - 1 }, { $0 == $1 || $0 == 1 }] {
            var blueprint = try Self.blueprint.get()
            blueprint.isFinal = isFinal
            // The file ends with a last segment, but another one stands before it.
            let reading = try Reading(try blueprint.build().bytes)
            let failures = [reading.failure].compactMap(\.self) + reading.problems
            #expect(!failures.isEmpty)
            #expect(try Self.blueprint.get().payload.starts(with: reading.payload))
        }
        var specimen = try Self.sample.get()
        specimen.segments.append(specimen.segments[specimen.segments.count - 1])
        #expect(try Reading(specimen.bytes).failure != nil)
    }
}
