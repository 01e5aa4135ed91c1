import AppleHealthExport
import DocumentTesting
import SystemIO
import Testing

/// A zip put together from APPNOTE, whose directory says what it is told to.
private struct Zip {
    private var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    private func little(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Stores a member (4.3.7), and gives its place.
    mutating func store(_ name: [UInt8], _ content: [UInt8]) -> Int {
        let place = bytes.count
        bytes += [0x50, 0x4b, 3, 4] + little(20, 2) + little(0, 8) + little(0, 4)
        bytes += little(content.count, 4) + little(content.count, 4) + little(name.count, 2) + little(0, 2)
        bytes += name + content
        return place
    }

    /// Lists a member (4.3.12).
    mutating func list(_ name: [UInt8], at place: Int, size: Int) {
        directory += [0x50, 0x4b, 1, 2] + little(20, 2) + little(20, 2) + little(0, 8) + little(0, 4)
        directory +=
            little(size, 4) + little(size, 4) + little(name.count, 2) + little(0, 12) + little(place, 4)
        directory += name
        count += 1
    }

    /// The file, with what ends it (4.3.16).
    var file: [UInt8] {
        bytes + directory + [0x50, 0x4b, 5, 6] + little(0, 4) + little(count, 2) + little(count, 2)
            + little(directory.count, 4) + little(bytes.count, 4) + little(0, 2)
    }
}

@Suite("The directory of a zip")
struct ZipDirectoryTests {
    private static let content = document("<Record type=\"T\"/>\n" + String(repeating: " ", count: 5000))

    private func open(_ zip: Zip) throws -> ExportSource {
        let path: BytePath = "/tmp/healthvault-tests-\(Int.random(in: 0 ... .max)).zip"
        let file = try FileDescriptor(opening: path, .create)
        defer { try? OpenFolder(holding: path).removeFile(path.name) }
        try file.write(zip.file.span)
        return try ExportSource(opening: path)
    }

    // SECURITY.md: "their headers and compressed bytes add up to no more than the length of the zip, so that"
    @Test("lists no member twice, which would be any amount in a small zip", arguments: [0, 1, 2, 1000])
    func overlapping(count: Int) throws {
        var zip = Zip()
        let name = Array("export.xml".utf8)
        let place = zip.store(name, Self.content)
        zip.list(name, at: place, size: Self.content.count)
        for number in 0..<count {
            zip.list(Array("other \(number)".utf8), at: place, size: Self.content.count)
        }
        if count == 0 {
            #expect(try open(zip).documentSize == Self.content.count)
        } else {
            #expect { try open(zip) } throws: { ($0 as? ExportError)?.code == .overlappingMembers }
        }
    }

    @Test("has sizes whose sum may not fit a number")
    func hugeSizes() throws {
        var zip = Zip()
        let name = Array("export.xml".utf8)
        let place = zip.store(name, Self.content)
        zip.list(name, at: place, size: 0xffff_fffe)
        zip.list(Array("b".utf8), at: place, size: 0xffff_fffe)
        #expect(throws: ExportError.self) { try open(zip) }
    }

    @Test("has names in any bytes: UTF-8 where they are, else code page 437, and two spellings are two names")
    func names() throws {
        let names: [[UInt8]] = [
            Array("caf\u{e9}.csv".utf8), Array("cafe\u{301}.csv".utf8), [0x63, 0x82], [0xe9, 0xff, 0x2e],
        ]
        var zip = Zip()
        for name in [Array("export.xml".utf8)] + names {
            let content = name == Array("export.xml".utf8) ? Self.content : Array("x".utf8)
            zip.list(name, at: zip.store(name, content), size: content.count)
        }
        let found = try open(zip).sideFiles.map(\.name)
        let expected: [BytePath] = ["cafe\u{301}.csv", "caf\u{e9}.csv", "c\u{e9}", "\u{398}\u{a0}."]
        #expect(found == expected.sorted())
    }

    // SECURITY.md: "**Someone who makes a source"
    @Test(
        "has no names that lead out of the folder, whatever follows a slash",
        arguments: [
            "../x", "a/../../x", "/x", "a/..", "../\u{301}", "C:/x", "a\\b", "a\nb", "a/../\u{200d}b",
        ])
    func unsafeNames(name: String) throws {
        var zip = Zip()
        for (name, content) in [("export.xml", Self.content), (name, [])] {
            zip.list(Array(name.utf8), at: zip.store(Array(name.utf8), content), size: content.count)
        }
        #expect { try open(zip) } throws: { ($0 as? ExportError)?.code == .unsafeName }
    }
}
