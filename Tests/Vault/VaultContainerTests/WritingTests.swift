import ByteText
import Glibc
import SystemIO
import Testing
import VaultCrypto

@testable import VaultContainer

/// Writes containers with the product's writer, for the passphrase that nearly all containers here have.
struct Writing: Sendable {
    let key: ContainerKey
    let header: SealedHeader

    init(segmentChunks: Int) throws {
        key = try ContainerKey.new(segmentChunks: segmentChunks)
        let text = Array(Blueprint.passphrase.utf8)
        header = try key.header(passphrase: Passphrase(preparing: text.span), iterations: 100_000)
    }

    /// Writes members, and gives the size of the file.
    @discardableResult
    func write(
        _ members: [(name: BytePath, data: [UInt8])], to path: BytePath, tool: String = "tests",
        replacing replaced: FileStatus? = nil
    ) throws -> Int {
        var writer = try ContainerWriter(
            path: path, key: key, tool: tool, created: "2026-01-01T00:00:00Z", modified: 1_767_225_600)
        try writer.write(header)
        for (name, data) in members { try writer.add(name, data.span) }
        return try writer.finish(header, replacing: replaced)
    }

    /// One key and one header for each size of segments, because the derivation takes time.
    static let oneChunk = Result { try Writing(segmentChunks: 1) }
    static let twoChunks = Result { try Writing(segmentChunks: 2) }
    static let manyChunks = Result { try Writing(segmentChunks: 64) }

    static func shared(_ chunks: Int) throws -> Writing {
        try (chunks == 1 ? oneChunk : chunks == 2 ? twoChunks : manyChunks).get()
    }
}

@Suite("Containers made by the writer")
struct WritingTests {
    /// Sizes of a member with which the payload, in steps of a tar block, ends around a boundary.
    static func sizes(_ chunks: Int) -> [Int] {
        var sizes = [0, 1, 511, 512, 513]
        for number in chunks < 64 ? [1, 2, 3] : [1] {
            // 512 for its header and 1024 for the end of the tar.
            let boundary = number * chunks * 16384 - 1536
            for distance in [-1024, -512, -1, 0, 1, 512, 1024] { sizes.append(boundary + distance) }
        }
        return sizes
    }

    @Test("are flawless, with payloads around every boundary", arguments: [1, 2, 64])
    func roundTrips(chunks: Int) throws {
        let writing = try Writing.shared(chunks)
        let folder = try TemporaryFolder()
        for (number, size) in Self.sizes(chunks).enumerated() {
            let path = folder("\(number)")
            let data = noise(size)
            let written = try writing.write([("session.json", data)], to: path)
            let reading = try Reading(path: path)
            #expect(reading.isFlawless(payload: reading.payload), "\(size)")
            #expect(reading.members == ["session.json": data], "\(size)")
            #expect(try FileStatus(at: path).size == written && written.isMultiple(of: 4096), "\(size)")
            #expect(!exists(path + ".part"))
        }
    }

