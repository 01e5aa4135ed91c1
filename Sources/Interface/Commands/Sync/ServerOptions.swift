import CommandLineKit
import HealthVault
import SystemIO

/// The options for a FHIR server: its credentials, and whom it is trusted by.
struct ServerOptions: Sendable {
    var tokenFile: BytePath?
    var tokenCommand: String?
    var authorities: BytePath?
    var subject: String?

    static let elements: [GrammarElement<ServerOptions>] = [
        .option(
            \.tokenFile, "token-file", value: "FILE", "read the bearer token from a file", as: .file),
        .option(
            \.tokenCommand, "token-command", value: "CMD", "run a command that prints the bearer token",
            as: .text),
        .option(
            \.authorities, "ca-file", value: "FILE",
            "trust the certificates in this file instead of the system's", as: .file),
        .option(
            \.subject, "subject", value: "REFERENCE",
            "the person whose samples they are, such as Patient/123",
            as: .text),
    ]

    func validate(for targets: [TargetLocation]) throws(UsageError) {
        for target in targets {
            switch target {
            case .sqlite(let path), .folder(let path): try OutputName.validate(path, option: "--target")
            case .postgreSQL, .fhir: break
            }
        }
        if tokenFile != nil, tokenCommand != nil {
            throw UsageError(.invalidCombination, "a token can come from only one place")
        }
        guard tokenFile != nil || tokenCommand != nil || authorities != nil || subject != nil else { return }
        let isServed = targets.contains { target in
            if case .fhir = target { true } else { false }
        }
        guard !isServed else { return }
        throw UsageError(
            .invalidCombination,
            "--token-file, --token-command, --ca-file and --subject are for FHIR servers only")
    }

    /// Reads the token; empty if none is given.
    func token() throws -> [UInt8] {
        guard tokenFile != nil || tokenCommand != nil else { return [] }
        var memory = try LockedPages(count: Self.longest)
        let count: Int
        if let tokenCommand {
            let (length, status) = try Shell.output(of: tokenCommand, into: &memory)
            guard status == 0 else {
                throw SyncError(.missingToken("the command failed with status \(status)"))
            }
            count = length
        } else {
            count = try FileDescriptor(opening: tokenFile ?? "", .stream).readAll(into: &memory)
        }
        let token = memory.withSpan { bytes in
            var token: [UInt8] = []
            for place in 0..<count where !Self.lineEnds.contains(bytes[place]) { token.append(bytes[place]) }
            return token
        }
        guard !token.isEmpty else { throw SyncError(.missingToken("there is nothing in it")) }
        return token
    }

    private static let longest = 16384
    private static let lineEnds: Set<UInt8> = [0x0a, 0x0d]
}
