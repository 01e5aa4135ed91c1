import ByteText

/// Text in the form that FHIR allows.
enum FHIRText: Sendable {
    /// Returns a text as a `string`: valid UTF-8 without control characters, and not blank.
    static func string(_ text: String) -> String? {
        if isPlain(text) { return text }
        var result = String.UnicodeScalarView()
        var isBlank = true
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 && scalar != "\t" && scalar != "\n" && scalar != "\r"
            result.append(isControl || scalar.value == 0x7f ? "\u{fffd}" : scalar)
            if !scalar.properties.isWhitespace { isBlank = false }
        }
        return isBlank ? nil : String(result)
    }

    /// Whether a text is printable ASCII that does not begin with a space, as almost all are.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, first != 0x20 else { return false }
        return text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }
    }

    /// Returns a text as a `code`: without white space at its ends, and with single spaces in it.
    static func code(_ text: String) -> String? {
        if isPlain(text), !text.utf8.contains(0x20) { return text }
        let words = string(text)?.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
        return words.isEmpty ? nil : words
    }
}

extension JSONWriter {
    /// Writes a member with a text; nothing if the text is blank.
    mutating func text(_ name: String, _ text: String?) {
        if let text = text.flatMap({ FHIRText.string($0) }) { member(name, text) }
    }

    /// Writes a coding.
    mutating func coding(_ coding: FHIRCoding) {
        object { writer in
            writer.text("system", coding.system)
            if let code = FHIRText.code(coding.code) { writer.member("code", code) }
            writer.text("display", coding.display)
        }
    }

    /// Writes a member with a concept that codings describe.
    mutating func concept(_ name: String, _ codings: [FHIRCoding], text: String? = nil) {
        key(name)
        object { writer in
            if !codings.isEmpty {
                writer.key("coding")
                writer.array { writer in
                    for coding in codings { writer.coding(coding) }
                }
            }
            writer.text("text", text)
        }
    }

    private mutating func identifier(_ identifier: FHIRIdentifier) {
        key("identifier")
        array { writer in
            writer.object { writer in
                writer.member("system", identifier.system)
                writer.member("value", identifier.value)
            }
        }
    }

    /// Writes what a resource of ours begins with: its type, and an identifier whose value is the id.
    mutating func opening(_ type: String, _ identifier: FHIRIdentifier) {
        member("resourceType", type)
        member("id", identifier.value)
        self.identifier(identifier)
    }

    /// Writes a member with a number in decimal notation.
    mutating func number(_ name: String, _ text: [UInt8]) {
        key(name)
        raw(text.span)
    }

    /// Writes a member with a reference.
    mutating func reference(_ name: String, _ text: String) {
        key(name)
        object { writer in writer.member("reference", text) }
    }
}
