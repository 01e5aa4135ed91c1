import FolderTesting
import HealthModel
import SystemIO
import Testing

@testable import HealthExport

@Suite("The fingerprint of a source, as a record has it")
struct KeyedFingerprintTests {
    private static let facts = ["bytes": "1234567", "crc32": "89abcdef"]
    private static let source = StoreFingerprint(facts)

    @Test("is that of the same facts, and of no others")
    func comparison() throws {
        let keyed = try KeyedFingerprint(Self.source)
        #expect(try keyed.compare(Self.source) == .same)
        for (name, fact) in [
            ("bytes", "1234568"), ("bytes", ""), ("crc32", "89ABCDEF"), ("crc32", "1234567"),
        ] {
            var other = Self.source
            other.facts[name] = fact
            #expect(try keyed.compare(other) == .different)
        }
        // A fact of another name is another one, though it be the same text.
        #expect(try keyed.compare(StoreFingerprint(["bytes": "89abcdef", "crc32": "1234567"])) == .different)
        // What only one of them knows says nothing.
        #expect(try keyed.compare(StoreFingerprint(["bytes": "1234567", "rows": "9"])) == .same)
        #expect(try keyed.compare(StoreFingerprint(["rows": "9"])) == .unknown)
        #expect(try keyed.compare(StoreFingerprint()) == .unknown)
        #expect(try KeyedFingerprint().compare(Self.source) == .unknown)
        #expect(try KeyedFingerprint(StoreFingerprint()).compare(Self.source) == .unknown)
    }

    @Test("has a key of its own, so that two of one source have nothing in common")
    func keys() throws {
        let (first, second) = (try KeyedFingerprint(Self.source), try KeyedFingerprint(Self.source))
        #expect(first != second && first.key != second.key && first.key.count == 32)
        #expect(Set(first.codes.values).intersection(second.codes.values).isEmpty)
        // Nor have two facts of one source.
        let twice = try KeyedFingerprint(StoreFingerprint(["a": "1", "b": "1"]))
        #expect(Set(twice.codes.values).count == 2)
        #expect(first.codes.values.allSatisfy { $0.utf8.count == 64 })
    }

    // SECURITY.md: "each as the first 32 bytes of an HMAC-SHA-512 under a random key of that record"
    @Test("is written into the record without a fact, and read back")
    func record() throws {
        var record = ExportRecord(
            identifier: BulkExportSessionIdentifier("mine"), source: "/s", target: "/t", isEncrypted: true,
            created: 1)
        record.fingerprint = try KeyedFingerprint(Self.source)
        let line = String(decoding: record.line, as: UTF8.self)
        for fact in Self.facts.values { #expect(!line.contains(fact)) }
        let read = try #require(ExportRecord(line: record.line))
        #expect(read == record)
        #expect(try read.fingerprint.compare(Self.source) == .same)
        #expect(try read.fingerprint.compare(StoreFingerprint(["crc32": "00000000"])) == .different)
    }

    @Test("whose key is no hexadecimal text says nothing of the source")
    func damagedKey() throws {
        let keyed = try KeyedFingerprint(Self.source)
        #expect(KeyedFingerprint(keyed.codes) == nil)
        #expect(KeyedFingerprint(keyed.codes.merging(["key": "xyz"]) { _, new in new }) == nil)
        let other = KeyedFingerprint(keyed.codes.merging(["key": "00"]) { _, new in new })
        #expect(try other?.compare(Self.source) == .different)
    }

    /// The records of an export in its state folder.
    @Test("leaves nothing of a source's facts in the state folder")
    func stateFolder() throws {
        let folder = try TemporaryFolder()
        let records = ExportRecords(StateFolder(folder.path / "state"))
        var record = ExportRecord(
            identifier: BulkExportSessionIdentifier("mine"), source: "/s", target: "/t", isEncrypted: true,
            created: 1)
        record.fingerprint = try KeyedFingerprint(Self.source)
        try records.open(record.identifier).save(record)
        let files = try TemporaryFolder.contents(of: folder.path)
        #expect(files.count == 1)
        for bytes in files.values {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(Self.facts.values.allSatisfy { !text.contains($0) })
        }
    }
}
