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

    /// Warns about a folder that was replaced and is still there.
    package static func show(leftBehind folder: BytePath?) {
        guard let folder else { return }
        Console.log(
            "warning: what was replaced could not be removed, and is readable for everyone who may read it: \(folder)"
        )
    }

    package static func describe(_ warning: ContainerWarning) -> TerminalText {
        switch warning {
        case .primaryHeaderDamaged:
            "the header at the start is damaged; the spare one was used. Make a new copy soon"
        case .spareHeaderDamaged: "the spare header at the end is damaged. Make a new copy soon"
        case .spareHeaderMissing:
            "the spare header at the end is missing: the file was cut off. Make a new copy soon"
        case .headerGenerationsDiffer:
            "its two headers are not of the same time: a change of the passphrases was interrupted. Repeat it"
        case .weakKdf: "a key slot has fewer iterations than new archives get; a new export would be safer"
        }
    }
}
