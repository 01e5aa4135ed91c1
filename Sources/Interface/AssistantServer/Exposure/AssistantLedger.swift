import CivilTime
import JSONText
package import SystemIO

/// A file with a line for each answer: what was asked, and how much left the computer, without values.
package final class AssistantLedger: Sendable {
    private let descriptor: FileDescriptor

    /// Opens the ledger at a path; a new file is readable by its owner alone.
    ///
    /// - Throws: `SystemError`; ``NotPrivate`` for a file that others can read.
    package init(_ path: BytePath) throws {
        let descriptor = try FileDescriptor(opening: path, .append)
        guard try descriptor.status().isPrivate else { throw NotPrivate() }
        self.descriptor = descriptor
    }

    /// The error of a ledger that others can read.
    package struct NotPrivate: Error {}

    /// Appends a line; the answer must not be sent if this fails.
    func append(_ line: Line) throws(SystemError) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("time", Timestamp(seconds: SystemClock.now(), offsetMinutes: 0).iso)
            writer.member("asked", line.asked)
            writer.member("arguments", line.arguments)
            if !line.types.isEmpty { writer.member("types", line.types) }
            writer.member("times", objects: line.times) { range, writer in range.write(&writer) }
            writer.member("generation", line.generation)
            writer.member("outcome", line.outcome)
            writer.member("rows", line.rows)
            writer.member("bytes", line.bytes)
        }
        try descriptor.write((writer.bytes + [UInt8(ascii: "\n")]).span)
    }

    /// A line.
    struct Line: Sendable {
        /// The tool, resource or prompt.
        let asked: String
        /// The names of the arguments, without their values.
        var arguments: [String] = []
        /// The types that were asked for.
        var types: [String] = []
        /// The times that were asked for.
        var times: [ExposedRange] = []
        let generation: String
        /// `answered` or `refused`.
        var outcome = "answered"
        var rows = 0
        var bytes = 0
    }
}
