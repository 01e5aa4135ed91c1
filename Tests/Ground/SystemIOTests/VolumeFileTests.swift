import Testing

@testable import SystemIO

@Suite("Files in volumes")
struct VolumeFileTests {
    /// A folder that goes away with the test.
    private final class Place {
        let path: BytePath

        init() throws {
            path = "/tmp/healthvault-volumes-\(Int.random(in: 0 ... .max))"
            try Folder.make(path)
        }

        deinit { try? Folder.removeAll(path) }

        func names() throws -> [BytePath] { try Folder.entries(of: path).map(\.name) }

        func bytes(_ name: BytePath) throws -> [UInt8] {
            let file = try FileDescriptor(opening: path / name, .read)
            return try file.bytes(at: 0, count: file.status().size)
        }
    }

    private static func noise(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) }
    }

    @Test("hold what a file in one piece would hold, whatever is written where", arguments: 0..<60)
    func writing(seed: Int) throws {
        let place = try Place()
        let folder = try OpenFolder(opening: place.path)
        let limit = 100 + seed * 7
        let file = try folder.claimVolumes(
            "x.part", .create, becoming: FinishedName("x", sameBytes: 0), limit: limit)
        var whole: [UInt8] = []
        for step in 0..<12 {
            // At the end, across boundaries, and over what is there.
            let count = [0, 1, limit - 1, limit, limit + 1, 3 * limit + 5][(seed + step) % 6]
            let start = step % 3 == 2 ? max(0, whole.count - limit / 2) : whole.count
            let bytes = Self.noise(count + step).map { $0 ^ UInt8(step) }
            try file.write(bytes.span, at: start)
            whole.replaceSubrange(start..<min(whole.count, start + bytes.count), with: bytes)
            #expect(try file.size() == whole.count)
            for offset in [0, limit - 1, limit, whole.count / 2, whole.count, whole.count + 3] {
                for count in [0, 1, limit, 2 * limit + 3] {
                    let wanted = whole.dropFirst(offset).prefix(count)
                    #expect(try file.bytes(at: offset, count: count) == Array(wanted))
                }
            }
        }
        let kept = whole.count * seed / 60
        try file.truncate(to: kept)
        whole = Array(whole.prefix(kept))
        #expect(try file.size() == kept)
        #expect(file.volumeCount == max(1, (kept + limit - 1) / limit))
        try file.nameVolumes(of: "x")
        try folder.rename("x.part", being: file.status(), to: "x.001")
        #expect(try place.names().flatMap { try place.bytes($0) } == whole)
        let again = try VolumeFile(opening: place.path / "x", .read)
        #expect(try again.bytes(at: 0, count: kept + 1) == whole)
    }

    @Test("are found again by who goes on, also when some have their names already")
    func resuming() throws {
        let place = try Place()
        let folder = try OpenFolder(opening: place.path)
        let bytes = Self.noise(1000)
        var file: VolumeFile? = try folder.claimVolumes(
            "x.part", .create, becoming: FinishedName("x", sameBytes: 0), limit: 300)
        try file?.write(bytes.span, at: 0)
        #expect(try place.names() == ["x.part", "x.part.002", "x.part.003", "x.part.004"])
        try file?.nameVolumes(of: "x")
        file = nil
        #expect(try place.names() == ["x.002", "x.003", "x.004", "x.part"])
        let again = try folder.claimVolumes(
            "x.part", .update, becoming: FinishedName("x", sameBytes: 0), limit: 700)
        #expect(try again.bytes(at: 0, count: 2000) == bytes)
        try again.removeVolumes()
        #expect(try place.names() == ["x.part"])
    }

    @Test("of an unfinished file behind a gap are removed, and nothing else")
    func lostNames() throws {
        let place = try Place()
        let folder = try OpenFolder(opening: place.path)
        for name in ["x.part", "x.part.002", "x.part.004", "x.part.0005", "x.part.y"] as [BytePath] {
            try folder.open(name, .create).write(Self.noise(10).span, at: 0)
        }
        var file: VolumeFile? = try folder.claimVolumes(
            "x.part", .update, becoming: FinishedName("x", sameBytes: 0), limit: 10)
        #expect(try file?.size() == 20)
        file = nil
        #expect(try place.names() == ["x.part", "x.part.0005", "x.part.002", "x.part.y"])
        try folder.removeFile("x.part")
        // They would be in the way of a new one.
        file = try folder.claimVolumes(
            "x.part", .create, becoming: FinishedName("x", sameBytes: 0), limit: 10)
        try file?.write(Self.noise(15).span, at: 0)
        #expect(try file?.size() == 15)
    }

    @Test("those of a finished file are never taken for those of an unfinished one")
    func finished() throws {
        let place = try Place()
        let folder = try OpenFolder(opening: place.path)
        for name in ["x.001", "x.002", "x.part"] as [BytePath] {
            try folder.open(name, .create).write(Self.noise(10).span, at: 0)
        }
        let file = try folder.claimVolumes(
            "x.part", .update, becoming: FinishedName("x", sameBytes: 0), limit: 10)
        try file.removeVolumes()
        #expect(try place.names() == ["x.001", "x.002", "x.part"])
    }

    @Test(
        "of any sizes are read, and written, as one file",
        arguments: [[30, 50, 0, 20], [50, 30, 70], [0, 9], [9, 0]])
    func unequal(sizes: [Int]) throws {
        let place = try Place()
        var whole: [UInt8] = []
        for (index, size) in sizes.enumerated() {
            let part = Self.noise(size).map { $0 ^ UInt8(index) }
            try FileDescriptor(opening: place.path / "x.00\(index + 1)", .create).write(part.span, at: 0)
            whole += part
        }
        let file = try VolumeFile(opening: place.path / "x", .update)
        #expect(try file.size() == whole.count)
        for offset in 0...whole.count {
            for count in [0, 1, 25, 200] {
                let wanted = whole.dropFirst(offset).prefix(count)
                #expect(try file.bytes(at: offset, count: count) == Array(wanted))
            }
        }
        try file.write([1, 2, 3, 4].span, at: whole.count - 4)
        #expect(try file.bytes(at: 0, count: 200) == whole.dropLast(4) + [1, 2, 3, 4])
        #expect(try place.names().map { try place.bytes($0).count } == sizes)
    }

    @Test("a gap between them is said, and a missing end is a shorter file")
    func gaps() throws {
        let place = try Place()
        let folder = try OpenFolder(opening: place.path)
        for number in 1...5 {
            try folder.open(VolumeName.volume(number, of: "x"), .create).write(Self.noise(10).span, at: 0)
        }
        #expect(try VolumeFile(opening: place.path / "x.001", .read).size() == 50)
        try folder.removeFile("x.005")
        #expect(try VolumeFile(opening: place.path / "x.001", .read).size() == 40)
        // However many are missing.
        try folder.removeFile("x.003")
        try folder.removeFile("x.002")
        do {
            _ = try VolumeFile(opening: place.path / "x.001", .read)
            Issue.record("opened")
        } catch { #expect(error.isMissing && error.path == place.path / "x.002") }
    }
}
