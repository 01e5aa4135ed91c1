import AppleHealthExport
import CivilTime
import CommandLineKit
import ExportGenerator
import JSONText
import SystemIO

/// Makes a synthetic export: a zip, a folder, or its document alone.
struct GenerateCommand: ParsableCommand {
    var output: BytePath = ""
    var options = GeneratedExport.Options()
    var overwrites = false
    var printsCensus = false

    static let grammar = CommandGrammar<Self>(
        name: "healthvault-generate", summary: "Makes a synthetic export of the Health app.",
        discussion: """
            A PATH that ends in .zip becomes a zip like the Health app's, one that ends in .xml the main document
            alone; - is the document on standard output, anything else becomes a folder. The same options always give
            the same content, and nobody's data is in it.

              $ healthvault-generate -o export.zip --size 100MB --seed 7

            With '--shape watchAndPhone' a watch and an iPhone record the same walks, so that a sum over all
            records counts most steps, walking distance and active energy twice. '--census' then adds this sum
            (naiveTotals) and the true one (trueTotals). The true one counts each second once: from the watch
            where it recorded, else from the iPhone, and parts of a record in proportion to their time. Steps
            are rounded in each record, so a reader finds their true total within 0.1 %, the others exactly.
            """,
        elements: [
            .option(
                \.output, "output", short: "o", value: "PATH", required: true, "where to write", as: .file),
            .option(
                \.options.xmlBytes, "size", value: "SIZE", "size of the document (1MB)", as: .documentSize),
            .option(\.options.seed, "seed", value: "N", "where all chance comes from (1)", as: .integer),
            .option(
                \.options.shape, "shape", value: "SHAPE", "how records are arranged (ordinary)", as: .choice),
            .option(
                \.options.dtdVersion, "dtd", value: "VERSION", "document type version (14)", as: .documentType
            ),
            .option(
                \.options.sideFiles, "side-files", value: "AMOUNT", "files beside the document (some)",
                as: .choice),
            .option(
                \.options.years, "years", value: "N", "how far back the data reaches (10)",
                as: .integer(in: 1...100)),
            .flag(\.overwrites, "overwrite", "replace the export at PATH"),
            .flag(\.printsCensus, "census", "print what a reader must find, as JSON"),
        ])

    func validate() throws(UsageError) {
        guard printsCensus, output == "-" else { return }
        throw UsageError(.invalidCombination, "'--census' and '--output -' both write to standard output")
    }

    func run() throws(GenerateError) {
        let target = ExportTarget(output, replacing: overwrites)
        try target.checkPlace()
        let census: GeneratedExport.Census
        do throws(ExportError) { census = try target.write(GeneratedExport(options)) } catch {
            throw .writing(error)
        }
        if printsCensus { try Self.print(census.json) }
    }

    /// Writes the program's own text to standard output.
    static func print(_ text: String) throws(GenerateError) {
        do throws(ExportError) { try printBytes(Array(text.utf8).span) } catch { throw .writing(error) }
    }

    fileprivate static func printBytes(_ bytes: borrowing Span<UInt8>) throws(ExportError) {
        try io { () throws(SystemError) in
            try FileDescriptor(inherited: 1, name: "standard output").write(bytes)
        }
    }
}

/// The reasons why no export was made.
enum GenerateError: Error {
    case exists(BytePath)
    /// The existing item is of another kind, such as a folder in place of a file.
    case otherKind(BytePath)
    /// The folder to replace contains something that is not part of an export.
    case foreignContent(folder: BytePath, name: BytePath)
    case writing(ExportError)

    var message: TerminalText {
        switch self {
        case .exists(let path): return "'\(path)' already exists"
        case .otherKind(let path): return "'\(path)' already exists and is something else"
        case .foreignContent(let folder, let name): return "'\(folder)' is no export: it holds '\(name)'"
        case .writing(let error):
            let reason =
                if case .io(let cause) = error.code { cause.reason } else { String(describing: error.code) }
            return "cannot write '\(error.file)': \(reason)"
        }
    }

    var hint: TerminalText? {
        switch self {
        case .exists: "add '--overwrite' to replace it"
        case .otherKind: "choose another path"
        case .foreignContent: "'--overwrite' replaces exports only; choose another path"
        case .writing: nil
        }
    }
}

/// The target of an export.
private struct ExportTarget {
    private enum Kind {
        case zip
        case document
        case standardOutput
        case folder
    }

    private let kind: Kind
    private let path: BytePath
    private let replacing: Bool

    init(_ path: BytePath, replacing: Bool) {
        self.path = path.withoutTrailingSlashes
        self.replacing = replacing
        let name = self.path.asciiLowercased
        if name == "-" {
            kind = .standardOutput
        } else if name.hasSuffix(".zip") {
            kind = .zip
        } else {
            kind = name.hasSuffix(".xml") ? .document : .folder
        }
    }

