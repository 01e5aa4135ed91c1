import SystemIO

extension ExportError: CustomStringConvertible {
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
        case .severalHealthDocuments: "contains several Health export documents"
        case .encryptedArchive: "the zip is encrypted"
        case .unsupportedCompression: "compressed by a method that is not supported"
        case .unsafeName: "a file name leads outside its folder"
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
        case .prologue: "the document does not start like a Health export"
        }
    }
}
