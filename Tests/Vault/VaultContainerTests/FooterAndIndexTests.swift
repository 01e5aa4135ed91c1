import SystemIO
import Testing
import VaultContainer
import VaultCrypto

@Suite("Validly encrypted footers and indexes that are wrong")
struct FooterAndIndexTests {
    private static let blueprint = Result {
        try Blueprint(members: [("a", noise(20_000)), ("b/c", noise(700)), ("d", [])])
    }

    /// A change of a footer: bytes at an offset.
    struct FooterChange: Sendable, CustomTestStringConvertible {
        let offset: Int
        let bytes: [UInt8]
        var testDescription: String { "\(bytes) at \(offset)" }
    }

    static let lengths = [Int.max, Int.max - 63, 1 << 40, 1 << 28, 100_000, 1, 0, -1, -64, -65, .min]

    static let footers: [FooterChange] =
        (0..<8).map { FooterChange(offset: $0, bytes: [0]) }
        + [8, 16, 24].flatMap { offset in
            lengths.map { FooterChange(offset: offset, bytes: bigEndian($0)) }
        }
        + [32, 63].map { FooterChange(offset: $0, bytes: [0x55]) }

    @Test("are refused where the footer lies", arguments: footers)
    func changedFooter(change: FooterChange) throws {
        var blueprint = try Self.blueprint.get()
        blueprint.changeFooter = { footer in
            var footer = footer
            footer.replaceSubrange(change.offset..<(change.offset + change.bytes.count), with: change.bytes)
            return footer
        }
        #expect(try failure(of: blueprint) == .badFooter)
    }

    /// The sums of these overflow, or just do not fit.
    @Test(
        "are refused where payload and index together do not fit",
        arguments: [
            (Int.max, Int.max), (Int.max, 1), (-1, -1), (-1, 1), (1, -1), (10_000, 20_000), (0, 1 << 62),
        ])
    func sums(payload: Int, index: Int) throws {
        var blueprint = try Self.blueprint.get()
        blueprint.changeFooter = { $0[..<8] + bigEndian(payload) + bigEndian(index) + $0[24...] }
        #expect(try failure(of: blueprint) == .badFooter)
    }

    @Test("are refused where payload and index leave no room for the footer")
    func exactSum() throws {
        // No padding at all: payload, index and footer are all there is.
        let room = try Self.total() - Self.blueprint.get().payload.count - 64
        for missing in [1, 63, 64] {
            var blueprint = try Self.blueprint.get()
            blueprint.changeFooter = { $0[..<16] + bigEndian(room + missing) + $0[24...] }
            #expect(try failure(of: blueprint) == .badFooter)
        }
    }

    /// The total length of the plaintext stream.
    private static func total() throws -> Int {
        let specimen = try blueprint.get().build()
        return try #require(specimen.segments.last).count - 72 + (specimen.segments.count - 1) * 16384
    }

    static let indexes = [
        "", "{", "[]", "null", "{}", "{} x", #"{"version":1}"#, #"{"version":2,"salts":[],"entries":[]}"#,
        #"{"version":"1","salts":[],"entries":[]}"#, #"{"version":1,"salts":[],"entries":[]}"#,
        #"{"version":1,"salts":{},"entries":[]}"#, #"{"version":1,"salts":[1],"entries":[]}"#,
        #"{"version":1,"salts":["00"],"entries":[]}"#, #"{"version":1,"salts":[""],"entries":[],}"#,
        #"{"version":1,"entries":[],"salts":["\#(String(repeating: "g", count: 48))"]}"#,
        #"{"version":1,"entries":[],"salts":["\#(String(repeating: "A", count: 48))"]}"#,
        #"{"version":1,"entries":[{"name":1}],"salts":[]}"#, #"{"version":1,"entries":{},"salts":[]}"#,
    ]

    @Test("are refused where the index is no JSON, or not the right one", arguments: indexes)
    func malformedIndexes(text: String) throws {
        var blueprint = try Self.blueprint.get()
        blueprint.changeIndex = { _ in text }
        #expect(try failure(of: blueprint) == .badFooter)
    }

