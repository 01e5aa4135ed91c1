import ByteText
import HealthFormats
import SystemIO

/// Reads manifests.
package enum ManifestReader: Sendable {
    /// Reads a manifest.
    ///
    /// - Throws: `VaultError` if it is not a manifest, or has an unknown version.
    package static func read(_ json: [UInt8]) throws(VaultError) -> Manifest {
        try read(json, Manifest.fields)
    }

    /// Reads the description of the source in a manifest, and skips everything that grows with the export.
    static func readSource(_ json: [UInt8]) throws(VaultError) -> Manifest {
        try read(json, Manifest.sourceFields)
    }

    private static func read(
        _ json: [UInt8], _ fields: RecordFields<Manifest>
    ) throws(VaultError) -> Manifest {
        var manifest = Manifest.blank
        do {
            var reader = JSONReader(json)
            try fields.read(&manifest, &reader)
            try reader.finish()
        } catch {
            let offset = (error as? JSONError)?.offset ?? 0
            throw VaultError(.format(FormatError(.malformed, at: offset)), path: EntryPath.manifest)
        }
        guard manifest.version == Manifest.version else {
            throw VaultError(.unsupportedManifest, path: EntryPath.manifest)
        }
        return manifest
    }
}
