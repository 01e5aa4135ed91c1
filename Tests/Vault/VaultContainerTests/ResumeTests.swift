import SystemIO
import Testing
import VaultContainer
import VaultCrypto

@Suite("Writing goes on after an interruption")
struct ResumeTests {
    private static let members: [(name: BytePath, data: [UInt8])] =
        [("session.json", noise(200, seed: 9))]
        + (0..<12).map { (number: Int) -> (name: BytePath, data: [UInt8]) in
            ("entry \(number)", noise(700 + 2900 * number, seed: UInt64(number + 1)))
        }
        + [(BytePath(String(repeating: "long name ", count: 15)), noise(3000, seed: 50))]
    private static let derivations = KeyDerivations()

    private let folder: TemporaryPath
    private let path: BytePath

    init() throws {
        folder = try TemporaryPath()
        path = folder.path + "/x"
    }

    /// Adds the members, the first of them having been added before unless it is told otherwise.
    private func add(_ members: ArraySlice<(name: BytePath, data: [UInt8])>, to writer: inout ContainerWriter)
        throws
    {
        for (name, data) in members { try writer.add(name, data.span) }
    }

    /// What a run leaves that is killed after its last entry.
    private func unfinished() throws -> [UInt8] {
        let writing = try Writing.shared(1)
        var writer = try ContainerWriter(
            path: path, key: writing.key, tool: "", created: "", modified: 1_767_225_600)
        try writer.write(writing.header)
        try add(Self.members[...], to: &writer)
        _ = consume writer
        return try fileBytes(path + ".part")
    }

    private func resume(_ members: [(name: BytePath, data: [UInt8])] = members) throws {
        let text = Array(Blueprint.passphrase.utf8)
        let first = Self.members[0].data
        var writer = try ContainerWriter(
            resuming: path, passphrase: Passphrase(preparing: text.span), tool: "", created: "",
            modified: 1_767_225_600, derivations: Self.derivations, firstEntry: { _ in first })
        try add(members[...], to: &writer)
        guard let header = writer.resumedHeader else { throw ContainerError(.invalidUse) }
        _ = try writer.finish(header)
    }

    private func put(_ bytes: ArraySlice<UInt8>) throws {
        try? removeFile(path)
        try? removeFile(path + ".part")
        let file = try FileDescriptor(opening: path + ".part", .create)
        let content = Array(bytes)
        try file.write(content.span)
    }

    /// What is left is gone on with, and no nonce is used twice.
    private func expectResumed(_ left: ArraySlice<UInt8>, _ comment: Comment) throws {
        try put(left)
        var ledger = Ledger()
        try ledger.enter(path + ".part")
        try resume()
        try expectWhole(comment)
        try ledger.enter(path)
        #expect(ledger.conflicts == 0, comment)
    }

