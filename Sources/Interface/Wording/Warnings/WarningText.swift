package import SystemIO
package import VaultContainer

/// Messages for warnings about containers.
package enum WarningText {
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
