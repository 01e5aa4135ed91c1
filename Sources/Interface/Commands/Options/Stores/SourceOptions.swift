package import CommandLineKit
package import HealthModel
package import HealthVault
package import SystemIO

/// The argument SOURCE of commands that query any kind of source, with the passphrase of an archive.
package struct SourceOptions: Sendable {
    /// The paths of all sources, of a command that takes several.
    package var paths: [BytePath] = []
    /// The path of the source that is opened.
    package var path: BytePath {
        get { paths.first ?? "" }
        set { paths = [newValue] }
    }
    package var key = KeyOptions()

    package init() {}

    /// The name of the argument.
    package static let name = "SOURCE"

    private static let meaning = "an export, an archive, or a folder with either; - reads XML"

    package static let argument: [GrammarElement<SourceOptions>] = [
        .argument(\.path, name, meaning, as: .file)
    ]

    package static let arguments: [GrammarElement<SourceOptions>] = [
        .repeatedArgument(\.paths, name, required: true, meaning + "; several are answered as one", as: .file)
    ]

    package static let options: [GrammarElement<SourceOptions>] = [.including(\.key, KeyOptions.elements)]

    package func validate() throws(UsageError) { try key.validate() }

    /// Opens the source; asks for the passphrase of an archive.
    ///
    /// - Parameters:
    ///   - gone: Whether to read only samples of an archive that later exports no longer contained.
    ///   - progress: Called while an export is read.
    package func open(
        gone: Bool = false, progress: @escaping ProgressHandler = { _ in }
    ) throws -> any HealthStore {
        if let opened = OpenedSource.current { return try opened.store(gone: gone) }
        return try openAnew(gone: gone, progress: progress).store
    }

    /// Opens the source in the same way, although another command may have it open.
    func openAnew(
        gone: Bool = false, progress: @escaping ProgressHandler = { _ in }
    ) throws -> OpenedSource.Content {
        let (folder, path) = (path, try ArchiveFolder.resolved(path))
        switch Inspector.kind(of: path) {
        case .container:
            return try key.unlocking { key in
                let newest = try ArchiveFolder.confirmed(path, in: folder, key: key)
                return OpenedSource.Content(
                    store: try ArchiveStore(container: newest, key: key, gone: gone), archive: (newest, key))
            }
        case _ where gone: throw VaultError(.notAnArchive, path: path)
        case .plainFolder: return OpenedSource.Content(store: try ArchiveStore(folder: path))
        case .source:
            return OpenedSource.Content(
                store: path == "-"
                    ? try ExportStore.standardInput(progress: progress)
                    : try ExportStore(path: path, progress: progress))
        }
    }
}
