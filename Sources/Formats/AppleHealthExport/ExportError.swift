public import ByteText
public import SystemIO

/// An error thrown when an export of the Health app cannot be read.
public struct ExportError: ClassifiedError, Equatable, Sendable {
    /// The kinds of failure.
    public enum Code: Sendable, Equatable {
        /// There is nothing at the path.
        case noSuchSource
        /// The input is neither a zip, nor a folder, nor an export's XML.
        case unrecognized
        /// The zip cannot be opened because it is damaged or truncated.
        case damagedArchive
        /// The input is empty.
        case empty
        /// No document with `<HealthData` was found.
        case noHealthDocument
        /// No document was found, but a zip that may contain one; its name is in `detail`.
        case zipInZip
        /// Several documents with `<HealthData` were found; their names are in `detail`.
        case severalHealthDocuments
        /// A member of the zip is encrypted.
        case encryptedArchive
        /// A member's compression method is not supported.
        case unsupportedCompression
        /// A name leads out of the folder it belongs to, is too long, or has a backslash or control character.
        case unsafeName
        /// Members of the zip overlap, so a small zip could expand to any size.
        case overlappingMembers
        /// A member of the zip expands further than any export does.
        case inflatesTooFar
        /// A member's data is damaged, or its CRC-32 does not match the zip's directory.
        case checksumMismatch
        /// Standard input is a zip; only XML can be read front to back.
        case zipOnStandardInput
        /// The text is not UTF-8.
        case unsupportedEncoding
        /// The document declares XML entities, which can be used to exhaust a reader's resources.
        case entityDeclaration
        /// The document ends before its root element does.
        case truncated
        /// The document is not well-formed XML at this offset, and ignoring that would lose data.
        case malformed(Problem)
        /// An element is larger than the reader accepts.
        case elementTooLarge
        /// An element has more attributes or nested parts than the reader accepts.
        case tooManyParts
        /// The document has more distinct element and type names than the reader accepts.
        case tooManyNames
        /// More places are damaged than the reader skips.
        case tooMuchDamage
        /// Elements are nested more deeply than the reader accepts.
        case nestedTooDeep
        /// The source has changed since it was opened.
        case changed
        /// The system reported an error while reading.
        case io(SystemError)
    }

    /// What is wrong with a piece of XML.
    public enum Problem: String, Sendable, Equatable {
        case startTag
        case nameEncoding
        case attributeWithoutValue
        case attributeWithoutQuotes
        case lessThanInAttribute
        case endTagMismatch
        case unexpectedEndTag
        case unterminatedMarkup
        case contentAfterEnd
        case secondDocument
        case prologue
        case zeros
        case elementWithoutBracket
    }

    /// The kind of failure.
    public let code: Code
    /// The affected file: a path, or a member of a zip.
    public var file: BytePath
    /// The byte offset in the uncompressed document; nil if the failure has no particular place.
    public let offset: Int?
    /// The name of the element in which the failure occurred.
    public let element: String?
    /// Further names, never values.
    public let detail: String?

    /// Makes an error.
    public init(
        _ code: Code, file: BytePath = "", offset: Int? = nil, element: String? = nil, detail: String? = nil
    ) {
        self.code = code
        self.file = file
        self.offset = offset
        self.element = element
        self.detail = detail
    }
}

extension ExportError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind {
        switch code {
        case .noSuchSource: .notFound
        case .unrecognized, .empty, .noHealthDocument, .zipInZip, .severalHealthDocuments, .encryptedArchive,
            .unsupportedCompression, .unsafeName, .unsupportedEncoding, .entityDeclaration:
            .unsupported
        case .damagedArchive, .overlappingMembers, .inflatesTooFar, .checksumMismatch, .truncated,
            .tooMuchDamage, .malformed, .elementTooLarge, .tooManyParts, .nestedTooDeep, .tooManyNames:
            .damaged
        case .zipOnStandardInput: .usage
        case .changed: .failed
        case .io(let error): error.kind
        }
    }

    /// What happened and where (file, byte, element), as one printable line.
    public var description: String {
        if case .io(let error) = code { return error.description }
        var text: TerminalText = "\(file)"
        if let offset { text += text.isEmpty ? "byte \(offset)" : ": byte \(offset)" }
        if let element { text += " (\(element))" }
        return (text.isEmpty ? reason : "\(text): \(reason)").text
    }

    /// What happened, without the place but with the names concerned.
    private var reason: TerminalText { detail.map { "\(code.reason): \($0)" } ?? "\(code.reason)" }
}

extension ExportError.Code {
    /// What happened, without the file's name: `the document ends in the middle`.
    public var reason: String {
        switch self {
        case .noSuchSource: "no such file or folder"
        case .unrecognized: "not an export from the Health app"
        case .damagedArchive: "the zip is damaged or truncated"
        case .empty: "empty"
        case .noHealthDocument: "contains no Health export document"
        case .zipInZip: "contains no Health export document, but another zip"
        case .severalHealthDocuments: "contains several Health export documents"
        case .encryptedArchive: "the zip is encrypted"
        case .unsupportedCompression: "compressed by a method that is not supported"
        case .unsafeName: "a file name is not safe"
        case .overlappingMembers: "zip members overlap"
        case .inflatesTooFar: "a member of the zip unpacks to more than 1,100 times its size"
        case .checksumMismatch: "damaged: the zip's checksum does not match"
        case .zipOnStandardInput: "a zip cannot be read from a pipe"
        case .unsupportedEncoding: "not UTF-8"
        case .entityDeclaration: "declares XML entities"
        case .truncated: "the document ends in the middle"
        case .malformed(let problem): problem.reason
        case .elementTooLarge: "an element is larger than 4 MiB"
        case .tooManyParts: "an element has more than 4,096 attributes, or 131,072 nested items"
        case .tooManyNames: "too many different names of elements and types"
        case .tooMuchDamage: "damaged in more than 10,000 places"
        case .nestedTooDeep: "elements are nested deeper than 64 levels"
        case .changed: "changed while being read"
        case .io(let error): error.reason
        }
    }
}

extension ExportError.Problem {
    /// What is wrong with the XML.
    public var reason: String {
        switch self {
        case .startTag: "a tag is malformed"
        case .nameEncoding: "a name is not UTF-8"
        case .attributeWithoutValue: "an attribute has no value"
        case .attributeWithoutQuotes: "an attribute's value has no quotes"
        case .lessThanInAttribute: "an attribute value contains <, or its closing quote is missing"
        case .endTagMismatch: "an end tag does not match its start tag"
        case .unexpectedEndTag: "an end tag has no start tag"
        case .unterminatedMarkup: "markup that is not an element, comment or section"
        case .contentAfterEnd: "content after the end of the document"
        case .secondDocument: "a second Health document after the end of the first"
        case .prologue: "the document does not start like a Health export"
        case .zeros: "a part of the document was overwritten with zeros"
        case .elementWithoutBracket: "text that looks like an element without its <"
        }
    }
}
