import AppleHealthExport
package import CommandLineKit
package import HealthVault
package import SystemIO

/// The check of output names.
package enum OutputName {
    /// What a command writes, which the extension of a name must not deny.
    package enum Content: Sendable {
        case archive
        case database
        case drawing
        case folder
        /// An export in other formats.
        case formats([ExportFormat])
        case keyRing
        case page

        /// What it is, for messages.
        var text: TerminalText {
            switch self {
            case .archive: "an encrypted archive"
            case .database: "an SQLite database"
            case .drawing: "an SVG drawing"
            case .folder: "a folder"
            case .formats(let formats): extensions.isEmpty ? "a folder" : "\(formats[0].rawValue)"
            case .keyRing: "a key ring"
            case .page: "an HTML page"
            }
        }

        /// The extensions that promise it.
        var extensions: [BytePath] {
            switch self {
            case .archive: [OutputName.archive]
            case .database: [".db", ".sqlite", ".sqlite3"]
            case .drawing: [".svg"]
            case .folder, .keyRing: []
            case .formats(let formats): formats.count == 1 ? FormatOptions.extensions[formats[0]] ?? [] : []
            case .page: [".html", ".htm"]
            }
        }
    }

    /// The extensions that promise a format, each in lower case.
    private static let known: [BytePath] =
        [Content.archive, .database, .drawing, .page].flatMap(\.extensions) + [
            ".csv", ".docx", ".gif", ".gz", ".jpeg", ".jpg", ".json", ".ods", ".parquet", ".pdf", ".png",
            ".tar",
            ".xls", ".xlsx", ".xml", ".zip",
        ]

    /// Checks the name of an output.
    ///
    /// - Parameters:
    ///   - content: What the command writes.
    ///   - option: The option that names the output.
    /// - Throws: `UsageError` for `-`, which elsewhere means a stream: a file with that name is never intended; and for a
    ///   name that promises something else, such as an archive: nothing else may look as if it were encrypted.
    package static func validate(
        _ name: BytePath?, _ content: Content, option: String = "-o",
        hint: String = "use the name of a file or folder; ./- is a file named '-'"
    ) throws(UsageError) {
        guard let name else { return }
        guard name != "-" else {
            throw UsageError(
                .invalidCombination, "\(option) - is not possible: the output cannot be a stream",
                hint: hint)
        }
        guard let promised = promise(of: name), !content.extensions.contains(promised) else { return }
        let other: TerminalText =
            content.extensions.first.map { "choose a name that ends in \($0)" }
            ?? "choose a name without \(promised)"
        let look: TerminalText =
            promised == archive ? "looks like \(Content.archive.text)" : "has the extension \(promised)"
        throw UsageError(
            .invalidCombination, "'\(name)' \(look.text), but would be \(content.text.text)", hint: other.text
        )
    }

    package static let archive: BytePath = ".hvault"

    /// Returns the extension of a name that promises a format, in lower case; nil for a name that promises none.
    ///
    /// A slash at the end promises a folder, but no folder may look like an archive.
    package static func promise(of name: BytePath) -> BytePath? {
        if name.withoutTrailingSlashes.hasExtension(archive) { return archive }
        return known.first { name.hasExtension($0) && name.name.count > $0.count }
    }
}

/// A check for outputs that are folders with other contents, such as a drive.
package enum OutputFolder {
    /// Checks that an output is not an existing folder with other contents; the user may have meant a name in that
    /// folder.
    ///
    /// - Parameters:
    ///   - target: The output.
    ///   - source: The source, for which later checks have better messages.
    ///   - name: The name to suggest for an output in the folder.
    ///   - isReplaced: Whether to replace an existing export folder, which later checks handle.
    /// - Throws: `OutputIsFolder`; `MissingFolder`.
    package static func check(
        _ target: BytePath, source: BytePath, suggesting name: BytePath, isReplaced: Bool
    ) throws {
        try makeIfAgreed(target.parent)
        guard !isReplaced, let status = try? FileStatus(at: target), status.kind == .folder,
            Inspector.kind(of: target) != .plainFolder,
            (try? FileStatus(at: source))?.isSameFile(as: status) != true
        else { return }
        throw OutputIsFolder(path: target, suggestion: target.withoutTrailingSlashes / name)
    }

    /// Offers to create a folder that does not exist.
    ///
    /// - Throws: `MissingFolder` if there is no terminal to ask on, or the answer is no.
    package static func makeIfAgreed(_ folder: BytePath) throws {
        guard !folder.isEmpty, (try? FileStatus(at: folder)) == nil else { return }
        guard Console.confirm("\(folder) does not exist. Create it?") else {
            throw MissingFolder(path: folder)
        }
        try Folder.makeAll(folder)
    }
}
