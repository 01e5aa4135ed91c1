import DataCompression
import SystemIO
import Testing
import VaultCrypto

@testable import VaultContainer

@Suite("Bundles of small entries")
struct BundleTests {
    private static let modified = 1_767_225_600

    private func bundle(_ members: [(name: BytePath, data: [UInt8])]) throws -> ContainerBundle {
        var builder = BundleBuilder(modified: Self.modified)
        for (name, data) in members {
            let isTaken = builder.add(name, data.span)
            #expect(isTaken)
        }
        var compressor = try ZstandardCompressor()
        return try builder.finish(&compressor, .little)
    }

    /// A container with an entry, a bundle, an entry and a bundle.
    private func write(_ bundles: [[(name: BytePath, data: [UInt8])]], to path: BytePath) throws {
        let writing = try Writing.shared(1)
        var writer = try ContainerWriter(
            path: path, key: writing.key, tool: "tests", created: "", modified: Self.modified)
        try writer.write(writing.header)
        try writer.add("session.json", [UInt8("{"), UInt8("}")].span)
        for (number, members) in bundles.enumerated() {
            try writer.add(
                try bundle(members),
                properties: members.indices.map { [ContainerProperty("number", number * 1000 + $0)] })
            try writer.add("between \(number)", noise(700 * number).span)
        }
        // So that index and footer are not in the chunks of what is damaged.
        try writer.add("last", noise(40_000).span)
        _ = try writer.finish(writing.header)
    }

    private func open(_ path: BytePath) throws -> ContainerReader {
        try ContainerReader(
            opening: path, passphrase: Passphrase(preparing: Array(Blueprint.passphrase.utf8).span),
            derivations: Self.derivations)
    }

    private static let derivations = KeyDerivations()

    private static let members: [[(name: BytePath, data: [UInt8])]] = [
        [0, 1, 511, 512, 513, 16_384, 40_000].map { size in ("a/\(size)", noise(size, seed: 3)) },
        [("records/\u{e9}.json", Array("{}".utf8))],
        (0..<300).map { ("many/\($0)", noise($0 % 7, seed: UInt64($0 + 1))) },
        [(name: .joined(Array(repeating: "long", count: 30)), data: noise(5))],
    ]

