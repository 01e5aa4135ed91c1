import ByteSpans
import CivilTime
import HealthFormats
import JSONText
import SampleBatches
import SystemIO
import VaultContainer

/// Reads manifests.
package enum ManifestReader: Sendable {
    /// Reads a manifest.
    ///
    /// - Throws: `VaultError` if it is not a manifest, or has an unknown version.
    package static func read(_ json: [UInt8]) throws(VaultError) -> Manifest {
        try read(json) { _ in true }
    }

    /// Reads the description of the source in a manifest, and skips everything that grows with the export.
    static func readSource(_ json: [UInt8]) throws(VaultError) -> Manifest {
        try read(json) { ["manifest", "source", "batching"].contains($0) }
    }

    private static func read(
        _ json: [UInt8], _ isWanted: (String) -> Bool
    ) throws(VaultError) -> Manifest {
        var version = 0
        var manifest = Manifest()
        do {
            var reader = JSONReader(json)
            try reader.object { reader, key in
                guard isWanted(key) else {
                    try reader.skip()
                    return
                }
                switch key {
                case "manifest": version = try reader.integer()
                case "source": try readSource(&reader, &manifest)
                case "selection": manifest.selection = try readSelection(&reader)
                case "formats": manifest.formats = try list(&reader, readFormat)
                case "batching": manifest.batching = try reader.string()
                case "elements": manifest.elements = try readCounts(&reader)
                case "types": manifest.types = try readCounts(&reader)
                case "warnings":
                    try reader.object { reader, name in manifest.warnings[name] = try number(&reader) }
                case "unknownElements": manifest.unknownElements = try readNumbers(&reader)
                case "unknownAttributes": manifest.unknownAttributes = try readNumbers(&reader)
                case "exports": manifest.exports = max(1, try number(&reader))
                case "batches": manifest.spans = try readSpans(&reader)
                case "gone": manifest.gone = try readGone(&reader)
                case "sources": manifest.sources = try list(&reader) { reader in try reader.string() }
                case "failedBatches": manifest.failedBatches = try list(&reader, readFailed)
                case "files": manifest.files = try readFiles(&reader)
                case "ignoredFiles": manifest.ignoredFiles = try list(&reader) { reader in try reader.path() }
                default: try reader.skip()
                }
            }
            try reader.finish()
        } catch {
            let offset = (error as? JSONError)?.offset ?? 0
            throw VaultError(.format(FormatError(.malformed, at: offset)), path: EntryPath.manifest)
        }
        guard version == Manifest.version else {
            throw VaultError(.unsupportedManifest, path: EntryPath.manifest)
        }
        return manifest
    }

    /// Reads a list, which must not have more members than any manifest: short members take far more memory than text.
    private static func list<Member>(
        _ reader: inout JSONReader, _ read: (inout JSONReader) throws -> Member
    ) throws -> [Member] {
        var members: [Member] = []
        try reader.array { reader in
            guard members.count < Manifest.mostMembers else { throw reader.failure(.unexpected) }
            members.append(try read(&reader))
        }
        return members
    }

    /// Reads a number of things or bytes.
    private static func number(_ reader: inout JSONReader) throws -> Int {
        let number = try reader.integer()
        guard (0..<1 << 40).contains(number) else { throw reader.failure(.unexpected) }
        return number
    }

    private static func readSource(_ reader: inout JSONReader, _ manifest: inout Manifest) throws {
        try reader.object { reader, key in
            switch key {
            case "fingerprint": manifest.fingerprint = try readFingerprint(&reader)
            case "exportDate": manifest.exportDate = try reader.string()
            case "locale": manifest.locale = try reader.string()
            case "zone": manifest.zone = try reader.string()
            case "documentType":
                if try reader.kind() == .number {
                    manifest.documentType = try reader.integer()
                } else {
                    try reader.skip()
                }
            case "truncated": manifest.isTruncated = try reader.bool()
            case "skipped": manifest.skipped = try list(&reader, readSkipped)
            default: try reader.skip()
            }
        }
    }

    private static func readFormat(_ reader: inout JSONReader) throws -> Manifest.Format {
        var format = Manifest.Format("")
        try reader.object { reader, key in
            switch key {
            case "format": format.format = try reader.string()
            case "units": format.units = try reader.string()
            case "notKept":
                try reader.object { reader, name in format.notKept[name] = try number(&reader) }
            case "asText": try reader.object { reader, name in format.asText[name] = try number(&reader) }
            default: try reader.skip()
            }
        }
        return format
    }

    private static func readSelection(_ reader: inout JSONReader) throws -> Manifest.Selection {
        var selection = Manifest.Selection()
        try reader.object { reader, key in
            switch key {
            case "types":
                selection.types = try list(&reader) { reader in try reader.string() }
            case "excluded": selection.excludedTypes = try list(&reader) { reader in try reader.string() }
            case "since": selection.since = try readTime(&reader)
            case "until": selection.until = try readTime(&reader)
            default: try reader.skip()
            }
        }
        return selection
    }

    private static func readTime(_ reader: inout JSONReader) throws -> Timestamp? {
        let (range, isPlain) = try reader.stringBody()
        return isPlain ? Timestamp(iso: reader.bytes.span.extracting(range)) : nil
    }

    private static func readFingerprint(_ reader: inout JSONReader) throws -> SourceFingerprint {
        var fingerprint = SourceFingerprint()
        try reader.object { reader, key in
            switch key {
            case "length": fingerprint.length = try number(&reader)
            case "crc32": fingerprint.crc32 = try checksum(&reader)
            case "files": fingerprint.fileCount = try number(&reader)
            case "filesLength": fingerprint.fileLength = try number(&reader)
            case "filesCRC32": fingerprint.fileCRC32 = try checksum(&reader)
            default: try reader.skip()
            }
        }
        return fingerprint
    }

    private static func readCounts(_ reader: inout JSONReader) throws -> [ExactName: Manifest.Count] {
        var counts: [ExactName: Manifest.Count] = [:]
        try reader.object { reader, path in
            guard counts.count < Manifest.mostMembers else { throw reader.failure(.unexpected) }
            var count = Manifest.Count()
            try reader.object { reader, key in
                switch key {
                case "read": count.read = try number(&reader)
                case "written": count.written = try number(&reader)
                default: try reader.skip()
                }
            }
            counts[ExactName(path)] = count
        }
        return counts
    }

    private static func readNumbers(_ reader: inout JSONReader) throws -> [ExactName: Int] {
        var numbers: [ExactName: Int] = [:]
        try reader.object { reader, path in
            guard numbers.count < Manifest.mostMembers else { throw reader.failure(.unexpected) }
            numbers[ExactName(path)] = try number(&reader)
        }
        return numbers
    }

    private static func readSkipped(_ reader: inout JSONReader) throws -> Manifest.SkippedRange {
        var range = Manifest.SkippedRange(offset: 0, length: 0)
        try reader.object { reader, key in
            switch key {
            case "offset": range.offset = try number(&reader)
            case "length": range.length = try number(&reader)
            default: try reader.skip()
            }
        }
        return range
    }

    private static func readGone(_ reader: inout JSONReader) throws -> Manifest.Gone {
        var gone = Manifest.Gone()
        try reader.object { reader, key in
            switch key {
            case "batches": gone.spans = try readSpans(&reader)
            case "files": gone.files = try readFiles(&reader)
            default: try reader.skip()
            }
        }
        return gone
    }

    private static func readSpans(_ reader: inout JSONReader) throws -> [Manifest.Span] {
        var last = SampleBatch.Key(element: "", type: "", span: "", part: 0)
        return try list(&reader) { reader in
            let span = try readSpan(&reader, after: last)
            last = span.key
            return span
        }
    }

    /// The members of a span, in the order in which they are written.
    private enum SpanMember: String, CaseIterable {
        case element, type, span, parts, partNumbers, count, identity, first, last
    }

    private static let spanMembers = JSONNames<SpanMember>()

    /// Reads a span, whose element and type are mostly those of the one before.
    private static func readSpan(
        _ reader: inout JSONReader, after last: SampleBatch.Key
    ) throws -> Manifest.Span {
        var span = Manifest.Span(key: SampleBatch.Key(element: "", type: "", span: "", part: 0))
        var (count, sum): (Int, [UInt8]) = (0, [])
        var members = try reader.members()
        while let member = try reader.nextMember(&members, of: spanMembers) {
            switch member {
            case .element: span.key.element = try reader.string(like: last.element)
            case .type: span.key.type = try reader.string(like: last.type)
            case .span: span.key.span = try reader.string()
            case .parts: span.parts = try number(&reader)
            case .partNumbers: span.partNumbers = try list(&reader, number)
            case .count: count = try number(&reader)
            case .identity: sum = try reader.stringBytes()
            case .first: span.first = try readTime(&reader)
            case .last: span.last = try readTime(&reader)
            case nil: try reader.skip()
            }
        }
        // Each part has at least one row.
        guard span.parts <= count, span.partNumbers.map({ $0.count == span.parts }) ?? true,
            let identity = IdentitySum(count: count, hexadecimal: sum.span)
        else { throw reader.failure(.unexpected) }
        span.identity = identity
        return span
    }

    /// Reads a CRC-32 of eight hexadecimal digits.
    private static func checksum(_ reader: inout JSONReader) throws -> UInt32 {
        let text = try reader.string()
        guard let value = UInt32(text, radix: 16), Hexadecimal.text(value) == text else {
            throw reader.failure(.unexpected)
        }
        return value
    }

    private static func readFailed(_ reader: inout JSONReader) throws -> Manifest.FailedBatch {
        var batch = Manifest.FailedBatch(
            key: SampleBatch.Key(element: "", type: "", span: "", part: 0), count: 0)
        try reader.object { reader, key in
            switch key {
            case "element": batch.key.element = try reader.string()
            case "type": batch.key.type = try reader.string()
            case "span": batch.key.span = try reader.string()
            case "part": batch.key.part = try number(&reader)
            case "count": batch.count = try number(&reader)
            default: try reader.skip()
            }
        }
        return batch
    }

    /// Reads files, each of which has a path of its own: one that was listed a thousand times would be written as often.
    private static func readFiles(_ reader: inout JSONReader) throws -> [Manifest.File] {
        let files = try list(&reader, readFile)
        guard Set(files.map(\.path)).count == files.count else { throw reader.failure(.unexpected) }
        return files
    }

    private static func readFile(_ reader: inout JSONReader) throws -> Manifest.File {
        var file = Manifest.File(name: "", path: "", length: 0, crc32: 0)
        try reader.object { reader, key in
            switch key {
            case "name": file.name = try reader.path()
            case "path": file.path = try reader.path()
            case "length": file.length = try number(&reader)
            case "crc32": file.crc32 = try checksum(&reader)
            case "damaged": file.isDamaged = try reader.bool()
            default: try reader.skip()
            }
        }
        guard !file.path.isEmpty else { throw reader.failure(.unexpected) }
        return file
    }
}