    @Test("are refused where the index lists more or fewer salts than there are segments of payload")
    func numberOfSalts() throws {
        let salt = "\"" + String(repeating: "0", count: 48) + "\""
        for (old, new) in [("\"salts\":[", "\"salts\":[\(salt),"), ("\"salts\":[", "\"salts\":[],\"x\":[")] {
            var blueprint = try Self.blueprint.get()
            blueprint.changeIndex = { $0.replacing(old, with: new) }
            #expect(try failure(of: blueprint) == .badFooter)
        }
    }

    static let names: [BytePath] = [
        "", "/", "/a", "..", ".", "../a", "a/..", "a/../b", "a/./b", "a//b", "a/", "a\\b", "a\u{0}b", "a\nb",
        "\u{1f}",
        BytePath(String(repeating: "x", count: 1025)), "\(String(repeating: "x/", count: 32))x",
    ]

    // SECURITY.md: "make a reader write outside the folder that it was told to write to"
    @Test("are refused where a name leads out of the folder or is no name", arguments: names)
    func unsafeNames(name: BytePath) throws {
        var blueprint = try Self.blueprint.get()
        blueprint.changeIndex = { text in
            var escaped = ""
            for point in name.text?.unicodeScalars.map(\.value) ?? [] {
                let digits = String(point, radix: 16)
                escaped += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }
            return text.replacing("\"name\":\"b/c\"", with: "\"name\":\"\(escaped)\"")
        }
        #expect(try failure(of: blueprint) == .entryMismatch)
        let key = try ContainerKey.new()
        let folder = try TemporaryFolder()
        var writer = try ContainerWriter(path: folder("a"), key: key, tool: "", created: "", modified: 0)
        #expect(throws: ContainerError(.invalidUse, entry: name)) { try writer.add(name, Span()) }
    }