    @Test("give back what was put into them, in whichever way it is read")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        try write(Self.members, to: folder("a"))
        let reader = try open(folder("a"))
        var expected: [(name: BytePath, data: [UInt8])] = [("session.json", Array("{}".utf8))]
        for (number, members) in Self.members.enumerated() {
            expected += members
            expected.append(("between \(number)", noise(700 * number)))
        }
        expected.append(("last", noise(40_000)))
        let entries = reader.entries
        #expect(entries.map(\.name) == expected.map(\.name))
        #expect(entries[1].number("number") == 0 && entries[9].number("number") == 1000)
        var cursor = EntryCursor()
        for (entry, (_, data)) in zip(entries, expected) {
            #expect(entry.length == data.count)
            #expect(try reader.data(of: entry) == data, "\(entry.name)")
            #expect(try cursor.data(of: entry, in: reader) == data, "\(entry.name)")
        }
        for (entry, (_, data)) in zip(entries, expected).reversed() {
            #expect(try cursor.data(ofSingle: entry, in: reader) == data, "\(entry.name)")
        }
        #expect(try reader.verify().problems == [])
        #expect(reader.payload.count == 2 + 2 * Self.members.count)
    }

    @Test("make a tar stream of all entries, as if there were no bundles")
    func stream() throws {
        let folder = try TemporaryFolder()
        try write(Self.members, to: folder("a"))
        let reader = try open(folder("a"))
        var stream: [UInt8] = []
        try reader.forEachMemberPiece(where: { _ in true }) { piece in
            for index in piece.indices { stream.append(piece[index]) }
        }
        let walk = try TarWalk(length: stream.count) { range in ([UInt8](stream[range]), []) }
        #expect(walk.entries.map(\.name) == reader.entries.map(\.name))
        for (member, entry) in zip(walk.entries, reader.entries) {
            #expect(try stream[member.range].elementsEqual(reader.data(of: entry)), "\(entry.name)")
        }
        // The n-th alone stands where it stood.
        var single: [UInt8] = []
        for number in [0, 3, 9, 250] {
            try reader.forEachMemberPiece(where: { $0 == reader.entries[number] }) { piece in
                for index in piece.indices { single.append(piece[index]) }
            }
        }
        let chosen = try TarWalk(length: single.count) { range in ([UInt8](single[range]), []) }
        #expect(chosen.entries.map(\.name) == [0, 3, 9, 250].map { reader.entries[$0].name })
    }

    @Test("hold a MiB with their headers and ends, and not a byte more", arguments: [-512, -1, 0, 1, 512])
    func largest(distance: Int) throws {
        // A header, the data, two blocks of zeroes.
        let room = (1 << 20) - 3 * 512
        var builder = BundleBuilder(modified: 0)
        let isTaken = builder.add("a", zeroes(room + distance).span)
        #expect(isTaken == (distance <= 0) && builder.isEmpty == !isTaken)
        guard isTaken else { return }
        let takesMore = builder.add("b", Span())
        #expect(takesMore == (distance == -512))
        var compressor = try ZstandardCompressor()
        let bundle = try builder.finish(&compressor, .little)
        #expect(builder.isEmpty)
        let folder = try TemporaryFolder()
        let writing = try Writing.shared(1)
        var writer = try ContainerWriter(
            path: folder("a"), key: writing.key, tool: "", created: "", modified: 0)
        try writer.write(writing.header)
        try writer.add(bundle, properties: bundle.members.map { _ in [] })
        _ = try writer.finish(writing.header)
        let reader = try open(folder("a"))
        #expect(try reader.data(of: reader.entries[0]).count == room + distance)
        #expect(try reader.verify().problems == [])
    }

    @Test("take no names that are taken, lead out, or are those of bundles; nor do entries")
    func names() throws {
        let folder = try TemporaryFolder()
        let writing = try Writing.shared(1)
        for (number, name)
            in (["../a", "/a", "", "x", "bundles/0000.tar.zst", "bundles/12345.tar.zst"] as [BytePath])
            .enumerated()
        {
            var writer = try ContainerWriter(
                path: folder("\(number)"), key: writing.key, tool: "", created: "", modified: 0)
            try writer.add("x", Span())
            var builder = BundleBuilder(modified: 0)
            _ = builder.add(name, Span())
            var compressor = try ZstandardCompressor()
            let bundle = try builder.finish(&compressor, .little)
            do throws(ContainerError) {
                try writer.add(bundle, properties: [[]])
                Issue.record("\(name)")
            } catch { #expect(error == ContainerError(.invalidUse, entry: name)) }
            do throws(ContainerError) {
                try writer.add(name, Span())
                Issue.record("\(name)")
            } catch { #expect(error == ContainerError(.invalidUse, entry: name)) }
        }
    }

    @Test("that are damaged cost their members, which are named, and nothing else")
    func damage() throws {
        let folder = try TemporaryFolder()
        try write(Self.members, to: folder("a"))
        let whole = try fileBytes(folder("a"))
        let (entries, bundles) = try { () throws in
            let reader = try open(folder("a"))
            return (reader.entries, reader.bundles)
        }()
        for (number, bundle) in bundles.enumerated() {
            var bytes = whole
            let place = bundle.entry.offset + bundle.entry.length / 2
            bytes[4096 + place / 16384 * (16400 + 72) + 56 + place % 16384] ^= 1
            let copy: BytePath = "\(number)"
            try folder.write(copy, bytes)
            let check = try open(folder(copy)).verify()
            let names = entries[bundle.members].map(\.name)
            #expect(!check.problems.isEmpty && Set(check.affectedEntries).isSuperset(of: names))
            var salvage = try ContainerSalvage(
                opening: folder(copy),
                passphrase: Passphrase(preparing: Array(Blueprint.passphrase.utf8).span),
                derivations: Self.derivations)
            // The chunk may hold others, too; what is in the others is whole.
            var found: Set<BytePath> = []
            for entry in salvage.entries where entry.bundle != nil {
                let (data, lost) = try salvage.read(entry, 0..<entry.size)
                let name = try #require(entry.name)
                let expected = Self.members.flatMap(\.self).first { $0.name == name }?.data
                #expect(lost.isEmpty && data == expected, "\(name)")
                found.insert(name)
            }
            #expect(found.isDisjoint(with: names))
            let isLeft = salvage.entries.contains { $0.name == bundle.entry.name && $0.bundle == nil }
            #expect(isLeft)
        }
    }

    @Test("are salvaged by their own headers where the index is lost")
    func withoutIndex() throws {
        let folder = try TemporaryFolder()
        try write(Self.members, to: folder("a"))
        var bytes = try fileBytes(folder("a"))
        // The footer's chunk.
        bytes[bytes.count - 4096 - 20] ^= 1
        try folder.write("b", bytes)
        let salvage = try ContainerSalvage(
            opening: folder("b"), passphrase: Passphrase(preparing: Array(Blueprint.passphrase.utf8).span),
            derivations: Self.derivations)
        let hasIndex = salvage.hasIndex
        #expect(!hasIndex)
        let names = Set(salvage.entries.compactMap(\.name))
        #expect(names.isSuperset(of: Self.members.flatMap(\.self).map(\.name)))
    }
}

extension UInt8 {
    fileprivate init(_ character: Unicode.Scalar) { self = UInt8(ascii: character) }
}
