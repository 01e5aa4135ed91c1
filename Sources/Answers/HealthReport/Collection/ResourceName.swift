import ByteText

/// The name of what a FHIR resource is about.
enum ResourceName {
    /// Returns the text of its code, such as the name of a medication; nil if it has none.
    ///
    /// A reader of FHIR would look into coded terms as well; this takes the texts that people read.
    static func name(in resource: [UInt8]) -> String? {
        var reader = JSONReader(resource)
        var found: [String: String] = [:]
        do {
            try reader.object { reader, key in
                switch key {
                case "code", "medicationCodeableConcept", "vaccineCode", "type":
                    found[key] = try concept(&reader)
                default: _ = try reader.skip()
                }
            }
        } catch { return nil }
        return ["code", "medicationCodeableConcept", "vaccineCode", "type"].lazy.compactMap { found[$0] }
            .first
    }

    /// Reads the text of a concept, or the first display name or code of its codings.
    private static func concept(_ reader: inout JSONReader) throws -> String? {
        guard try reader.kind() == .object else {
            _ = try reader.skip()
            return nil
        }
        var (text, coding): (String?, String?)
        try reader.object { reader, key in
            switch (key, try reader.kind()) {
            case ("text", .string): text = try reader.string()
            case ("coding", .array):
                try reader.array { reader in
                    let found = try Self.coding(&reader)
                    coding = coding ?? found
                }
            default: _ = try reader.skip()
            }
        }
        return text ?? coding
    }

    private static func coding(_ reader: inout JSONReader) throws -> String? {
        guard try reader.kind() == .object else {
            _ = try reader.skip()
            return nil
        }
        var (display, code): (String?, String?)
        try reader.object { reader, key in
            switch (key, try reader.kind()) {
            case ("display", .string): display = try reader.string()
            case ("code", .string): code = try reader.string()
            default: _ = try reader.skip()
            }
        }
        return display ?? code
    }
}
