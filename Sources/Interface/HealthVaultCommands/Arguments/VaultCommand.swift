import CommandLineKit
import CommandOutput

/// A command that can be run.
protocol VaultCommand: ParsableCommand {
    func run() async throws -> ExitStatus
}

extension CommandEntry where Command == any VaultCommand {
    static func command<C: VaultCommand>(_ type: C.Type) -> Self { Self(type) { $0 } }
}
