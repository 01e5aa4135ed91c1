package import SystemIO
package import VaultContainer

/// Messages for warnings about containers.
package enum WarningText {
    package static func show(_ warnings: Set<ContainerWarning>, _ path: BytePath) {
        for warning in ContainerWarning.allCases where warnings.contains(warning) {
            Console.log("warning: \(path): \(describe(warning))")
        }
    }

    /// Shows the warnings about several containers, by path.
    package static func show(_ warnings: [BytePath: Set<ContainerWarning>]) {
        for (path, found) in warnings.sorted(by: { $0.key < $1.key }) { show(found, path) }
    }

    /// Warns about a replaced folder that could not be removed.
    package static func show(leftBehind folder: BytePath?) {
        guard let folder else { return }
        Console.log(
            "warning: the replaced folder could not be removed and is still there, unencrypted: \(folder)"
        )
    }

    private static let rewriting: TerminalText =
        "If a 'healthvault passphrase' command was interrupted, repeat it; otherwise make a new copy soon"

    package static func describe(_ warning: ContainerWarning) -> TerminalText {
        switch warning {
        case .primaryHeaderDamaged:
            "the primary header is damaged; the spare one was used. \(rewriting)"
        case .spareHeaderDamaged: "the spare header is damaged. \(rewriting)"
        case .spareHeaderMissing:
            "the spare header is missing: the file is truncated. Make a new copy soon"
        case .headerGenerationsDiffer:
            "its two headers differ: a passphrase change was interrupted. Repeat it"
        case .weakKdf: "a key slot uses fewer iterations than new archives do; a new export would be safer"
        }
    }
}
