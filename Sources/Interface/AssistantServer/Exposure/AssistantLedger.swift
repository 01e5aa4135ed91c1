import ByteText
import Synchronization
package import SystemIO
import Tables

/// A file with a line for each answer: what was asked, and how much left the computer, without values.
package final class AssistantLedger: Sendable {
    private let descriptor: FileDescriptor
    /// Lets only one line be written at a time.
    private let writing = Mutex(())

    /// The length of the longest line that is looked at.
    private static let longestLine = 1 << 16

    /// Opens the ledger at a path; a new file is readable by its owner alone.
    ///
    /// - Throws: `SystemError`; ``Unfit`` for a file that others can read, or that is no ledger.
    package init(_ path: BytePath) throws {
        let descriptor = try FileDescriptor(opening: path, .updateOrCreate)
        guard try descriptor.status().isPrivate else { throw Unfit.shared }
        let start = try descriptor.bytes(at: 0, count: Self.longestLine)
        guard start.isEmpty || Self.isLedger(start) else { throw Unfit.noLedger }
        self.descriptor = descriptor
    }

    /// The errors of files that cannot be a ledger.
    package enum Unfit: Error {
        /// Others can read the file.
        case shared
        /// The file contains something else: an archive, for example, or a passphrase.
        case noLedger
    }

    /// Returns whether a file that starts with some bytes has a line of a ledger first.
    private static func isLedger(_ start: [UInt8]) -> Bool {
        guard let end = start.firstIndex(of: lineEnd) else { return false }
        var reader = JSONReader(Array(start[..<end]), depthLimit: 8)
        var names: Set<String> = []
        try? reader.object { (reader: inout JSONReader, name) in
            names.insert(name)
            try reader.skip()
        }
        return names.isSuperset(of: ["time", "asked", "arguments", "generation", "outcome", "bytes"])
    }

    private static let lineEnd = UInt8(ascii: "\n")

    /// Appends a line; the answer must not be sent if this fails.
    func append(_ line: Line) throws(SystemError) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("time", Timestamp(seconds: SystemClock.now(), offsetMinutes: 0).iso)
            writer.member("asked", line.asked)
            writer.member("arguments", line.arguments)
            if !line.types.isEmpty { writer.member("types", line.types) }
            writer.key("times")
            line.times.map { TableObject($0.members) }.write(to: &writer)
            writer.member("generation", line.generation)
            writer.member("outcome", line.outcome)
            writer.member("rows", line.rows)
            writer.member("bytes", line.bytes)
        }
        let bytes = writer.bytes + [Self.lineEnd]
        try writing.withLock { _ throws(SystemError) in try append(bytes) }
    }

    /// Appends a line or nothing, also if the disk becomes full.
    private func append(_ bytes: [UInt8]) throws(SystemError) {
        // Another server may have the same ledger.
        try descriptor.lock(exclusively: true)
        defer { try? descriptor.unlock() }
        let end = try endOfLines()
        do throws(SystemError) { try descriptor.write(bytes.span, at: end) } catch {
            try descriptor.truncate(to: end)
            throw error
        }
    }

    /// Returns where the last whole line ends: a loss of power may have left a part of one behind it.
    private func endOfLines() throws(SystemError) -> Int {
        let size = try descriptor.status().size
        let start = max(0, size - Self.longestLine)
        let tail = try descriptor.bytes(at: start, count: size - start)
        guard let last = tail.lastIndex(of: Self.lineEnd) else { return size }
        let end = start + last + 1
        if end < size { try descriptor.truncate(to: end) }
        return end
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
