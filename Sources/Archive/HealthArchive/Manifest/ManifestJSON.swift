package import ByteText
import SampleBatches
package import SystemIO

extension Manifest {
    /// The usual length of a line about a batch or a file, in bytes.
    private static let usualLine = 224

    /// The manifest as JSON text.
    public var json: [UInt8] {
        let lines = spans.count + files.count + elements.count + types.count
        var writer = JSONWriter(pretty: true, capacity: lines * Self.usualLine)
        RecordValue.object.write(self, &writer)
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

extension Manifest: FileRecord {
    package static let blank: Manifest = {
        var manifest = Manifest()
        manifest.version = 0
        return manifest
    }()

    /// The fields of a description of the source, without those that grow with the export.
    static let sourceFields = RecordFields(
        fields.list.filter { ["manifest", "source", "batching"].contains($0.name) })

    package static let fields: RecordFields<Manifest> = [
        .member(\.version, "manifest", .integer),
        .group(
            "source",
            [
                .member(\.fingerprint, "fingerprint", .object), .member(\.exportDate, "exportDate", .text),
                .member(\.locale, "locale", .text), .member(\.zone, "zone", .text),
                .member(\.documentType, "documentType", .nullable(.integer)),
                .member(\.isTruncated, "truncated", .flag),
                .field(\.isPseudonymised, "pseudonymised", .flag, unless: false),
                .field(\.skipped, "skipped", .list(of: .object), unless: []),
            ]),
        .field(\.selection, "selection", .object), .member(\.batching, "batching", .text),
        .field(\.exports, "exports", .mapped(.size, { max(1, $0) }, { $0 }), unless: 1),
        .written("samples", .integer) { $0.sampleCount }, .written("first", .instant) { $0.first },
        .written("last", .instant) { $0.last }, .member(\.elements, "elements", .named(.object)),
        .member(\.types, "types", .named(.object)), .member(\.sources, "sources", .list(of: .text)),
        .member(\.warnings, "warnings", .counts),
        .field(\.unknownElements, "unknownElements", .named(.size), unless: [:]),
        .field(\.unknownAttributes, "unknownAttributes", .named(.size), unless: [:]),
        .member(\.spans, "batches", .list(of: .span)),
        .field(\.failedBatches, "failedBatches", .list(of: .object), unless: []),
        .member(\.files, "files", .files), .member(\.ignoredFiles, "ignoredFiles", .list(of: .path)),
        .field(\.missingFiles, "missingFiles", .list(of: .path), unless: []),
        .field(\.gone, "gone", .object, unless: Gone()),
        // They are appended to the text of the other fields.
        .member(\.formats, "formats", .list(of: .object)).unwritten,
    ]
}

extension RecordValue<Int> {
    /// A number of things or bytes.
    fileprivate static let size = number(0...(1 << 40) - 1)
}

extension RecordValue<[String: Int]> {
    fileprivate static let counts = named(.size, { $0 }, { $0 })
}

extension RecordValue<Manifest.Span> {
    /// A span, each part of which has at least one row.
    fileprivate static let span = object.when { span in
        span.parts <= span.identity.count && span.partNumbers.map { $0.count == span.parts } ?? true
    }
}

extension RecordValue<[Manifest.File]> {
    /// Files, each of which has a path of its own: one that was listed a thousand times would be written as often.
    fileprivate static let files = list(of: .object).when { files in
        Set(files.map(\.path)).count == files.count && !files.contains { $0.path.isEmpty }
    }
}

extension RecordValue {
    fileprivate static func named<Element>(_ element: RecordValue<Element>) -> Self
    where Value == [ExactName: Element] {
        named(element, { ExactName($0) }, { $0.text })
    }
}

extension SourceFingerprint: FileRecord {
    package static let blank = SourceFingerprint()
    package static let fields: RecordFields<SourceFingerprint> = [
        .member(\.length, "length", .size), .written("head", .text) { Hexadecimal.text($0.head) },
        .written("tail", .text) { Hexadecimal.text($0.tail) }, .member(\.crc32, "crc32", .hexadecimal),
        .member(\.fileCount, "files", .size), .member(\.fileLength, "filesLength", .size),
        .member(\.fileCRC32, "filesCRC32", .hexadecimal),
    ]
}

extension Manifest.Selection: FileRecord {
    package static let blank = Manifest.Selection()
    package static let fields: RecordFields<Manifest.Selection> = [
        .field(\.types, "types", .list(of: .text)),
        .field(\.excludedTypes, "excluded", .list(of: .text), unless: []),
        .field(\.since, "since", .instant), .field(\.until, "until", .instant),
    ]

    /// Writes the selection as a JSON object.
    package func write(_ writer: inout JSONWriter) { RecordValue.object.write(self, &writer) }
}

extension Manifest.Format: FileRecord {
    package static let blank = Manifest.Format("")
    package static let fields: RecordFields<Manifest.Format> = [
        .member(\.format, "format", .text), .field(\.units, "units", .text),
        .field(\.notKept, "notKept", .counts, unless: [:]),
        .field(\.asText, "asText", .counts, unless: [:]),
    ]
}

extension Manifest.Count: FileRecord {
    package static let blank = Manifest.Count()
    package static let fields: RecordFields<Manifest.Count> = [
        .member(\.read, "read", .size), .member(\.written, "written", .size),
    ]
}

extension Manifest.SkippedRange: FileRecord {
    package static let blank = Manifest.SkippedRange(offset: 0, length: 0)
    package static let fields: RecordFields<Manifest.SkippedRange> = [
        .member(\.offset, "offset", .size), .member(\.length, "length", .size),
    ]
}

extension Manifest.Span: FileRecord {
    package static let blank = Manifest.Span(key: SampleBatch.Key(element: "", type: "", span: "", part: 0))
    package static let fields: RecordFields<Manifest.Span> = [
        .member(\.key.element, "element", .text), .member(\.key.type, "type", .text),
        .member(\.key.span, "span", .text), .member(\.parts, "parts", .size),
        .field(\.partNumbers, "partNumbers", .list(of: .size)),
        .member(\.identity.count, "count", .size), .field(\.identity.value, "identity", .hexadecimal),
        .field(\.first, "first", .instant), .field(\.last, "last", .instant),
    ]
}

extension Manifest.FailedBatch: FileRecord {
    package static let blank = Self(
        key: SampleBatch.Key(element: "", type: "", span: "", part: 0), count: 0)
    package static let fields: RecordFields<Manifest.FailedBatch> = [
        .member(\.key.element, "element", .text), .member(\.key.type, "type", .text),
        .member(\.key.span, "span", .text), .member(\.key.part, "part", .size),
        .member(\.count, "count", .size),
    ]
}

extension Manifest.File: FileRecord {
    package static let blank = Manifest.File(name: "", path: "", length: 0, crc32: 0)
    package static let fields: RecordFields<Manifest.File> = [
        .member(\.name, "name", .path), .member(\.path, "path", .path), .member(\.length, "length", .size),
        .member(\.crc32, "crc32", .hexadecimal), .field(\.isDamaged, "damaged", .flag, unless: false),
    ]
}

extension Manifest.Gone: FileRecord {
    package static let blank = Manifest.Gone()
    package static let fields: RecordFields<Manifest.Gone> = [
        .written("samples", .integer) { $0.sampleCount }, .member(\.spans, "batches", .list(of: .span)),
        .member(\.files, "files", .files),
    ]
}
