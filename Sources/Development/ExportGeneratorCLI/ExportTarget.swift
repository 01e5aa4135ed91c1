import AppleHealthExport
import Commands
import ExportGenerator
import HealthVault
import SystemIO

/// The file, folder or stream that a generated export is written to; a file or folder has its name only once it is
/// complete.
struct ExportTarget {
    private enum Form {
        case zip
        case document
        case standardOutput
        case folder
    }

    private let form: Form
    private let path: BytePath
    private let replacing: Bool

    /// Creates a target, and checks whether anything is in the way.
    ///
    /// - Throws: `VaultError` if something that may not be replaced has its name; `SystemError`.
    init(_ path: BytePath, replacing: Bool) throws {
        self.path = path.withoutTrailingSlashes
        self.replacing = replacing
        let name = self.path.asciiLowercased
        if name == "-" {
            form = .standardOutput
        } else if name.hasSuffix(".zip") {
            form = .zip
        } else {
            form = name.hasSuffix(".xml") ? .document : .folder
        }
        try checkPlace()
    }

    private func checkPlace() throws {
        guard form != .standardOutput,
            let existing = try OpenFolder(holding: path).statusIfThere(of: path.name)
        else { return }
        let isFolder = form == .folder
        guard existing.kind == (isFolder ? .folder : .file) else {
            throw VaultError(.notReplaceable, path: path)
        }
        guard replacing else { throw VaultError(.targetExists, path: path) }
        let names = isFolder ? Set(try Folder.entries(of: path).map(\.name)) : []
        let ours: Set<BytePath> = [
            "export.xml", "export_cda.xml", "workout-routes", "electrocardiograms", "clinical-records",
            "attachments",
        ]
        guard names.isEmpty || (names.contains("export.xml") && names.isSubset(of: ours)) else {
            throw VaultError(.notReplaceable, path: path)
        }
    }

    /// Writes an export, and returns the counts that a reader must find in it.
    ///
    /// - Throws: `VaultError`, `SystemError`.
    func store(_ export: GeneratedExport) throws -> GeneratedExport.Census {
        switch form {
        case .zip:
            do { return try writeZip(export) } catch { throw VaultError(.source(error), path: error.file) }
        case .standardOutput:
            return try export.writeXML { (bytes) throws(SystemError) in try Console.print(bytes) }
        case .document:
            return try renaming { (file) throws(SystemError) in try writeDocument(of: export, to: file) }
        case .folder:
            return try renaming { (folder) throws(SystemError) in try writeFiles(of: export, to: folder) }
        }
    }

    private func writeZip(_ export: GeneratedExport) throws(ExportError) -> GeneratedExport.Census {
        var zip = try ZipWriter(path, replacing: replacing, modified: export.options.exportDate)
        let census = try zip.add("apple_health_export/export.xml") { (write) throws(ExportError) in
            try export.writeXML(write)
        }
        for file in export.sideFileList {
            try zip.add("apple_health_export/\(file.name)") { (write) throws(ExportError) in
                try export.writeSideFile(file, write)
            }
        }
        try zip.finish()
        return census
    }

    private func writeFiles(
        of export: GeneratedExport, to folder: BytePath
    ) throws(SystemError) -> GeneratedExport.Census {
        try Folder.make(folder)
        for file in export.sideFileList {
            let path = folder / "\(file.name)"
            try Folder.makeAll(path.parent)
            let descriptor = try FileDescriptor(opening: path, .create)
            try export.writeSideFile(file) { (bytes) throws(SystemError) in try descriptor.write(bytes) }
            try descriptor.close()
        }
        return try writeDocument(of: export, to: folder / "export.xml")
    }

    private func writeDocument(
        of export: GeneratedExport, to path: BytePath
    ) throws(SystemError) -> GeneratedExport.Census {
        let descriptor = try FileDescriptor(opening: path, .create)
        let census = try export.writeXML { (bytes) throws(SystemError) in try descriptor.write(bytes) }
        try descriptor.close()
        return census
    }

    /// Makes a file or folder beside the target, and renames it once it is complete.
    private func renaming<Result>(
        _ make: (BytePath) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let holder = try OpenFolder(holding: path)
        let draft: BytePath = ".\(path.name).\(String(UInt32.random(in: 0 ... .max), radix: 36)).part"
        do throws(SystemError) {
            let result = try make(path.sibling(draft))
            var replaced = replacing ? try holder.statusIfThere(of: path.name) : nil
            if form == .folder, replaced != nil {
                try Folder.removeAll(path)
                replaced = nil
            }
            try holder.rename(draft, being: holder.status(of: draft), to: path.name, replacing: replaced)
            return result
        } catch {
            // No other process uses a name with this random number.
            if form == .folder {
                try? Folder.removeAll(path.sibling(draft))
            } else {
                try? holder.removeFile(draft)
            }
            throw error
        }
    }
}
