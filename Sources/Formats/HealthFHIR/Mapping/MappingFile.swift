import ByteText
import HealthModel

extension FHIRMapping {
    /// Reads a file of mappings, which replace or add to those of the program.
    ///
    /// The file is a JSON object with a member for each type, named by its identifier or short name; what a type's
    /// object does not have stays as it is:
    ///
    /// ```json
    /// {
    ///   "stepCount": {
    ///     "codings": [{"system": "http://loinc.org", "code": "55423-8", "display": "Steps"}],
    ///     "unit": {"unit": "count", "code": "{steps}", "name": "steps"},
    ///     "categories": ["activity"],
    ///     "profile": "http://example.org/fhir/StructureDefinition/steps"
    ///   }
    /// }
    /// ```
    ///
    /// HealthKit's coding of a type is always added.
    ///
    /// - Throws: ``FHIRError`` with the place of the first mistake.
    public mutating func read(_ json: [UInt8]) throws(FHIRError) {
        var reader = JSONReader(json)
        do {
            guard try reader.kind() == .object else { throw FHIRError(.notJSON, "") }
            try reader.object { reader, name in
                let place = name.debugDescription
                guard let type = Self.type(named: name) else { throw FHIRError(.unknownType, place) }
                var mapping = self[type]
                try MappingReader(place: place, type: type).read(&reader, &mapping)
                self[type] = mapping
            }
            try reader.finish()
        } catch let error as FHIRError { throw error } catch {
            throw FHIRError(.notJSON, (error as? JSONError).map { "byte \($0.offset)" } ?? "")
        }
    }

    /// Returns the type with a name; a name with HealthKit's prefix need not be known.
    private static func type(named name: String) -> AnySampleType? {
        if case .type(let type)? = SampleTypeName(parsing: name) { return type }
        return name.hasPrefix("HK") ? AnySampleType(name) : nil
    }
}

/// Reads the object of one type.
private struct MappingReader {
    let place: String
    let type: AnySampleType

    func read(_ reader: inout JSONReader, _ mapping: inout FHIRTypeMapping) throws {
        guard try reader.kind() == .object else { throw FHIRError(.unexpectedMember, place) }
        try reader.object { reader, key in
            switch key {
            case "codings": mapping.codings = try codings(&reader)
            case "unit": mapping.unit = try unit(&reader)
            case "categories": mapping.categories = try categories(&reader)
            case "profile":
                let url = try text(&reader, "profile")
                guard Self.isURI(url) else { throw FHIRError(.invalidCoding, "\(place).profile") }
                mapping.profile = url
            default: throw FHIRError(.unexpectedMember, "\(place).\(key.debugDescription)")
            }
        }
    }

    private func text(_ reader: inout JSONReader, _ name: String) throws -> String {
        guard try reader.kind() == .string else { throw FHIRError(.unexpectedMember, "\(place).\(name)") }
        return try reader.string()
    }

    private func codings(_ reader: inout JSONReader) throws -> [FHIRCoding] {
        guard try reader.kind() == .array else { throw FHIRError(.unexpectedMember, "\(place).codings") }
        var codings: [FHIRCoding] = []
        try reader.array { reader in
            let name = "codings[\(codings.count)]"
            let members = try texts(&reader, name, ["system", "code", "display"])
            guard let system = members["system"], let code = members["code"], Self.isURI(system),
                FHIRText.code(code) == code, system != FHIRCoding.loincSystem || FHIRCoding.isLOINC(code)
            else { throw FHIRError(.invalidCoding, "\(place).\(name)") }
            codings.append(FHIRCoding(system: system, code: code, display: members["display"]))
        }
        return codings
    }

    private func unit(_ reader: inout JSONReader) throws -> FHIRUnit {
        let members = try texts(&reader, "unit", ["unit", "code", "name"])
        guard let unit = members["unit"].flatMap({ try? HealthUnit($0) }),
            type.canonicalUnit.map({ $0.isCompatible(with: unit) }) ?? true,
            members["code"].map(Self.isUnitCode) ?? true
        else { throw FHIRError(.invalidUnit, "\(place).unit") }
        return FHIRUnit(unit, code: members["code"], name: members["name"])
    }

    private func categories(_ reader: inout JSONReader) throws -> [String] {
        guard try reader.kind() == .array else {
            throw FHIRError(.unexpectedMember, "\(place).categories")
        }
        var codes: [String] = []
        try reader.array { reader in
            let code = try text(&reader, "categories[\(codes.count)]")
            guard Self.categories.contains(code) else {
                throw FHIRError(.invalidCoding, "\(place).categories[\(codes.count)]")
            }
            codes.append(code)
        }
        return codes
    }

    /// Reads an object whose members are strings.
    private func texts(
        _ reader: inout JSONReader, _ name: String, _ names: Set<String>
    ) throws -> [String: String] {
        guard try reader.kind() == .object else { throw FHIRError(.unexpectedMember, "\(place).\(name)") }
        var members: [String: String] = [:]
        try reader.object { reader, key in
            guard names.contains(key) else {
                throw FHIRError(.unexpectedMember, "\(place).\(name).\(key.debugDescription)")
            }
            members[key] = try text(&reader, "\(name).\(key)")
        }
        return members
    }

    /// Whether a text is an absolute URI: a scheme, a colon, and something without white space.
    private static func isURI(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), text.index(after: colon) < text.endIndex else {
            return false
        }
        return text[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
            && colon > text.startIndex && FHIRText.code(text) == text && !text.contains(" ")
    }

    /// Whether a text has only characters of UCUM codes, and its brackets are closed.
    private static func isUnitCode(_ text: String) -> Bool {
        var open: [Character] = []
        for character in text {
            guard let byte = character.asciiValue, (0x21...0x7e).contains(byte) else { return false }
            switch character {
            case "(", "[", "{": open.append(character)
            case ")": if open.popLast() != "(" { return false }
            case "]": if open.popLast() != "[" { return false }
            case "}": if open.popLast() != "{" { return false }
            default: break
            }
        }
        return !text.isEmpty && open.isEmpty
    }

    /// The codes of HL7's categories of observations.
    private static let categories: Set<String> = [
        "social-history", "vital-signs", "imaging", "laboratory", "procedure", "survey", "exam", "therapy",
        "activity",
    ]
}