    @Test(
        "are refused with a lone surrogate anywhere, which stands for a byte that is not UTF-8 or for nothing",
        arguments: [
            (#""name":"b/c""#, #""name":"b\udcff""#), (#""name":"b/c""#, #""name":"b\udcc3\udca9""#),
            (#""version":1"#, #""version":1,"x":"\ud800""#),
            (#""version":1"#, #""version":1,"x":[{"y":"\udc80"}]"#),
            (#""version":1"#, #""version":1,"\ud800":0"#), (#""name":"b/c""#, #""name":"b/c","x":"\udc80""#),
            (#""tool":""#, #""tool":"\ud800"#),
        ])
    func loneSurrogates(old: String, new: String) throws {
        var blueprint = try Self.blueprint.get()
        blueprint.changeIndex = {
            #expect($0.contains(old))
            return $0.replacing(old, with: new)
        }
        #expect(try failure(of: blueprint) == .badFooter)
    }

    @Test("are refused where two entries have one name")
    func doubleNames() throws {
        var blueprint = try Self.blueprint.get()
        blueprint.changeIndex = { $0.replacing("\"name\":\"d\"", with: "\"name\":\"a\"") }
        #expect(try failure(of: blueprint) == .entryMismatch)
        let folder = try TemporaryFolder()
        var writer = try ContainerWriter(
            path: folder("a"), key: ContainerKey.new(), tool: "", created: "", modified: 0)
        try writer.add("x", Span())
        #expect(throws: ContainerError(.invalidUse, entry: "x")) { try writer.add("x", Span()) }
    }

    /// Two spellings of one text are two names to Linux.
    @Test("may have names that differ in their spelling alone")
    func canonicalEquivalence() throws {
        let blueprint = try Blueprint(members: [("caf\u{e9}", [1]), ("cafe\u{301}", [2])])
        let reading = try Reading(try blueprint.build().bytes)
        #expect(reading.failure == nil)
        let folder = try TemporaryFolder()
        try folder.write("a", try blueprint.build().bytes)
        let passphrase = try Passphrase(preparing: Array(Blueprint.passphrase.utf8).span)
        let reader = try ContainerReader(opening: folder("a"), passphrase: passphrase)
        let second = try reader.data(of: try reader.entry(named: "cafe\u{301}"))
        #expect(second == [2])
        #expect(throws: ContainerError(.noSuchEntry, entry: "CAF\u{e9}")) {
            try reader.entry(named: "CAF\u{e9}")
        }
    }

    /// What an entry says of itself, and the first of its numbers replaced.
    static let places: [(key: String, value: String)] = [
        ("offset", "-1"), ("offset", "0"), ("offset", "511"), ("offset", "100000000"),
        ("offset", "9223372036854775807"),
        ("length", "-1"), ("length", "100000000"), ("length", "9223372036854775807"), ("length", "21000"),
    ]

    @Test(
        "are refused where an entry lies outside of the payload, or on another one",
        arguments: places)
    func changedPlace(key: String, value: String) throws {
        var blueprint = try Self.blueprint.get()
        blueprint.changeIndex = { text in
            guard let start = text.firstRange(of: "\"\(key)\":") else { return text }
            let rest = text[start.upperBound...].drop { $0.isNumber }
            return text[..<start.upperBound] + value + rest
        }
        #expect(try failure(of: blueprint) == .entryMismatch)
    }

    /// Each entry is held in memory as a whole.
    // SECURITY.md: "2^26 bytes"
    @Test("are refused where an entry has more than 64 MiB, or more than 16 properties")
    func entryLimits() throws {
        for (count, isTooMany) in [(16, false), (17, true)] {
            var blueprint = try Self.blueprint.get()
            // Fractions and flags do not count.
            let properties = (0..<count).map { ",\"p\($0)\":\($0),\"q\($0)\":1.5,\"r\($0)\":true" }.joined()
            blueprint.changeIndex = {
                $0.replacing("\"name\":\"d\"", with: "\"name\":\"d\"\(properties)")
            }
            #expect(try Reading(try blueprint.build().bytes).failure == (isTooMany ? .entryMismatch : nil))
        }
        let limit = 64 << 20
        for (length, isTooLarge) in [(limit, false), (limit + 1, true)] {
            let text = #"""
                {"version":1,"tool":"","created":"","salts":[],"entries":[{"name":"a","offset":512,\#
                "length":\#(length),"sha256":"\#(String(repeating: "0", count: 64))"}]}
                """#
            let read = Result { try ContainerIndex(Array(text.utf8), payloadLength: 1 << 40) }
            if isTooLarge {
                #expect(throws: ContainerError(.entryMismatch, entry: "a")) { try read.get() }
            } else {
                #expect(try read.get().entries.map(\.length) == [length])
            }
        }
    }

    @Test("are refused where an entry lacks something", arguments: ["offset", "length", "sha256"])
    func missing(key: String) throws {
        var blueprint = try Self.blueprint.get()
        blueprint.changeIndex = { $0.replacing("\"\(key)\"", with: "\"other\"") }
        #expect(try failure(of: blueprint) == .entryMismatch)
    }

    @Test("are refused where there are ten million entries, before memory is full of them")
    func manyEntries() throws {
        let entry = #"{"name":"","offset":512,"length":0,"sha256":"\#(String(repeating: "0", count: 64))"},"#
        for (item, count) in [("{},", 10_000_000), (entry, 200_000)] {
            var blueprint = Blueprint(segmentChunks: 64, payload: zeroes(2048))
            blueprint.changeIndex = { text in
                text.replacing("\"entries\":[", with: "\"entries\":[" + String(repeating: item, count: count))
            }
            #expect(try failure(of: blueprint) == .entryMismatch)
        }
    }

    @Test("give out no entry whose digest is another one")
    func wrongDigest() throws {
        var blueprint = try Self.blueprint.get()
        blueprint.entries[1].sha256[31] ^= 1
        let reading = try Reading(try blueprint.build().bytes)
        #expect(reading.failure == .entryMismatch)
        #expect(reading.members.keys.sorted() == ["a"])
        #expect(reading.problems == [.entryMismatch] && reading.affected == ["b/c"])
    }

    @Test("do not pass the verification where the tar says something else than the index")
    func otherTar() throws {
        let original = try Self.blueprint.get()
        // The name, the size, the checksum, the kind, and the zeroes behind the data, of the second member.
        let header = original.entries[1].offset - 512
        for offset in [0, 1, 135, 149, 156, 257, 512 + 700, 512 + 1023] {
            var blueprint = original
            blueprint.payload[header + offset] ^= 1
            let reading = try Reading(try blueprint.build().bytes)
            #expect(reading.failure == nil)
            #expect(reading.problems == [offset < 512 ? .entryMismatch : .badFooter], "\(offset)")
            // A header that could lead the member elsewhere does not go out, and zeroes are written anew.
            #expect(reading.streamFailure == (offset < 512 ? .entryMismatch : nil), "\(offset)")
            let whole = original.payload.dropLast(1024)
            #expect(reading.stream.elementsEqual(offset < 512 ? whole[..<header] : whole), "\(offset)")
        }
        // The two blocks of zeroes at the end.
        for offset in [1, 512, 1024] {
            var blueprint = original
            blueprint.payload[blueprint.payload.count - offset] = 1
            #expect(try Reading(try blueprint.build().bytes).problems == [.badFooter])
        }
    }

    @Test("do not pass the verification where the payload has more than the index says")
    func hiddenMembers() throws {
        var blueprint = try Self.blueprint.get()
        blueprint.entries.removeLast()
        #expect(try Reading(try blueprint.build().bytes).problems == [.badFooter])
        blueprint = try Self.blueprint.get()
        blueprint.entries.remove(at: 1)
        let reading = try Reading(try blueprint.build().bytes)
        #expect(reading.problems == [.entryMismatch] && reading.streamFailure == .entryMismatch)
        #expect(reading.stream.count == 512 + 20_480, "nothing behind the first member")
    }

    @Test("do not pass the verification where the padding is not zero")
    func padding() throws {
        for place in [0.0, 0.5, 1] {
            var blueprint = try Self.blueprint.get()
            blueprint.changePadding = { padding in
                var padding = padding
                padding[Int(place * Double(padding.count - 1))] = 1
                return padding
            }
            let reading = try Reading(try blueprint.build().bytes)
            #expect(reading.failure == nil && reading.problems == [.badFooter])
        }
    }

    private func failure(of blueprint: Blueprint) throws -> ContainerError.Code? {
        let reading = try Reading(try blueprint.build().bytes)
        // It must not have got as far as giving anything out.
        #expect(reading.payload.isEmpty && reading.members.isEmpty)
        return reading.failure
    }
}

@Suite("Headers of different vaults")
struct TwoVaultsTests {
    private static let blueprint = Result { try Blueprint(members: [("a", noise(40_000))]) }

    private func foreign(_ change: (inout Blueprint) -> Void = { _ in }) throws -> Specimen {
        var other = try Self.blueprint.get()
        other.seed = 2
        change(&other)
        return try other.build()
    }

    // SECURITY.md: "combine the headers of two archives in one file. Whoever reads it gets the archive that"
    @Test("A container opens by the header that fits, with a warning, and does not pass the verification")
    func oneForeign() throws {
        let payload = try Self.blueprint.get().payload
        for isPrimary in [true, false] {
            for other in [
                try foreign(), try foreign { $0.passphrase = "an other passphrase" },
                try foreign { $0.segmentChunks = 2 },
            ] {
                var specimen = try Self.blueprint.get().build()
                if isPrimary { specimen.header = other.header } else { specimen.trailer = other.trailer }
                let reading = try Reading(specimen.bytes)
                #expect(reading.gives(payload))
                #expect(
                    reading.warnings == [.weakKdf, isPrimary ? .primaryHeaderDamaged : .spareHeaderDamaged])
                #expect(reading.problems == [.headersDiffer])
            }
        }
    }

    // SECURITY.md: "make one archive that shows different contents to different passphrases and passes"
    // SECURITY.md: "put a file of their own there. It does not open with your passphrase, unless they know it"
    @Test("The passphrase of the foreign header opens nothing")
    func foreignPassphrase() throws {
        for isPrimary in [true, false] {
            var specimen = try Self.blueprint.get().build()
            let other = try foreign { $0.passphrase = "an other passphrase" }
            if isPrimary { specimen.header = other.header } else { specimen.trailer = other.trailer }
            let reading = try Reading(specimen.bytes, passphrase: "an other passphrase")
            #expect(reading.failure != nil && reading.payload.isEmpty)
        }
    }

    // SECURITY.md: "put a file of their own there. It does not open with your passphrase, unless they know it"
    @Test("Two foreign headers open nothing")
    func bothForeign() throws {
        let other = try foreign()
        var specimen = try Self.blueprint.get().build()
        specimen.header = other.header
        specimen.trailer = other.trailer
        let reading = try Reading(specimen.bytes)
        #expect(reading.failure == .segmentDamaged(segment: 0) && reading.payload.isEmpty)
    }
}
