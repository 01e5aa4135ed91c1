/// A file of records, one per line, that only its owner can read.
///
/// It is replaced as a whole: a crash at any instant leaves either the old or the new lines.
package struct RecordFile<Record: FileRecord>: Sendable {
    private let folder: BytePath
    private let name: BytePath
    private let refusal: (@Sendable (BytePath) -> any Error)?

    /// Creates a reference to a file in a folder; both are created when something is first stored.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - name: The name of the file.
    ///   - refusal: Makes the error of a file at a path that is cut off, or has a line that this version does not
    ///     support: to continue without it would be to ignore what a user has set up. If nil, only complete lines that
    ///     are supported count.
    package init(
        _ folder: BytePath, _ name: BytePath, refusing refusal: (@Sendable (BytePath) -> any Error)? = nil
    ) {
        self.folder = folder.withoutTrailingSlashes
        self.name = name
        self.refusal = refusal
    }

    /// The maximum number of bytes to read.
    private static var longest: Int { 1 << 26 }
    /// The number of seconds to wait while another process has locked the folder.
    private static var patience: Double { 10 }

    /// Returns all records; none if there is no file.
    ///
    /// - Throws: `SystemError`; the error for a file that is refused.
    package func all() throws -> [Record] {
        do {
            return try lines(in: OpenFolder(opening: folder)).compactMap(\.record)
        } catch let error as SystemError where error.isMissing { return [] }
    }

    private func lines(in folder: OpenFolder) throws -> [Line] {
        let file: FileDescriptor
        do { file = try folder.open(name, .read) } catch {
            if error.isMissing { return [] }
            throw error
        }
        let bytes = try file.bytes(at: 0, count: min(Self.longest, file.status().size))
        let (lines, length) = Line.all(in: bytes)
        // A file without a line end is one that was cut off.
        if let refusal, length == 0 || length < bytes.count || lines.contains(where: { $0.record == nil }) {
            throw refusal(self.folder / name)
        }
        return lines
    }

    /// Changes the lines while no other process can change them.
    ///
    /// - Throws: `SystemError`, with `isLocked` if another process is changing a file in the folder; the error for a
    ///   file that is refused; any error that `body` throws.
    package func change(_ body: (inout [Line]) throws -> Void) throws {
        try Folder.makeAll(folder)
        let folder = try OpenFolder(opening: folder)
        try Self.lock(folder)
        let before = try lines(in: folder)
        var lines = before
        try body(&lines)
        guard lines != before else { return }
        let text = lines.flatMap { $0.text + [Line.end] }
        try folder.replaceFile(name, with: text.isEmpty ? [Line.end] : text)
    }

    /// Removes the records that meet a condition, and adds one at the end.
    ///
    /// - Parameters:
    ///   - isOld: The condition.
    ///   - record: The record to add; nil for none.
    ///   - most: The number of lines that are kept; the oldest are dropped.
    /// - Returns: Whether any was removed because of the condition.
    /// - Throws: What ``change(_:)`` throws.
    @discardableResult
    package func replace(
        _ isOld: (Record) -> Bool, with record: Record? = nil, keeping most: Int = .max
    ) throws -> Bool {
        var isRemoved = false
        try change { lines in
            let count = lines.count
            lines.removeAll { $0.record.map(isOld) ?? false }
            isRemoved = lines.count < count
            if let record { lines.append(Line(record)) }
            lines.removeFirst(max(0, lines.count - most))
        }
        return isRemoved
    }

    /// Locks a folder, waiting while another process changes something in it: changes are quick, and no record may be
    /// lost.
    private static func lock(_ folder: OpenFolder) throws(SystemError) {
        let start = SystemClock.uptime()
        while true {
            do throws(SystemError) { return try folder.lock(exclusively: true) } catch {
                guard error.isLocked, SystemClock.uptime() - start < patience else { throw error }
            }
            SystemClock.sleep(milliseconds: 50)
        }
    }

    /// A line of a file of records.
    package struct Line: Sendable, Equatable {
        /// The line without its end.
        let text: [UInt8]
        /// The record; nil for a line that this version does not support, which is kept as it is.
        package let record: Record?

        static var end: UInt8 { UInt8(ascii: "\n") }

        package static func == (one: Self, other: Self) -> Bool { one.text == other.text }

        /// Makes the line of a record.
        package init(_ record: Record) {
            text = record.line
            self.record = record
        }

        private init(text: [UInt8]) {
            self.text = text
            record = Record(line: text)
        }

        /// Reads all complete lines.
        ///
        /// - Returns: The lines, and the number of bytes that they take: what follows was being written at a crash.
        static func all(in bytes: [UInt8]) -> (lines: [Self], length: Int) {
            let length = (bytes.lastIndex(of: end) ?? -1) + 1
            return (bytes[..<length].split(separator: end).map { Self(text: Array($0)) }, length)
        }
    }
}
