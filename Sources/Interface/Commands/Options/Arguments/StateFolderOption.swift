package import CommandLineKit
package import HealthVault
package import SystemIO

/// The option for the folder with the state of sessions.
package struct StateFolderOption: Sendable {
    package var path: BytePath?

    package init() {}

    package static let elements: [GrammarElement<StateFolderOption>] = [
        .expert([
            .option(
                \.path, "state-dir", value: "DIR", default: "$XDG_STATE_HOME/healthvault",
                "the folder with sessions and history", as: .folder)
        ])
    ]

    /// The folder; nil if neither the option nor the environment names one.
    package var folder: StateFolder? { path.map { StateFolder($0) } ?? StateFolder.standard() }

    /// Returns the folder.
    ///
    /// - Throws: `UsageError` if neither the option nor the environment names one.
    package func required() throws(UsageError) -> StateFolder {
        guard let folder else {
            throw UsageError(
                .invalidCombination,
                "neither XDG_STATE_HOME nor HOME is set",
                hint: "name a folder with --state-dir")
        }
        return folder
    }

    /// Returns the records of exports in the folder.
    package func records() throws(UsageError) -> ExportRecords { ExportRecords(try required()) }

    /// Refuses an output beside which an interrupted export of everything keeps what it has written.
    ///
    /// Without a folder no export has a record, and nothing is refused.
    package func checkNothingUnfinished(beside target: BytePath, isEncrypted: Bool) throws {
        guard let folder else { return }
        try ExportRecords(folder).checkNothingUnfinished(
            beside: Folder.absolute(target), isEncrypted: isEncrypted)
    }
}
