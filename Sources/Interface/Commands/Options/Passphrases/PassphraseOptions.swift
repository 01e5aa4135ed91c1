package import CommandLineKit
import HealthVault
package import SystemIO
import VaultContainer
package import VaultCrypto

/// The options for the source of a passphrase: the terminal, a file, a descriptor or a command.
package struct PassphraseOptions: Sendable {
    package var file: BytePath?
    package var descriptor: Int?
    package var command: String?
    /// What the names of the options start with.
    private let name: String

    package init(named name: String = "passphrase") { self.name = name }

    package static let elements: [GrammarElement<PassphraseOptions>] =
        lasting + [
            .option(
                \.descriptor, "passphrase-fd", value: "N", "read it from an open file descriptor",
                as: .integer(in: 0...1_000_000))
        ]

    /// The sources that are still there when nobody watches.
    package static let lasting: [GrammarElement<PassphraseOptions>] = [
        file(named: "passphrase"),
        .option(
            \.command, "passphrase-command", value: "CMD", "run a command that prints it", as: .text),
    ]

    /// The name of the passphrase of what is read besides the archive that a command is about.
    package static let other = "other-passphrase"

    /// Returns the option `NAME-file`, which is enough for a second passphrase: a descriptor is the file /dev/fd/N, and a
    /// shell makes a file of what a command prints.
    package static func file(named name: String) -> GrammarElement<PassphraseOptions> {
        .option(
            \.file, name + "-file", value: "FILE", "read it from a file; - is standard input", as: .file)
    }

    package func validate() throws(UsageError) {
        let given = [file != nil, descriptor != nil, command != nil].filter { $0 }.count
        guard given <= 1 else {
            throw UsageError(.invalidCombination, "a passphrase can come from only one place")
        }
        if let descriptor, !FileDescriptor.isInherited(descriptor) {
            throw UsageError(
                .invalidValue, "file descriptor \(descriptor) is not open",
                hint: "open one in the shell: healthvault ... \(descriptor)< FILE")
        }
    }

    /// Whether nobody needs to be asked: a source other than the terminal was given.
    package var isGiven: Bool { file != nil || descriptor != nil || command != nil }

    /// Whether the passphrase comes from standard input.
    package var usesStandardInput: Bool { file == "-" || descriptor == 0 }

    /// Runs an operation that reads the passphrase; asks again on the terminal if it is wrong, three times in all.
    package func retrying<Result>(_ operation: () async throws -> Result) async throws -> Result {
        try await PassphraseAttempts.run(whileAsked: !isGiven, correcting: true, operation)
    }

    /// Runs a synchronous operation that reads the passphrase, and repeats it in the same way.
    package func retrying<Result: ~Copyable>(_ operation: () throws -> Result) throws -> Result {
        try PassphraseAttempts.run(whileAsked: !isGiven, correcting: true, operation)
    }

    /// Reads the passphrase of an existing archive.
    package func read(prompt: String) throws -> Passphrase {
        if isGiven { return try readUnattended() }
        return try ask(prompt)
    }

    /// Reads the passphrase from the source that was given.
    package func readUnattended() throws -> Passphrase {
        let source: PassphraseSource =
            if let command {
                .command(command)
            } else if let descriptor {
                .descriptor(descriptor)
            } else {
                .file(file ?? "")
            }
        return try source.read()
    }

    package func ask(_ prompt: String) throws -> Passphrase {
        var memory = try LockedPages(count: Passphrase.longest + 16)
        let count: Int
        Console.endProgress()
        do { count = try Terminal.readSecret(prompt: prompt, into: &memory) } catch {
            throw error == .noTerminal
                ? PassphraseProblem.noTerminal(option: name) : PassphraseProblem.notEntered
        }
        do {
            return try memory.withSpan { (bytes: Span<UInt8>) throws(Passphrase.Problem) -> Passphrase in
                try Passphrase(preparing: bytes.extracting(0..<count))
            }
        } catch { throw PassphraseProblem.unusable(error) }
    }
}

/// The checks of a path before asking for a passphrase.
package enum ArchiveCheck {
    package static func requireContainer(_ path: BytePath) throws {
        switch Inspector.kind(of: path) {
        case .container: break
        case .plainFolder: throw VaultError(.notAnArchive, path: path)
        // Reports what was found instead, or that nothing was found.
        case .source where (try? FileStatus(at: path))?.kind == .folder:
            throw VaultError(.notAnArchive, path: path)
        case .source:
            do { _ = try CleartextHeader(of: path) } catch { throw VaultError.wrapping(error, path: path) }
        }
    }
}
