public import ByteText
import CPlatform
import Glibc

/// The controlling terminal.
public enum Terminal: Sendable {
    /// Why a secret could not be read or shown.
    public enum Failure: ClassifiedError, Sendable, Equatable {
        /// The process has no controlling terminal.
        case noTerminal
        /// The input ended before the end of the line.
        case ended
        /// The line is longer than the space for it.
        case tooLong
    }

    /// Reads a line from the controlling terminal, even if standard input is redirected, without echoing it.
    ///
    /// - Parameters:
    ///   - prompt: Shown before the cursor.
    ///   - target: Receives the bytes of the line without its line end; the rest of it is zero.
    /// - Returns: The number of bytes typed.
    /// - Throws: `Failure` if there is no terminal, or no line was entered.
    public static func readSecret(prompt: String, into target: inout LockedPages) throws(Failure) -> Int {
        guard let terminal = try? FileDescriptor(opening: "/dev/tty", .terminal), terminal.isTerminal else {
            throw .noTerminal
        }
        var saved = termios()
        guard terminal.withNumber({ unsafe tcgetattr($0, &saved) }) == 0 else { throw .noTerminal }
        var silent = saved
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ICANON | ISIG)
        // After an interruption, typed text must be visible again.
        terminal.withNumber { unsafe platform_guard_terminal($0, prompt) }
        // TCSAFLUSH discards input typed before the prompt.
        guard terminal.withNumber({ unsafe tcsetattr($0, TCSAFLUSH, &silent) }) == 0 else {
            platform_unguard_terminal()
            throw .noTerminal
        }
        defer {
            _ = terminal.withNumber { unsafe tcsetattr($0, TCSAFLUSH, &saved) }
            platform_unguard_terminal()
            try? terminal.write([10].span)
        }
        try? terminal.write(Array(prompt.utf8).span)
        return try readLine(from: terminal, into: &target)
    }

    /// Asks a question on the controlling terminal.
    ///
    /// - Returns: Whether the answer is `yes` or `y`; false if there is no terminal.
    public static func confirm(question: String) -> Bool {
        guard let terminal = try? FileDescriptor(opening: "/dev/tty", .terminal), terminal.isTerminal,
            (try? terminal.write(Array(question.utf8).span)) != nil,
            var answer = try? LockedPages(count: 64), let count = try? readLine(from: terminal, into: &answer)
        else { return false }
        return answer.withSpan { span in
            let word = span.extracting(0..<count).array
            return word.elementsEqual("yes".utf8) || word.elementsEqual("y".utf8)
        }
    }

    /// Writes a secret to the controlling terminal, even if standard output and error are redirected, without copying
    /// it.
    ///
    /// - Throws: `noTerminal` if there is none.
    public static func showSecret(_ secret: Span<UInt8>, before: String, after: String) throws(Failure) {
        guard let terminal = try? FileDescriptor(opening: "/dev/tty", .terminal), terminal.isTerminal else {
            throw .noTerminal
        }
        do {
            try terminal.write(Array(before.utf8).span)
            try terminal.write(secret)
            try terminal.write(Array(after.utf8).span)
        } catch { throw .noTerminal }
    }

    /// Reads one line byte by byte, so that nothing after it is consumed.
    static func readLine(
        from input: borrowing FileDescriptor, into target: inout LockedPages
    ) throws(Failure) -> Int {
        var count = 0
        while true {
            guard count < target.count else { throw .tooLong }
            let (read, last) = target.withMutableSpan { span in
                let read = (try? input.read(into: &span, count..<(count + 1))) ?? 0
                let last = span[count]
                if read == 1, last == 10 { span[count] = 0 }
                return (read, last)
            }
            guard read == 1 else { throw .ended }
            if last == 10 { return count }
            count += 1
        }
    }

    /// Whether the stream is a terminal that may show colours and progress.
    public static func isFancy(_ stream: borrowing FileDescriptor) -> Bool {
        // An empty NO_COLOR counts as unset, see no-color.org.
        stream.isTerminal && (CurrentProcess.environment("NO_COLOR") ?? "").isEmpty
            && CurrentProcess.environment("TERM") != "dumb"
    }
}

extension Terminal.Failure {
    /// What it means.
    public var kind: ErrorKind { .usage }
}
