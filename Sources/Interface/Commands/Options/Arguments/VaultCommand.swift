package import CommandLineKit
package import Wording

/// A command that can be run.
package protocol VaultCommand: ParsableCommand {
    func run() async throws -> ExitStatus
}

extension CommandEntry where Command == any VaultCommand {
    package static func command<C: VaultCommand>(_ type: C.Type) -> Self { Self(type) { $0 } }
}