    private func expectWhole(_ comment: Comment) throws {
        let reading = try Reading(path: path, derivations: Self.derivations)
        #expect(reading.isFlawless(payload: reading.payload), comment)
        #expect(
            reading.members == Dictionary(uniqueKeysWithValues: Self.members.map { ($0.name, $0.data) }),
            comment)
    }

    // SECURITY.md: "After a crash it stays. The same command continues it"
    // SECURITY.md: "A segment is sealed only once under its salt"
    @Test("wherever the file ends, and no nonce is used for two messages")
    func everyLength() throws {
        let bytes = try unfinished()
        var resumed = 0
        for length in stride(from: 0, through: bytes.count, by: 1009) {
            try put(bytes[..<length])
            var ledger = Ledger()
            try ledger.enter(path + ".part")
            do { try resume() } catch let error as ContainerError {
                #expect([.incomplete, .notContainer].contains(error.code), "\(length) bytes")
                #expect(length < 4096 + 16472, "\(length) bytes")
                continue
            }
            resumed += 1
            try expectWhole("\(length) bytes")
            try ledger.enter(path)
            #expect(ledger.conflicts == 0, "\(length) bytes")
        }
        #expect(resumed > 100)
    }

    @Test("also where only the last steps were missing")
    func lastSteps() throws {
        try Writing.shared(1).write(Self.members, to: path)
        let bytes = try fileBytes(path)
        for length in [bytes.count, bytes.count - 4096, bytes.count - 4097, bytes.count - 5000] {
            try expectResumed(bytes[..<length], "\(length) bytes")
        }
    }

    @Test("writes none of the whole segments again")
    func reuse() throws {
        let bytes = try unfinished()
        try put(bytes[...])
        try resume()
        let after = try fileBytes(path)
        let whole = (bytes.count - 4096) / 16472 - 1
        #expect(after[..<(4096 + whole * 16472)] == bytes[..<(4096 + whole * 16472)])
    }

    @Test("and after an interruption of that, at any call")
    func again() throws {
        let bytes = try unfinished()
        let calls: Set<SystemCall> = [.open, .flock, .write, .fsync, .read, .fstat, .ftruncate, .rename]
        var target = 0
        var isDone = false
        while !isDone {
            try put(bytes[..<(bytes.count * 2 / 3)])
            var ledger = Ledger()
            try ledger.enter(path + ".part")
            let plan = FaultPlan(calls, at: target, .fail(5), repeats: true)
            do { try FaultPlan.$current.withValue(plan) { try resume() } } catch {}
            isDone = plan.count <= target
            if !exists(path) {
                try ledger.enter(path + ".part")
                try resume()
            }
            try expectWhole("call \(target)")
            try ledger.enter(path)
            #expect(ledger.conflicts == 0, "call \(target)")
            target += target < 40 ? 1 : 7
        }
        #expect(target > 40)
    }

    @Test("also where a drive without power has written later segments and not earlier ones")
    func holes() throws {
        let bytes = try unfinished()
        for segment in 1..<((bytes.count - 4096) / 16472) {
            var left = bytes
            left[4096 + segment * 16472 + 100] ^= 1
            try expectResumed(left[...], "segment \(segment)")
        }
    }

    @Test("but not where a segment is damaged that was flushed long before the last: that is no interruption")
    func damage() throws {
        let large = [UInt8](repeating: 7, count: 34 << 20)
        let members = Self.members + [("large 1", large), ("large 2", large)]
        let writing = try Writing.shared(1)
        var writer = try ContainerWriter(
            path: path, key: writing.key, tool: "", created: "", modified: 1_767_225_600)
        try writer.write(writing.header)
        try add(members[...], to: &writer)
        _ = consume writer
        let bytes = try fileBytes(path + ".part")
        let last = (bytes.count - 4096) / 16472 - 1
        let flushed = last - 1 - (64 << 20) / 16472
        for (segment, isDamage) in [(1, true), (flushed - 1, true), (flushed, false)] {
            var left = bytes
            left[4096 + segment * 16472 + 100] ^= 1
            try put(left[...])
            if isDamage {
                #expect(throws: ContainerError(.segmentDamaged(segment: segment))) { try resume(members) }
                #expect(try fileBytes(path + ".part") == left, "nothing is changed")
            } else {
                try resume(members)
            }
        }
    }

    @Test("whatever length the header of a member claims")
    func lengths() throws {
        let record = { (size: String) in
            let body = " size=\(size)\n"
            return Array("\(body.utf8.count + 2)\(body)".utf8)
        }
        for size in ["9223372036854775807", "9223372036854775296", "9223372036854775000", "99999999"] {
            let pax = record(size)
            var payload = tarHeader("session.json", 200) + Self.members[0].data + zeroes(312)
            payload += tarHeader("pax", pax.count, kind: "x") + pax + zeroes(512 - pax.count)
            payload += tarHeader("x", 10) + zeroes(40_000)
            let whole = try Blueprint(payload: payload).build().bytes
            try put(whole[..<(4096 + 2 * 16472)])
            try resume()
            try expectWhole("\(size)")
        }
    }

    @Test("nor with other entries, another first one, or another passphrase")
    func others() throws {
        let bytes = try unfinished()
        try put(bytes[...])
        var others = Self.members
        others[3].data[0] ^= 1
        #expect(throws: ContainerError(.otherSession, entry: others[3].name)) { try resume(others) }
        #expect(throws: ContainerError(.otherSession, entry: Self.members[2].name)) {
            try resume(Array(Self.members[..<2]))
        }
        let text = Array("some other passphrase".utf8)
        let first = Self.members[0].data
        #expect(throws: ContainerError(.wrongPassphrase)) {
            _ = try ContainerWriter(
                resuming: path, passphrase: Passphrase(preparing: text.span), tool: "", created: "",
                modified: 0, firstEntry: { _ in first })
        }
        let right = Array(Blueprint.passphrase.utf8)
        #expect(throws: ContainerError(.otherSession)) {
            _ = try ContainerWriter(
                resuming: path, passphrase: Passphrase(preparing: right.span), tool: "", created: "",
                modified: 0, derivations: Self.derivations, firstEntry: { _ in right })
        }
        #expect(!exists(path))
        try put(bytes[...])
        try resume()
        try expectWhole("after all of that")
    }
}

/// A folder that lives as long as the test.
private final class TemporaryPath {
    private let folder: TemporaryFolder
    var path: BytePath { folder.path }

    init() throws { folder = try TemporaryFolder() }
}
