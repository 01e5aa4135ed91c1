import ByteText
import CommandLineKit
import Commands
import ExportGenerator
import SystemIO
import Wording

/// The command `healthvault-generate`: generates a synthetic export as a zip, a folder, or its document alone.
struct GenerateCommand: ParsableCommand {
    var output: BytePath = ""
    var options = GeneratedExport.Options()
    var overwrite = false
    var census = false

    static let grammar = CommandGrammar<Self>(
        name: "healthvault-generate", summary: "Generates a synthetic export of the Health app.",
        discussion: """
            The extension of PATH selects the form: .zip is a zip as the Health app writes it, .xml the document alone, \
            - the document on standard output, and anything else a folder. The same options always generate the same \
            bytes. They contain no real person's data.

            With --shape watchAndPhone, a watch and an iPhone record the same walks, so that a sum over all records \
            counts most steps, walking distances and active energy twice. --census then includes that sum \
            (naiveTotals) and the true one (trueTotals), which counts each second once: from the watch if it recorded, \
            otherwise from the iPhone, and a part of a record in proportion to its time. Each record has whole steps, \
            so a reader finds their true total within 0.1 %, and the other totals exactly.
            """,
        examples: [
            HelpExample(
                "healthvault-generate -o export.zip --size 100MB --seed 7",
                "Generate a zip with 100 MB of XML"),
            HelpExample(
                "healthvault-generate -o walks.zip --shape watchAndPhone --census",
                "Print the totals that a reader must find"),
        ],
        version: "healthvault-generate \(ToolVersion.number)",
        elements: [
            .option(
                \.output, "output", short: "o", value: "PATH", required: true, "the file or folder to write",
                as: .file),
            .option(
                \.options.xmlBytes, "size", value: "SIZE", default: "1MB", "size of the document",
                as: .documentSize),
            .option(
                \.options.seed, "seed", value: "N", default: "1", "seed of all random choices", as: .integer),
            .option(
                \.options.shape, "shape", value: "SHAPE", default: "ordinary", "how records are arranged",
                as: .choice),
            .option(
                \.options.dtdVersion, "dtd", value: "VERSION", default: "14",
                "document type version, or none",
                as: .documentType),
            .option(
                \.options.sideFiles, "side-files", value: "AMOUNT", default: "some",
                "files beside the document", as: .choice),
            .option(
                \.options.years, "years", value: "N", default: "10", "how far back the data reaches",
                as: .integer(in: 1...100)),
            .flag(\.overwrite, "overwrite", "replace an existing export once the new one is complete"),
            .flag(\.census, "census", "print what a reader must find, as JSON"),
        ])

    func validate() throws(UsageError) {
        guard census, output == "-" else { return }
        throw UsageError(
            .invalidCombination, "--census cannot be combined with -o -",
            hint: "both write to standard output; name a file")
    }

    func run() throws -> ExitStatus {
        let target = try ExportTarget(output, replacing: overwrite)
        let found = try target.store(GeneratedExport(options))
        if census { try Console.print(found.json) }
        return .done
    }
}

extension GeneratedExport.Census {
    /// The counts and totals as JSON, sorted by name; without totals if there are none.
    fileprivate var json: [UInt8] {
        var writer = JSONWriter(pretty: true)
        writer.object { writer in
            for (name, counts) in [("elements", elements), ("recordTypes", recordTypes)] {
                writer.key(name)
                writer.object { writer in
                    for (name, count) in counts.sorted(by: { $0.key < $1.key }) { writer.member(name, count) }
                }
            }
            for (name, totals) in [("trueTotals", trueTotals), ("naiveTotals", naiveTotals)]
            where !totals.isEmpty {
                writer.key(name)
                writer.object { writer in
                    for (type, total) in totals.sorted(by: { $0.key < $1.key }) { writer.member(type, total) }
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
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
    fileprivate static var documentSize: Self {
        byteCount(
            atLeast: GeneratedExport.Options.minimumXMLBytes,
            expected: "a size of at least 20 kB such as 100MB or 2GiB")
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
