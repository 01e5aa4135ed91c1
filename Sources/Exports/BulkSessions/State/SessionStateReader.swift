import ArchiveManifest
import CivilTime
import HealthModel
import JSONText
import RecordedExports
import SampleBatches

/// Reads a session's state.
struct SessionStateReader {
    /// The description of the session; nil if even its terms are missing.
    private(set) var descriptor: SessionDescriptor?
    /// The length in bytes of the lines to keep.
    private(set) var length = 0

    /// The pass being read.
    private var types: [String]?
    private var plan: [PlannedBatch] = []

    /// Reads the lines of a journal.
    ///
    /// - Throws: `SessionError.unreadableState` if a complete line is invalid.
    init(_ bytes: [UInt8]) throws(SessionError) {
        var start = 0
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            do { try read(Line(bytes, start..<end)) } catch { throw .unreadableState }
            start = end + 1
            if types == nil { length = start }
        }
    }

    private mutating func read(_ line: Line) throws {
        guard descriptor != nil else {
            self.descriptor = SessionDescriptor(terms: try line.terms())
            return
        }
        if let types = line.types {
            self.types = types
            plan = []
        } else if let planned = line.planned {
            guard let types, planned == plan.count else { throw SessionError.unreadableState }
            descriptor?.add(types: types, plan)
            self.types = nil
        } else if types != nil {
            plan += line.batches
        } else {
            let (number, result) = try line.event()
            guard descriptor?.records.indices.contains(number) == true else {
                throw SessionError.unreadableState
            }
            descriptor?.records[number].result = result
        }
    }
}

/// A line of a session's state.
private struct Line {
    var types: [String]?
    var planned: Int?
    var batches: [PlannedBatch] = []
    private var texts: [String: String] = [:]
    private var numbers: [String: Int] = [:]
    private var facts: [String: String] = [:]

    init(_ bytes: [UInt8], _ range: Range<Int>) throws {
        var reader = JSONReader(bytes, range: range)
        var element = ""
        var type = ""
        try reader.object { reader, key in
            switch key {
            case "types":
                var types: [String] = []
                try reader.array { reader in types.append(try reader.string()) }
                self.types = types
            case "element": element = try reader.string()
            case "type": type = try reader.string()
            case "batches":
                try reader.array { reader in batches.append(try Self.batch(&reader, element, type)) }
            case "planned": planned = try reader.integer()
            case KeyedFingerprint.member:
                try reader.object { reader, name in facts[name] = try reader.string() }
            default:
                if try reader.kind() == .number {
                    numbers[key] = try reader.integer()
                } else {
                    texts[key] = try reader.string()
                }
            }
        }
        try reader.finish()
    }

    private static func batch(
        _ reader: inout JSONReader, _ element: String, _ type: String
    ) throws -> PlannedBatch {
        var span: String?
        var numbers: [Int] = []
        try reader.array { reader in
            if span == nil { span = try reader.string() } else { numbers.append(try reader.integer()) }
        }
        guard let span, (2...3).contains(numbers.count), numbers[0] > 0,
            (0...(1 << 50)).contains(numbers[1]),
            numbers.count == 2 || Timestamp.writableSeconds.contains(numbers[2])
        else {
            throw SessionError.unreadableState
        }
        return PlannedBatch(
            key: SampleBatch.Key(element: element, type: type, span: span, part: numbers[0]),
            count: numbers[1],
            first: numbers.count == 3 ? numbers[2] : nil)
    }

    func terms() throws -> SessionDescriptor.Terms {
        guard numbers["session"] == SessionState.version, let identifier = texts["id"],
            let processor = texts["processor"], let startRule = texts["startRule"],
            let end = try time("end"), let batching = texts["batching"],
            let batchSize = BatchOptions(parsing: batching),
            let fingerprint = KeyedFingerprint(facts)
        else { throw SessionError.unreadableState }
        return SessionDescriptor.Terms(
            identifier: identifier, processor: processor, startRule: startRule, start: try time("start"),
            end: end, batchSize: batchSize, fingerprint: fingerprint)
    }

    private func time(_ name: String) throws -> Timestamp? {
        guard let text = texts[name].map({ Array($0.utf8) }) else { return nil }
        guard let time = Timestamp(iso: text.span) else { throw SessionError.unreadableState }
        return time
    }

    func event() throws -> (number: Int, result: ExportBatch.Result) {
        if let number = numbers["done"] { return (number, .success) }
        guard let number = numbers["failed"], let error = texts["error"] else {
            throw SessionError.unreadableState
        }
        return (number, .failure(errorDescription: error))
    }
}