    /// The length of the index follows that of the tool's name, which does not compress, so that the end of payload,
    /// index and footer moves byte by byte from k*S - 65 to k*S + 1.
    @Test(
        "are flawless, with an unpadded end at every byte around a boundary", arguments: [1, 2, 64], [1, 2])
    func unpaddedEnds(chunks: Int, segments: Int) throws {
        guard chunks < 64 || segments == 1 else { return }
        let writing = try Writing.shared(chunks)
        let folder = try TemporaryFolder()
        let boundary = segments * chunks * 16384
        // Tar blocks are 512 bytes: the rest up to the boundary is left to the index.
        let data = noise((boundary - 1536 - 1400) / 512 * 512)
        let wanted = chunks < 64 ? Array(-65...1) : [-65, -64, -63, -1, 0, 1]
        var reached: Set<Int> = []
        var length = 500
        var attempt = 0
        while let distance = wanted.first(where: { !reached.contains($0) }), attempt < 40 * wanted.count {
            attempt += 1
            let path = folder("\(attempt)")
            let tool = hexadecimal(noise(length, seed: UInt64(attempt)))
            let written = try writing.write([("a", data)], to: path, tool: tool)
            let reading = try Reading(path: path)
            let found = reading.unpaddedEnd - boundary
            #expect(
                reading.isFlawless(payload: reading.payload) && reading.members == ["a": data], "\(found)")
            // This is the size that the specification asks for, so the end lies where it was put.
            let total = Blueprint.totalLength(boundary + found, chunks)
            #expect(written == Padding.fileSize(ofStream: total, chunks), "\(found)")
            reached.insert(found)
            length += distance - found
            try OpenFolder(holding: path).removeFile(path.name)
        }
        #expect(reached.isSuperset(of: wanted), "after \(attempt) attempts")
    }

    @Test("keep their members in order, with what was noted about them")
    func index() throws {
        let writing = try Writing.shared(1)
        let folder = try TemporaryFolder()
        let data = Array("text".utf8)
        var writer = try ContainerWriter(
            path: folder("a"), key: writing.key, tool: "t \"1\"", created: "now", modified: 5)
        try writer.write(writing.header)
        let properties = [ContainerProperty("type", "T\u{e9}"), ContainerProperty("count", -7)]
        try writer.add("z", data.span, properties: properties)
        try writer.add("b/\u{1f600}", Span())
        let size = writer.payloadSize
        #expect(size == 1024 + 1536)
        _ = try writer.finish(writing.header)
        let passphrase = try Passphrase(preparing: Array(Blueprint.passphrase.utf8).span)
        let reader = try ContainerReader(opening: folder("a"), passphrase: passphrase)
        let entries = reader.entries
        #expect(entries.map(\.name) == ["z", "b/\u{1f600}"])
        #expect(entries[0].properties == properties)
        #expect(entries[0].text("type") == "T\u{e9}" && entries[0].number("count") == -7)
        #expect(
            entries[0].text("count") == nil && entries[0].number("type") == nil && entries[0].text("x") == nil
        )
        let names = JSONNames<SomeProperty>()
        // Both as a reader has it and as a writer does.
        let listed = ContainerEntry(
            name: "z", place: .bundle(0), offset: 0, length: 4, properties: properties)
        for (entry, most) in [entries[0], listed].flatMap({ entry in (1...3).map { (entry, $0) } }) {
            var read: [(name: SomeProperty, value: ContainerProperty.Value)] = []
            entry.readProperties(names.list) { number, value in
                read.append((names.cases[number], value))
                return read.count < most
            }
            let first: [SomeProperty] = most == 1 ? [.type] : [.type, .count]
            #expect(read.map(\.name) == first)
            #expect(read.map(\.value) == properties[..<first.count].map(\.value))
        }
        let facts = [reader.tool, reader.created, reader.identifier]
        #expect(facts == ["t \"1\"", "now", writing.key.identifier])
        let cleartext = try CleartextHeader(of: folder("a"))
        #expect(
            cleartext.slots == [0: 100_000] && cleartext.generation == 1 && cleartext.segmentSize == 16384)
        #expect(try cleartext.fileSize == FileStatus(at: folder("a")).size)
    }

    @Test("hold names of any length and script, and sizes")
    func names() throws {
        let folder = try TemporaryFolder()
        // As many folders and bytes as a name may have.
        let folders = String(repeating: "a folder with thirty letters./", count: 31)
        let members: [(name: BytePath, data: [UInt8])] =
            (1...130).map { (BytePath(String(repeating: "x", count: $0)), noise($0)) }
            + [("\u{5bfc}\u{51fa}/\u{e9}.csv", []), ("\(folders)\(String(repeating: "x", count: 94))", [1])]
        try Writing.shared(1).write(members, to: folder("a"))
        let reading = try Reading(path: folder("a"))
        #expect(reading.isFlawless(payload: reading.payload))
        #expect(reading.members == Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.data) }))
    }

    // SECURITY.md: "Archives and plain files are created readable by their owner only, if the file system"
    @Test("are readable by their owner alone")
    func permissions() throws {
        let folder = try TemporaryFolder()
        try Writing.shared(1).write([], to: folder("a"))
        var status = stat()
        let answer = unsafe stat("\(folder("a"))", &status)
        #expect(answer == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("replace no other file, unless that is asked for")
    func replacing() throws {
        let writing = try Writing.shared(1)
        let folder = try TemporaryFolder()
        try writing.write([("old", [])], to: folder("a"))
        #expect {
            try writing.write([("new", [])], to: folder("a"))
        } throws: { error in
            guard case .io(let failure) = (error as? ContainerError)?.code else { return false }
            return failure.isExisting
        }
        #expect(try Reading(path: folder("a")).members.keys.sorted() == ["old"])
        // What was written is not thrown away, and the next run does not write over it.
        #expect(try Reading(path: folder("a.part")).members.keys.sorted() == ["new"])
        #expect(throws: ContainerError(.io(SystemError(call: .open, path: folder("a.part"), number: EEXIST))))
        {
            try writing.write([("newer", [])], to: folder("a"), replacing: FileStatus(at: folder("a")))
        }
        try removeFile(folder("a.part"))
        try writing.write([("new", [])], to: folder("a"), replacing: FileStatus(at: folder("a")))
        #expect(try Reading(path: folder("a")).members.keys.sorted() == ["new"])
    }

    @Test("are locked while they are written")
    func locked() throws {
        let writing = try Writing.shared(1)
        let folder = try TemporaryFolder()
        var writer = try ContainerWriter(
            path: folder("a"), key: writing.key, tool: "", created: "", modified: 0)
        try writer.write(writing.header)
        let failure = try Reading(path: folder("a.part")).failure
        guard case .io(let error) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.isLocked)
        _ = consume writer
    }

    @Test(
        "are not given a name, nor removed, where another file lies there instead", arguments: [false, true])
    func replacedMeanwhile(isAbandoned: Bool) throws {
        let writing = try Writing.shared(1)
        let folder = try TemporaryFolder()
        var writer = try ContainerWriter(
            path: folder("a"), key: writing.key, tool: "", created: "", modified: 0)
        try writer.write(writing.header)
        try removeFile(folder("a.part"))
        try folder.write("a.part", Array("theirs".utf8))
        if isAbandoned {
            let unfinished = writer.unfinished
            _ = consume writer
            #expect { try unfinished.remove() } throws: { ($0 as? SystemError)?.isReplaced == true }
        } else {
            do throws(ContainerError) {
                _ = try writer.finish(writing.header)
                Issue.record("finished what is not there")
            } catch {
                guard case .io(let failure) = error.code else {
                    Issue.record("\(error)")
                    return
                }
                #expect(failure.isReplaced)
            }
        }
        #expect(!exists(folder("a")))
        #expect(try fileBytes(folder("a.part")) == Array("theirs".utf8))
    }

    @Test("go away where they are abandoned, and leave what had the name before")
    func abandoned() throws {
        let writing = try Writing.shared(1)
        let folder = try TemporaryFolder()
        try folder.write("a", [1])
        var writer = try ContainerWriter(
            path: folder("a"), key: writing.key, tool: "", created: "", modified: 0)
        try writer.write(writing.header)
        try writer.add("x", noise(100_000).span)
        let unfinished = writer.unfinished
        // Not while it is written.
        #expect { try unfinished.remove() } throws: { ($0 as? SystemError)?.isLocked == true }
        #expect(exists(folder("a.part")))
        _ = consume writer
        try unfinished.remove()
        #expect(try Folder.entries(of: folder.path).map(\.name) == ["a"])
        #expect(try fileBytes(folder("a")) == [1])
    }

    // SECURITY.md: "2^26 bytes"
    @Test("take no entry of more than 64 MiB, and of no more than 16 properties")
    func entryLimits() throws {
        let writing = try Writing.shared(64)
        let folder = try TemporaryFolder()
        var writer = try ContainerWriter(
            path: folder("a"), key: writing.key, tool: "", created: "", modified: 0)
        try writer.write(writing.header)
        let properties = (0..<17).map { ContainerProperty("p\($0)", $0) }
        let large = zeroes((64 << 20) + 1)
        do throws(ContainerError) {
            try writer.add("large", large.span)
            Issue.record("too large")
        } catch { #expect(error == ContainerError(.invalidUse, entry: "large")) }
        do throws(ContainerError) {
            try writer.add("many", Span(), properties: properties)
            Issue.record("too many")
        } catch { #expect(error == ContainerError(.invalidUse, entry: "many")) }
        try writer.add("most", large.span.extracting(first: 64 << 20), properties: properties.dropLast())
        _ = try writer.finish(writing.header)
        let passphrase = try Passphrase(preparing: Array(Blueprint.passphrase.utf8).span)
        let reader = try ContainerReader(opening: folder("a"), passphrase: passphrase)
        let entries = reader.entries
        #expect(entries.map(\.name) == ["most"] && entries.first?.properties.count == 16)
    }

    @Test("need a header, and the same one at both ends")
    func headers() throws {
        let writing = try Writing.shared(1)
        let folder = try TemporaryFolder()
        let bare = try ContainerWriter(
            path: folder("a"), key: writing.key, tool: "", created: "", modified: 0)
        do throws(ContainerError) {
            _ = try bare.finish(writing.header)
            Issue.record("finished without a header")
        } catch { #expect(error.code == .invalidUse) }
        // Another header of the same key: two of one generation that differ are what a forger would leave.
        let text = Array(Blueprint.passphrase.utf8)
        let other = try writing.key.header(passphrase: Passphrase(preparing: text.span), iterations: 100_000)
        var writer = try ContainerWriter(
            path: folder("b"), key: writing.key, tool: "", created: "", modified: 0)
        try writer.write(writing.header)
        do throws(ContainerError) {
            _ = try writer.finish(other)
            Issue.record("finished with two headers")
        } catch { #expect(error.code == .headerTampered) }
        #expect(!exists(folder("a")) && !exists(folder("b")))
    }

    @Test("are not made with too few iterations, nor with too many, nor with segments of a forbidden size")
    func limits() throws {
        let key = try Writing.shared(1).key
        for iterations in [0, 1, 100_000, 599_999, 10_000_001] {
            let passphrase = try Passphrase(preparing: Array("12345678".utf8).span)
            #expect(throws: ContainerError(.kdfRefused)) {
                try key.newHeader(passphrase: passphrase, iterations: iterations)
            }
        }
        for chunks in [-1, 0, 65537] {
            #expect(throws: ContainerError(.invalidUse)) { try ContainerKey.new(segmentChunks: chunks) }
        }
    }

    // SECURITY.md: "Two exports of the same data have only their size class in common"
    @Test("have a new identifier, key and salts each time")
    func freshness() throws {
        #expect(try Set((0..<50).map { _ in try ContainerKey.new().identifier }).count == 50)
    }
}

/// Names in another order than that of the entry, one of which it does not have.
private enum SomeProperty: String, CaseIterable { case count, other, type }

extension Padding {
    /// The size of a file, from the specification.
    static func fileSize(ofStream total: Int, _ chunks: Int) -> Int {
        let count = (total + chunks * 16384 - 1) / (chunks * 16384)
        let last = total - (count - 1) * chunks * 16384
        return 8192 + (count - 1) * (chunks * 16400 + 72) + 56 + last + 16 * (last / 16384 + 1)
    }
}
