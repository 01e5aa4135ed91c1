import HealthModel
import JSONText

extension ExportRecord {
    /// The record in a line.
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
            writer.member("replacing", isReplacing)
            writer.member("acceptTruncated", acceptsTruncated)
            writer.member("phase", phase.rawValue)
            writer.member("created", created)
            writer.member("updated", updated)
            writer.key("fingerprint")
            writer.object { writer in
                for (name, fact) in fingerprint.facts.sorted(by: { $0.key < $1.key }) {
                    writer.member(name, fact)
                }
            }
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

    /// The last whole line of a file; nil where there is none that this version knows.
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

    private init?(line: [UInt8]) {
        var texts: [String: String] = [:]
        var numbers: [String: Int] = [:]
        var flags: [String: Bool] = [:]
        var facts: [String: String] = [:]
        var further: [String] = []
        var reader = JSONReader(line)
        do {
            try reader.object { reader, name in
                switch try reader.kind() {
                case .number: numbers[name] = try reader.integer()
                case .bool: flags[name] = try reader.bool()
                case .array: try reader.array { reader in further.append(try reader.string()) }
                case .object:
                    try reader.object { reader, fact in facts[fact] = try reader.string() }
                default: texts[name] = try reader.string()
                }
            }
            try reader.finish()
        } catch { return nil }
        guard numbers["export"] == 1, let id = texts["id"], let source = texts["source"],
            let target = texts["target"], let isEncrypted = flags["encrypted"],
            let batching = texts["batching"].flatMap({ BatchOptions(parsing: $0) }),
            let phase = texts["phase"].flatMap({ Phase(rawValue: $0) }), let created = numbers["created"]
        else { return nil }
        self.init(
            identifier: BulkExportSessionIdentifier(id), source: source, target: target,
            isEncrypted: isEncrypted, batching: batching, created: created)
        isNamed = flags["named"] ?? true
        isReplacing = flags["replacing"] ?? false
        acceptsTruncated = flags["acceptTruncated"] ?? false
        self.phase = phase
        updated = numbers["updated"] ?? created
        fingerprint = StoreFingerprint(facts)
        identity = texts["identity"]
        unfinishedIdentity = texts["unfinished"]
        self.further = further
        pending = texts["pending"]
        if let identity = texts["promised"], let samples = numbers["promisedSamples"],
            let phase = texts["promisedPhase"].flatMap({ Phase(rawValue: $0) })
        {
            promise = Promise(
                identity: identity, phase: phase, samples: samples,
                isReplacing: flags["promisedReplacing"] ?? isReplacing)
        }
        samples = numbers["samples"]
        size = numbers["size"]
    }
}
