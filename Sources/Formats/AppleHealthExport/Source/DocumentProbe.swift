import ByteText
import SystemIO

/// Recognises a file by its first bytes, because names are localised and files are renamed.
enum DocumentProbe: Sendable {
    /// The number of bytes to examine.
    static let length = 4096

    /// Returns whether the bytes start like a zip: a member, an empty directory, or the marker of a split zip.
    static func isZip(_ bytes: Span<UInt8>) -> Bool {
        starts(bytes, with: [0x50, 0x4b, 3, 4]) || starts(bytes, with: [0x50, 0x4b, 5, 6])
            || starts(bytes, with: [0x50, 0x4b, 7, 8])
    }

    /// Returns whether the bytes are XML, possibly in an encoding that is rejected later with a better message.
    static func isXML(_ bytes: Span<UInt8>) -> Bool {
        starts(bytes, with: [0xfe, 0xff]) || starts(bytes, with: [0xff, 0xfe])
            || starts(bytes, with: Array("<?xml".utf8)) || starts(bytes, with: [0xef, 0xbb, 0xbf, 0x3c])
    }

    /// Returns whether the bytes contain the start of an export's document: its document type or its root element.
    static func isHealthDocument(_ bytes: Span<UInt8>) -> Bool {
        bytes.indices.contains {
            bytes[$0] == UInt8(ascii: "<") && (isRoot(bytes, at: $0) || isDocumentType(bytes, at: $0))
        }
    }

    private static func isRoot(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        let root = Array("<HealthData".utf8)
        let end = start + root.count
        guard bytes.matches(at: start, root), end < bytes.count else { return false }
        return MarkupReader.isSpace(bytes[end]) || bytes[end] == UInt8(ascii: ">")
            || bytes[end] == UInt8(ascii: "/")
    }

    private static func isDocumentType(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        let declaration = Array("<!DOCTYPE".utf8)
        guard bytes.matches(at: start, declaration) else { return false }
        let space = start + declaration.count
        var name = space
        while name < bytes.count, MarkupReader.isSpace(bytes[name]) { name += 1 }
        return name > space && bytes.matches(at: name, Array("HealthData".utf8))
    }

    /// Opens standard input, after checking that it is not a zip.
    static func standardInput() throws(ExportError) -> any ByteStream {
        let name: BytePath = "standard input"
        let stream = FileStream(FileDescriptor(inherited: 0, name: name))
        let first = try prefix(of: stream, count: length)
        guard !first.isEmpty else { throw ExportError(.empty, file: name) }
        guard !isZip(first.span) else { throw ExportError(.zipOnStandardInput, file: name) }
        guard isHealthDocument(first.span) || isXML(first.span) else {
            throw ExportError(.unrecognized, file: name)
        }
        return PrefixedStream(first, stream)
    }

    /// Returns the first bytes of a stream, fewer if it is truncated or does not match its checksum; the next read
    /// reports that.
    static func prefix(of stream: any ByteStream, count: Int) throws(ExportError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        var span = bytes.mutableSpan
        while filled < count {
            let read: Int
            do { read = try stream.read(into: &span, filled..<count) } catch {
                guard error.code == .truncated || error.code == .checksumMismatch, filled > 0 else {
                    throw error
                }
                break
            }
            if read == 0 { break }
            filled += read
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    private static func starts(_ bytes: Span<UInt8>, with pattern: [UInt8]) -> Bool {
        bytes.count >= pattern.count && pattern.indices.allSatisfy { bytes[$0] == pattern[$0] }
    }
}
