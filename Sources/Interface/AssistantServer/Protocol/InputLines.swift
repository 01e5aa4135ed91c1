import SystemIO

/// The lines of standard input.
struct InputLines: ~Copyable {
    /// A line without its end; nil for one that is too long.
    typealias Line = [UInt8]?

    private let input = FileDescriptor(inherited: 0, name: "standard input")
    private var buffer: [UInt8] = []
    private var isAtEnd = false
    private var isSkipping = false

    /// The maximum length of a line, in bytes: far more than a request has.
    private static let longest = 1 << 20

    /// Returns the next line; nil at the end of the input.
    mutating func next() throws(SystemError) -> Line? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[..<end])
                buffer.removeFirst(end + 1)
                if isSkipping {
                    isSkipping = false
                    return .some(nil)
                }
                return line
            }
            if buffer.count > Self.longest {
                isSkipping = true
                buffer = []
            }
            guard !isAtEnd else {
                // A line without an end is not complete.
                return nil
            }
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            var span = piece.mutableSpan
            let count = try input.read(into: &span)
            isAtEnd = count == 0
            buffer += piece.prefix(count)
        }
    }
}
