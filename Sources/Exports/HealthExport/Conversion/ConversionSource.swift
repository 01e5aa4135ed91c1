public import ByteText
public import HealthArchive
public import SystemIO
public import VaultContainer

/// The source of a conversion: an open archive, a plain folder, or an export of the Health app.
public struct ConversionSource: Sendable {
    enum Kind: Sendable {
        case stored(StoredExport)
        case export
    }

    /// The path of the source.
    public let path: BytePath
    let kind: Kind
    /// The samples of an archive that only earlier exports had; nil for any other source.
    private(set) var gone: StoredExport?
    /// The warnings about the opened containers, by path.
    public var warnings: [BytePath: Set<ContainerWarning>] = [:]

    /// The paths of the opened containers, newest first.
    private(set) var archives: [BytePath] = []

    /// Whether the source is an export of the Health app.
    public var isExport: Bool { if case .export = kind { true } else { false } }

    /// The time of the export; nil if it is not known, or the source is an export of the Health app.
    public var exported: Timestamp? {
        if case .stored(let export) = kind { export.manifest.exported } else { nil }
    }

    /// Opens a container.
    ///
    /// - Parameter isGone: Whether to include only the samples that the newest export no longer had.
    /// - Throws: `VaultError`.
    public init(container path: BytePath, key: ArchiveKey, isGone: Bool = false) throws(VaultError) {
        self.path = path
        do {
            let chain = try ContainerChain(opening: path, key: key)
            if isGone {
                kind = .stored(try StoredExport(chain, isGone: true))
            } else {
                let (newest, earlier) = try StoredExport.both(chain)
                (kind, gone) = (.stored(newest), earlier)
            }
            warnings = chain.allWarnings
            archives = chain.links.map(\.path)
        } catch { throw VaultError.wrapping(error, path: path) }
    }

    /// Opens a plain export folder.
    ///
    /// - Throws: `VaultError`, with `notReadBack` if it does not contain NDJSON.
    public init(folder path: BytePath) throws(VaultError) {
        self.path = path
        do { kind = .stored(try StoredExport(folder: path)) } catch {
            throw VaultError.wrapping(error, path: path)
        }
    }

    /// Uses an export of the Health app; `-` is a document from standard input.
    public init(export path: BytePath) {
        self.path = path
        kind = .export
    }
}
