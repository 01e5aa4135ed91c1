import SystemIO
import Testing
import VaultContainer
import VaultCrypto

/// One of the files in Fixtures/containers: a header in the style of age's test kit, and a container.
///
/// `Tests/Readers/Python/make_vectors.py` makes them and says what the fields are.
private struct KitFile {
    let fields: [(name: String, value: String)]
    let container: [UInt8]

    init(_ path: BytePath) throws {
        let bytes = try fileBytes(path)
        var end = 0
        while !(bytes[end] == 10 && bytes[end + 1] == 10) { end += 1 }
        fields = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n").map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]), String(parts[1].dropFirst()))
        }
        container = Array(bytes[(end + 2)...])
    }

    func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    static let folder =
        BytePath(#filePath).parent.parent.parent.parent / "Fixtures/containers"
    static let names = (try? Folder.entries(of: folder).map(\.name)) ?? []
}

@Suite("The attacker's test kit (Fixtures/containers)")
struct TestKitTests {
    private static let derivations = KeyDerivations()

    @Test("has a file for each kind of damage")
    func size() { #expect(KitFile.names.count > 100) }

    // SECURITY.md: "Each 16 KiB are authenticated before they leave the reader"
    @Test("is judged as each file says, and nothing is released that must not be", arguments: KitFile.names)
    func verdict(name: BytePath) throws {
        let file = try KitFile(KitFile.folder / name)
        let passphrase = try #require(file.values("passphrase").first)
        let reading = try Reading(file.container, passphrase: passphrase, derivations: Self.derivations)
        #expect(file.values("expect") == [reading.verdict])
        let digest = hexadecimal(try SHA256.digest(of: reading.payload.span))
        let released = file.values("released")
        #expect(released.contains("\(reading.payload.count) \(digest)"), "\(reading.payload.count) bytes")
        if reading.failure == nil { #expect(released.last == "\(reading.payload.count) \(digest)") }
        // What opens with a warning does not pass a check.
        if reading.verdict == "success" {
            #expect(reading.problems.map { "\($0)" } == file.values("verify"))
        }
        if reading.verdict == "success with warnings" { #expect(!reading.problems.isEmpty) }
    }
}

extension Reading {
    /// The verdict in the words of the test kit.
    fileprivate var verdict: String {
        switch failure {
        case nil: warnings == [.weakKdf] ? "success" : "success with warnings"
        case .segmentMisplaced(let segment, let found): "segmentMisplaced(\(segment),\(found))"
        case .segmentReplaced(let segment): "segmentReplaced(\(segment))"
        case .segmentDamaged(let segment): "segmentDamaged(\(segment))"
        case .chunkDamaged(let segment, let chunk): "chunkDamaged(\(segment),\(chunk))"
        case .some(let code): "\(code)"
        }
    }
}