    /// Checks before any work is done whether something is in the way.
    func checkPlace() throws(GenerateError) {
        guard kind != .standardOutput else { return }
        var existing: FileStatus.Kind?
        var names: [BytePath] = []
        do throws(ExportError) {
            try io { () throws(SystemError) in
                _ = try FileStatus(at: path.parent)
                existing = try existingKind()
                if existing == .folder { names = try Folder.entries(of: path).map(\.name) }
            }
        } catch {
            throw .writing(error)
        }
        guard let existing else { return }
        guard existing == (kind == .folder ? .folder : .file) else { throw .otherKind(path) }
        guard replacing else { throw .exists(path) }
        let ours: [BytePath] = [
            "export.xml", "export_cda.xml", "workout-routes", "electrocardiograms", "clinical-records",
            "attachments",
        ]
        let others = names.contains("export.xml") ? names.filter { !ours.contains($0) } : names
        if let name = others.first { throw .foreignContent(folder: path, name: name) }
    }

    func write(_ export: GeneratedExport) throws(ExportError) -> GeneratedExport.Census {
        switch kind {
        case .zip: try writeZip(export)
        case .standardOutput: try export.writeXML(GenerateCommand.printBytes)
        case .document:
            try io(path) { () throws(SystemError) in
                try renaming { (file) throws(SystemError) in try writeDocument(of: export, to: file) }
            }
        case .folder:
            try io(path) { () throws(SystemError) in
                try renaming { (folder) throws(SystemError) in try writeFiles(of: export, to: folder) }
            }
        }
    }

    private func writeZip(_ export: GeneratedExport) throws(ExportError) -> GeneratedExport.Census {
        let date = export.options.exportDate
        let modified = Timestamp(seconds: date.secondsSince1970, offsetMinutes: date.offsetSeconds / 60)
        var zip = try ZipWriter(path, replacing: replacing, modified: modified)
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
            if replacing, kind == .folder, try existingKind() != nil { try Folder.removeAll(path) }
            let replaced = replacing ? try holder.statusIfThere(of: path.name) : nil
            try holder.rename(draft, being: holder.status(of: draft), to: path.name, replacing: replaced)
            return result
        } catch {
            // No other process uses a name with this random number.
            if kind == .folder {
                try? Folder.removeAll(path.sibling(draft))
            } else {
                try? holder.removeFile(draft)
            }
            throw error
        }
    }

    private func existingKind() throws(SystemError) -> FileStatus.Kind? {
        do { return try FileStatus(at: path, followingLinks: false).kind } catch {
            if error.isMissing { return nil }
            throw error
        }
    }
}

/// Runs `body`, and names `file` in its error, or the file that it failed on if `file` is nil.
private func io<Result>(
    _ file: BytePath? = nil, _ body: () throws(SystemError) -> Result
) throws(ExportError) -> Result {
    do { return try body() } catch { throw ExportError(.io(error), file: file ?? error.path) }
}

extension GeneratedExport.Census {
    /// The counts and totals as JSON, sorted by name; without totals if there are none.
    fileprivate var json: String {
        var writer = JSONWriter(pretty: true)
        writer.object { writer in
            for (name, counts) in [("elements", elements), ("recordTypes", recordTypes)] {
                writer.key(name)
                writer.object { writer in
                    for (name, count) in counts.sorted(by: { $0.key < $1.key }) { writer.member(name, count) }
                }
            }
            let allTotals = [("trueTotals", trueTotals), ("naiveTotals", naiveTotals)]
            for (name, totals) in allTotals where !totals.isEmpty {
                writer.key(name)
                writer.object { writer in
                    for (type, total) in totals.sorted(by: { $0.key < $1.key }) { writer.member(type, total) }
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
}

extension JSONWriter {
    /// Writes a member with a total: an integer if it is whole, otherwise with six digits after the point.
    fileprivate mutating func member(_ name: String, _ total: Double) {
        key(name)
        if let whole = Int(exactly: total) { integer(whole) } else { decimal(total, digits: 6) }
    }
}

extension ValueParser where Value == BytePath {
    /// The path of a file or folder.
    fileprivate static var file: Self {
        Self(expected: "a path", completion: .files) { $0.isEmpty ? nil : BytePath($0) }
    }
}

extension ValueParser where Value == Int {
    /// A number of bytes with or without a unit.
    fileprivate static var documentSize: Self {
        Self(expected: "a size of at least 20kB, such as 100MB or 2GiB") { text in
            let digits = text.prefix { ("0"..."9").contains($0) }
            let unit = text.dropFirst(digits.count).lowercased()
            guard let number = Int(digits), let factor = sizeUnits[unit] else { return nil }
            let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
            return overflow || bytes < GeneratedExport.Options.minimumXMLBytes ? nil : bytes
        }
    }

    private static var sizeUnits: [String: Int] {
        [
            "": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "kib": 1 << 10, "mib": 1 << 20,
            "gib": 1 << 30,
        ]
    }
}

extension ValueParser where Value == GeneratedExport.Options.DTDVersion? {
    /// The number of a version, or `none`.
    fileprivate static var documentType: Self {
        let versions = GeneratedExport.Options.DTDVersion.allCases.map { String($0.rawValue) } + ["none"]
        return Self(
            expected: "one of \(versions.joined(separator: ", "))", completion: .choice(versions)
        ) { text in
            if text == "none" { return .some(nil) }
            return Int(text).flatMap(GeneratedExport.Options.DTDVersion.init(rawValue:)).map { .some($0) }
        }
    }
}
