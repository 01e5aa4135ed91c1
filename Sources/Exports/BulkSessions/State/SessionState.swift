import CivilTime
import HealthModel
import JSONText
import RecordedExports
import SampleBatches

/// Writes a session's state as lines of JSON, each of which can be read on its own.
///
/// The terms come first. Each pass lists its types, then its batches grouped by element and type, then their number.
/// Results of batches follow as they happen. Anything after the last newline, or in a pass without its closing line,
/// was being written when the program ended, and is ignored.
enum SessionState: Sendable {
    static let version = 1

    static func line(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in body(&writer) }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    static func lines(_ terms: SessionDescriptor.Terms) -> [UInt8] {
        line { writer in
            writer.member("session", version)
            writer.member("id", terms.identifier)
            writer.member("processor", terms.processor)
            writer.member("startRule", terms.startRule)
            if let start = terms.start { writer.member("start", start.iso) }
            writer.member("end", terms.end.iso)
            writer.member("batching", terms.batchSize.description)
            terms.fingerprint.write(&writer)
        }
    }

    /// Returns the lines of a pass.
    ///
    /// A batch consists of its span, part, number of samples, and the second in which its first sample starts, if any.
    static func lines(types: [String], _ plan: [PlannedBatch]) -> [UInt8] {
        var lines = line { writer in
            writer.member("types", types)
        }
        var rest = plan[...]
        while let first = rest.first {
            let key = TypeKey(element: first.key.element, type: first.key.type)
            let group = rest.prefix { TypeKey(element: $0.key.element, type: $0.key.type) == key }
            rest = rest.dropFirst(group.count)
            lines += line { writer in
                writer.member("element", first.key.element)
                writer.member("type", first.key.type)
                writer.key("batches")
                writer.array { writer in
                    for batch in group { write(batch, &writer) }
                }
            }
        }
        return lines + line { $0.member("planned", plan.count) }
    }

    private static func write(_ batch: PlannedBatch, _ writer: inout JSONWriter) {
        writer.array { writer in
            writer.string(batch.key.span)
            writer.integer(batch.key.part)
            writer.integer(batch.count)
            if let first = batch.first { writer.integer(first) }
        }
    }

    static func line(done number: Int) -> [UInt8] { line { $0.member("done", number) } }

    /// Returns the line for a failed batch.
    ///
    /// - Parameter reason: The reason, which must not contain sample values.
    static func line(failed number: Int, reason: String) -> [UInt8] {
        line { writer in
            writer.member("failed", number)
            writer.member("error", reason)
        }
    }
}
