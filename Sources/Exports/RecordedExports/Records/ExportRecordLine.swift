import CivilTime
import JSONText
import SampleBatches
import SystemIO

extension ExportRecord {
    /// The record as a line of JSON.
    var line: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("export", 1)
            writer.member("id", identifier.text)
            writer.member("named", isNamed)
            writer.member("source", source)
            writer.member("target", target)
            writer.member("encrypted", isEncrypted)
            writer.member("batching", batching.description)
            if let destination { writer.member("destination", destination) }
            if let kept { writer.member("keep", kept) }
            writer.member("replacing", isReplacing)
            writer.member("acceptDamaged", acceptsDamage)
            writer.member("phase", phase.rawValue)
            writer.member("created", created)
            writer.member("updated", updated)
            fingerprint.write(&writer)
            if let identity { writer.member("identity", identity) }
            if let unfinishedIdentity { writer.member("unfinished", unfinishedIdentity) }
            if !further.isEmpty {
                writer.member("further", further)
            }
            if let pending { writer.member("pending", pending) }
            if let promise {
                writer.member("promised", promise.identity)
                writer.member("promisedPhase", promise.phase.rawValue)
                writer.member("promisedSamples", promise.samples)
                writer.member("promisedReplacing", promise.isReplacing)
            }
            if let samples { writer.member("samples", samples) }
            if let size { writer.member("size", size) }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// Reads the last complete line that this version understands; returns nil if there is none.
    init?(lastLineOf bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        let isWhole = bytes.last == UInt8(ascii: "\n")
        for line in (isWhole ? lines[...] : lines.dropLast()).reversed() {
            guard let record = ExportRecord(line: Array(line)) else { continue }
            self = record
            return
        }
        return nil
    }

    /// Reads a time, a count or a size in bytes that is within the range that later calculations can handle.
    private static func number(_ reader: inout JSONReader, _ name: String) throws -> Int {
        let number = try reader.integer()
        let isTime = name == "created" || name == "updated"
        guard (isTime ? Timestamp.writableSeconds : 0...(1 << 50)).contains(number) else {
            throw reader.failure(.unexpected)
        }
        return number
    }

    private init?(line: [UInt8]) {
        var texts: [String: String] = [:]
        var numbers: [String: Int] = [:]
        var flags: [String: Bool] = [:]
        var facts: [String: String] = [:]
        var further: [BytePath] = []
        var paths: [String: BytePath] = [:]
        var reader = JSONReader(line)
        do {
            try reader.object { reader, name in
                switch (name, try reader.kind()) {
                case (_, .number): numbers[name] = try Self.number(&reader, name)
                case (_, .bool): flags[name] = try reader.bool()
                case ("further", .array):
                    try reader.array { reader in further.append(try reader.path()) }
                case (KeyedFingerprint.member, .object):
                    try reader.object { reader, fact in facts[fact] = try reader.string() }
                case (_, .array), (_, .object): _ = try reader.skip()
                default:
                    // A path is not necessarily valid text.
                    let value = try reader.path()
                    paths[name] = value
                    texts[name] = value.text
                }
            }
            try reader.finish()
        } catch { return nil }
        guard numbers["export"] == 1, let id = texts["id"], let source = paths["source"],
            let target = paths["target"], let isEncrypted = flags["encrypted"],
            let batching = texts["batching"].flatMap({ BatchOptions(parsing: $0) }),
            let phase = texts["phase"].flatMap({ Phase(rawValue: $0) }), let created = numbers["created"],
            let isNamed = flags["named"], let isReplacing = flags["replacing"],
            let acceptsDamage = flags["acceptDamaged"], let updated = numbers["updated"],
            let fingerprint = KeyedFingerprint(facts)
        else { return nil }
        self.init(
            identifier: BulkExportSessionIdentifier(id), source: source, target: target,
            isEncrypted: isEncrypted, batching: batching, created: created)
        self.isNamed = isNamed
        destination = texts["destination"]
        kept = numbers["keep"]
        self.isReplacing = isReplacing
        self.acceptsDamage = acceptsDamage
        self.phase = phase
        self.updated = updated
        self.fingerprint = fingerprint
        identity = texts["identity"]
        unfinishedIdentity = texts["unfinished"]
        self.further = further
        pending = paths["pending"]
        if let identity = texts["promised"], let samples = numbers["promisedSamples"],
            let phase = texts["promisedPhase"].flatMap({ Phase(rawValue: $0) }),
            let isReplacing = flags["promisedReplacing"]
        {
            promise = Promise(
                identity: identity, phase: phase, samples: samples,
                isReplacing: isReplacing)
        }
        samples = numbers["samples"]
        size = numbers["size"]
    }
}
