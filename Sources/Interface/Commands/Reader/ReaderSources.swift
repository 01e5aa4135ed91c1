import ByteText
import CBrowserReader
import HealthModel
import VaultCrypto
import Wording

/// The sources of the page that opens archives in a browser, which are a part of this program.
///
/// Its modules share one scope, and so a name that two of them declare would be a `SyntaxError`. In them comments begin a
/// line, statements end with a semicolon, and no text depends on line ends. The same sources always give the same bytes.
enum ReaderSources {
    /// The modules, each behind those that it imports, in the order in which the program has their texts.
    private static let modules = """
        format/errors format/words format/diagnosis format/keys format/segments format/stream format/end
        format/zstd format/frames format/json format/index format/payload format/entries format/headers
        format/slots format/chains format/volumes format/batches format/manifest collection/types
        format/rows collection/zones collection/collection collection/beside page/dom page/choosing
        collection/csv collection/selection collection/sha256 collection/zip collection/saving
        collection/sinks page/savingview page/contents collection/totals page/chart page/samples
        page/session page/main
        """

    private static let newline = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
    private static let (opening, closing) = (Set("{([,".utf8), Set(")]}".utf8))
    /// Signs that need no space beside them, and those that begin what spaces mean something in.
    private static let (signs, quotes) = (Set("=<>*%&|?:,{}()[];!".utf8), Set("'\"`/".utf8))

    /// Joins all of it into one file that needs nothing else.
    static func page() throws -> [UInt8] {
        let texts = (0..<healthvault_reader_size()).map { healthvault_reader_byte($0) }.split(separator: 0)
        let style = [newline] + bare(texts[1]).flatMap { $0 + [newline] }
        var script = Array("\n'use strict';\n".utf8)
        let names = modules.split { $0.isWhitespace }
        for (name, text) in zip(names, texts.dropFirst(2)) {
            if name == "collection/types" { script += knownTypes }
            script += Array("// \(name).js\n".utf8) + tight(bare(text)).flatMap { $0 + [newline] }
        }
        let policy = """
            default-src 'none'; script-src \(try source(script)); style-src \(try source(style)); base-uri 'none'; \
            form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'
            """
        let values = [
            "POLICY": Array(policy.utf8), "STYLE": style, "SCRIPT": script,
            "VERSION": Array(ToolVersion.text.utf8),
        ]
        return texts[0].split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).flatMap {
            values[String(decoding: $0, as: UTF8.self)] ?? Array($0)
        }
    }

    /// Declares, for the module that shows types, those whose title and aggregation their identifiers do not tell.
    private static var knownTypes: [UInt8] {
        var facts = JSONWriter()
        facts.object { facts in
            for type in AnySampleType.known {
                let isAddedUp = type.aggregationStyle == .cumulative
                guard isAddedUp || type.title != AnySampleType.title(ofUnknown: type.identifier) else {
                    continue
                }
                facts.key(type.identifier)
                facts.array {
                    $0.string(type.title)
                    if isAddedUp { $0.bool(true) }
                }
            }
        }
        return Array("const KNOWN_TYPES=new Map(Object.entries(".utf8) + facts.bytes + Array("));\n".utf8)
    }

    /// Returns how the content policy names a script or a style.
    private static func source(_ text: [UInt8]) throws -> String {
        "'sha256-\(Base64.text(try SHA256.digest(of: text.span)))'"
    }

    /// Returns the lines of a text without imports, `export`, comments, indentation, and the line ends that mean nothing.
    private static func bare(_ text: ArraySlice<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        /// What ends the lines that are left out.
        var end = ""
        for line in text.split(separator: newline).map({ $0.drop { $0 == space } }) {
            if end.isEmpty, line.starts(with: "/**".utf8) { end = "*/" }
            if end.isEmpty, line.starts(with: "import ".utf8) { end = ";" }
            guard end.isEmpty else {
                if line.suffix(end.utf8.count).elementsEqual(end.utf8) { end = "" }
                continue
            }
            guard let first = line.first, !line.starts(with: "//".utf8) else { continue }
            let rest = line.starts(with: "export ".utf8) ? line.dropFirst(7) : line
            if let last = lines.last?.last, opening.contains(last) || closing.contains(first) {
                lines[lines.count - 1] += rest
            } else {
                lines.append(Array(rest))
            }
        }
        return lines
    }

    /// Returns lines without spaces around signs, but where texts, regular expressions or comments are.
    private static func tight(_ lines: [[UInt8]]) -> [[UInt8]] {
        var isInText = false
        return lines.map { line in
            defer {
                if !line.count(where: { $0 == UInt8(ascii: "`") }).isMultiple(of: 2) { isInText.toggle() }
            }
            guard !isInText, quotes.isDisjoint(with: line) else { return line }
            return line.indices.filter { place in
                line[place] != space || place == 0
                    || !signs.contains(line[place - 1])
                        && (place + 1 == line.count || !signs.contains(line[place + 1]))
            }.map { line[$0] }
        }
    }
}
