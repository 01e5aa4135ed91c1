import ByteText
import HealthModel
import SampleBatches
import SystemIO

/// A line of a session's file.
///
/// The first line has the terms. Each pass has a line with its types and batches, and each result of a batch has one.
struct SessionEntry: FileRecord {
    var terms: SessionDescriptor.Terms?
    var types: [String]?
    var plan: [PlannedBatch]?
    /// The number of a batch that was processed.
    var done: Int?
    /// The number of a batch that failed.
    var failed: Int?
    /// The reason, which must not contain sample values.
    var error: String?

    static let blank = SessionEntry()
    static let fields: RecordFields<SessionEntry> = [
        .field(\.terms, "session", .object), .field(\.types, "types", .list(of: .text)),
        .field(\.plan, "batches", .plan), .field(\.done, "done", .count), .field(\.failed, "failed", .count),
        .field(\.error, "error", .text),
    ]
}

extension RecordValue<[PlannedBatch]> {
    /// A list for each batch: its span; its element and type, unless they are those of the batch before; its part,
    /// number of samples, and the second in which its first sample starts, if any.
    fileprivate static let plan = Self { plan, writer in
        writer.array { writer in
            var last: SampleBatch.Key?
            for batch in plan {
                writer.array { writer in
                    writer.string(batch.key.span)
                    if last?.element != batch.key.element || last?.type != batch.key.type {
                        writer.string(batch.key.element)
                        writer.string(batch.key.type)
                    }
                    writer.integer(batch.key.part)
                    writer.integer(batch.count)
                    if let first = batch.first { writer.integer(first) }
                }
                last = batch.key
            }
        }
    } read: { reader in
        var plan: [PlannedBatch] = []
        var (element, type) = ("", "")
        try reader.array { reader in
            var (texts, numbers): ([String], [Int]) = ([], [])
            try reader.array { reader in
                if try reader.kind() == .string {
                    texts.append(try reader.string())
                } else {
                    numbers.append(try reader.integer())
                }
            }
            if texts.count == 3 { (element, type) = (texts[1], texts[2]) }
            guard let span = texts.first, (2...3).contains(numbers.count), numbers[0] > 0,
                (0...1 << 50).contains(numbers[1]),
                numbers.count == 2 || Timestamp.writableSeconds.contains(numbers[2])
            else { throw reader.failure(.unexpected) }
            plan.append(
                PlannedBatch(
                    key: SampleBatch.Key(element: element, type: type, span: span, part: numbers[0]),
                    count: numbers[1], first: numbers.count == 3 ? numbers[2] : nil))
        }
        return plan
    }
}
