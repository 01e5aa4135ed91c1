import SystemIO

extension ExportError: CustomStringConvertible {
    /// What happened, and at which byte and element of which file, in a line that can be printed.
    public var description: String {
        if case .io(let error) = code { return error.description }
        var text: TerminalText = "\(file)"
        if let offset { text += text.isEmpty ? "byte \(offset)" : ": byte \(offset)" }
        if let element { text += " (\(element))" }
        return (text.isEmpty ? reason : "\(text): \(reason)").text
    }

    /// What happened, without the place; with the names that it is about.
    private var reason: TerminalText { detail.map { "\(code.reason): \($0)" } ?? "\(code.reason)" }
}

extension ExportError.Code {
    /// What happened, without the file's name: `the document ends in the middle`.
    public var reason: String {
        switch self {
        case .noSuchSource: "no such file or folder"
        case .unrecognized: "not an export of the Health app"
        case .damagedArchive: "the zip is damaged or cut off"
        case .empty: "empty"
        case .noHealthDocument: "holds no document of the Health app"
        case .severalHealthDocuments: "holds several documents of the Health app"
        case .encryptedArchive: "the zip is encrypted"
        case .unsupportedCompression: "compressed by a method that is not supported"
        case .unsafeName: "a file's name leads out of its folder"
        case .overlappingMembers: "the zip's members overlap, which no export's do"
        case .inflatesTooFar: "a member of the zip unpacks to more than 1,100 times its size"
        case .checksumMismatch: "damaged: the zip's checksum does not match"
        case .zipOnStandardInput: "a zip cannot be read from a pipe"
        case .unsupportedEncoding: "not UTF-8"
        case .entityDeclaration: "declares entities, which no export does"
        case .truncated: "the document ends in the middle"
        case .malformed(let problem): problem.reason
        case .elementTooLarge: "an element is larger than 4 MiB"
        case .tooManyParts: "an element has more than 4,096 attributes, or 131,072 things nested in it"
        case .tooManyNames: "more different names of elements and types than any export has"
        case .nestedTooDeep: "elements are nested deeper than 64 levels"
        case .changed: "changed while it was read"
        case .io(let error): error.reason
        }
    }
}

extension ExportError.Problem {
    /// What is wrong with the XML.
    public var reason: String {
        switch self {
        case .startTag: "a tag is malformed"
        case .nameEncoding: "a name is no UTF-8"
        case .attributeWithoutValue: "an attribute has no value"
        case .attributeWithoutQuotes: "an attribute's value has no quotes"
        case .lessThanInAttribute: "an attribute's value holds <, or its closing quote is missing"
        case .endTagMismatch: "an end tag does not match its start tag"
        case .unexpectedEndTag: "an end tag has no start tag"
        case .unterminatedMarkup: "markup starts that is no element, comment or section"
        case .contentAfterEnd: "there is something behind the end of the document"
        case .prologue: "the document does not start like one of the Health app"
        }
    }
}
