public import ByteText
public import SystemIO

/// A place other than a terminal from which a passphrase is read.
///
/// A passphrase never comes from the command line or the environment, which other processes can see.
public enum PassphraseSource: Sendable {
    /// A file, or a pipe such as `<(pass show health)`; `-` is standard input.
    case file(BytePath)
    /// An open file descriptor.
    case descriptor(Int)
    /// A command of the shell, which prints it.
    case command(String)

    /// Reads a line, and prepares the passphrase in it.
    ///
    /// - Throws: ``PassphraseProblem``; `SystemError`.
    public func read() throws -> Passphrase {
        var memory = try LockedPages(count: Passphrase.longest + 16)
        let count: Int
        do { count = try read(into: &memory) } catch let error as SystemError where error.isOutOfSpace {
            // The input does not fit into the memory reserved for it.
            throw PassphraseProblem.unusable(.tooLong)
        }
        do {
            return try memory.withSpan { (bytes: Span<UInt8>) throws(Passphrase.Problem) -> Passphrase in
                try Passphrase(preparingLine: bytes.extracting(0..<count))
            }
        } catch { throw PassphraseProblem.unusable(error) }
    }

    private func read(into memory: inout LockedPages) throws -> Int {
        switch self {
        case .command(let command):
            let (length, status) = try Shell.output(of: command, into: &memory)
            guard status == 0 else { throw PassphraseProblem.commandFailed(status) }
            return length
        case .descriptor(let number):
            let input = FileDescriptor(inherited: Int32(number), name: "file descriptor \(number)")
            return try input.readAll(into: &memory)
        case .file("-"):
            return try FileDescriptor(inherited: 0, name: "standard input").readAll(into: &memory)
        case .file(let path):
            return try FileDescriptor(opening: path, .stream).readAll(into: &memory)
        }
    }
}

/// The reasons why there is no passphrase.
public enum PassphraseProblem: ClassifiedError, Sendable, Equatable {
    /// There is no terminal; the names of the options for other places start with this.
    case noTerminal(option: String)
    /// There is no terminal to show a generated one on.
    case nowhereToShow
    /// Nothing was entered.
    case notEntered
    /// It was entered differently the second time.
    case different
    /// It is too short for a new archive.
    case tooShort
    /// The command that prints it failed with this status.
    case commandFailed(Int32)
    /// It is no passphrase.
    case unusable(Passphrase.Problem)

    /// Whether a person can type a better one.
    package var isCorrectable: Bool {
        switch self {
        case .different, .tooShort: true
        case .unusable(let problem): problem != .outOfMemory
        case .noTerminal, .nowhereToShow, .notEntered, .commandFailed: false
        }
    }

    /// What it means.
    public var kind: ErrorKind { if case .commandFailed = self { .failed } else { .usage } }
}
