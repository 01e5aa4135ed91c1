import ByteText
import HealthModel
package import SampleBatches
package import SystemIO

/// Writes an export as one JSON document.
///
/// The object `healthData` has a member for each section; `metadata` comes last because it contains the counts.
package final class JSONDocumentWriter: FormatWriter {
    private let files: any FormatFiles
    private let path: BytePath
    private var losses = FormatLosses()
    private var section: FormatSection?
    private var type: TypeKey?
    /// The names of the arrays in the section.
    private var names: Set<ExactName> = []
    /// The comma and newline at the end of encoded rows, written only if more rows follow.
    private static let separator = Array(",\n".utf8)
    private var hasRows = false
    /// Whether the section already has an array for a type.
    private var hasTypes = false
    private var hasSections = false
    /// The encoded objects about the person and the export, by element.
    private var about: [(element: String, rows: [UInt8])] = []
    private var fileSection: JSONFileSection?

    /// Makes a writer for the file at a path.
    package init(_ files: any FormatFiles, path: BytePath) {
        self.files = files
        self.path = path
    }

    package var makeEncoder: @Sendable () -> any FormatEncoder { { JSONDocumentEncoder() } }

    package func add(_ rows: EncodedRows, of key: SampleBatch.Key) throws {
        let section = FormatSection(element: key.element, type: key.type)
        guard section != .about else {
            if let place = about.firstIndex(where: { $0.element == key.element }) {
                about[place].rows += rows.text
            } else {
                about.append((key.element, rows.text))
            }
            return
        }
        guard rows.text.count > Self.separator.count else { return }
        if section != self.section {
            try endSection()
            try begin(section.rawValue, section.isGrouped ? "{" : "[")
            self.section = section
        }
        let kind = TypeKey(element: key.element, type: key.type)
        if section.isGrouped, kind != type {
            try endType()
            let name = uniqueName(section.name(ofElement: key.element, type: key.type))
            var text: [UInt8] = hasTypes ? Self.separator : Array("\n".utf8)
            JSONEscaping.append(name, to: &text)
            text += Array(":[".utf8)
            try write(text)
            type = kind
            hasTypes = true
        }
        try write(hasRows ? Self.separator : Array("\n".utf8))
        try files.append(rows.text.span.extracting(0..<(rows.text.count - Self.separator.count)), to: path)
        hasRows = true
    }

    package func add(_ file: FormatFile, _ read: FileReading) throws {
        let kind = JSONFileSection(file.name)
        guard let kind, let value = try kind.value(of: file, read) else {
            losses.notKept["files", default: 0] += 1
            return
        }
        if kind != fileSection {
            try endSection()
            try begin(kind.rawValue, "[")
            fileSection = kind
        }
        try write(hasRows ? Self.separator : Array("\n".utf8))
        try write(value)
        hasRows = true
    }

    package func finish(_ facts: FormatFacts) throws -> FormatLosses {
        try endSection()
        try write(Array((hasSections ? "\n}," : "{\"healthData\":{},").utf8))
        var text = Array("\n\"metadata\":{\"format\":\"healthvault json 1\"".utf8)
        for (element, rows) in about {
            text += Array(",\n".utf8)
            JSONEscaping.append(element, to: &text)
            text += Array(":[".utf8) + rows.dropLast(Self.separator.count) + Array("]".utf8)
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("sampleCount", facts.sampleCount)
            writer.key("notKept")
            writer.object { writer in
                for (name, count) in losses.notKept.sorted(by: { $0.key < $1.key }) {
                    writer.member(name, count)
                }
            }
        }
        text += Array(",\n".utf8) + writer.bytes.dropFirst().dropLast()
        text += Array(",\n\"manifest\":".utf8) + facts.manifest
        while text.last == UInt8(ascii: "\n") { text.removeLast() }
        text += Array("}}\n".utf8)
        try write(text)
        try files.end(path)
        return losses
    }

    /// Returns a name that is unique in the section, because a type may have the same name as an element.
    private func uniqueName(_ name: String) -> String {
        var unique = name
        var number = 1
        while !names.insert(ExactName(unique)).inserted {
            number += 1
            unique = "\(name) (\(number))"
        }
        return unique
    }

    private func begin(_ name: String, _ bracket: String) throws {
        let start = hasSections ? ",\n" : "{\"healthData\":{\n"
        try write(Array("\(start)\"\(name)\":\(bracket)".utf8))
        hasSections = true
    }

    private func endType() throws {
        if type != nil { try write(Array("\n]".utf8)) }
        type = nil
        hasRows = false
    }

    private func endSection() throws {
        try endType()
        if let section { try write(Array((section.isGrouped ? "\n}" : "\n]").utf8)) }
        if fileSection != nil { try write(Array("\n]".utf8)) }
        section = nil
        fileSection = nil
        hasTypes = false
        names = []
    }

    private func write(_ text: [UInt8]) throws { try files.append(text.span, to: path) }
}

/// Writes rows as the members of an array.
private final class JSONDocumentEncoder: FormatEncoder, @unchecked Sendable {
    // @unchecked: used by one worker at a time.
    private var writer = NDJSONWriter(style: .member)

    func encode(_ batch: SampleBatch) throws -> EncodedRows {
        var rows = EncodedRows()
        writer.write(batch, to: &rows.text)
        return rows
    }
}

extension FormatSection {
    /// Whether the samples of each type have their own array.
    var isGrouped: Bool {
        switch self {
        case .workoutData, .activitySummaryData: false
        default: true
        }
    }

    /// Returns the name of the array for an element and type.
    func name(ofElement element: String, type: String) -> String {
        if self == .otherData, element != "Record" { return type.isEmpty ? element : "\(element)/\(type)" }
        return type.isEmpty ? element : type
    }
}
