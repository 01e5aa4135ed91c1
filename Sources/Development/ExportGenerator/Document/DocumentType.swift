/// The document type declaration at the head of an export.
struct DocumentType {
    let version: GeneratorOptions.DTDVersion
    private var declarations: [Declaration]

    /// Creates the declarations of a version by undoing the changes of later ones.
    init(_ version: GeneratorOptions.DTDVersion) {
        self.version = version
        declarations = Self.newestDeclarations
        if version < .v14 { rewindTo13() }
        if version < .v13 { rewindTo12() }
        if version == .v12 { breakAsReleased() }
        if version < .v12 { rewindTo11() }
        if version < .v11 { rewindTo8() }
        if version < .v8 { rewindTo3() }
    }

    func append(to text: inout ByteText) {
        text.append("<!DOCTYPE HealthData [\n<!-- HealthKit Export Version: \(version.rawValue) -->\n")
        for declaration in declarations { declaration.append(to: &text) }
        text.append("]>\n")
    }

    mutating func edit(_ element: String, _ change: (inout Declaration) -> Void) {
        for index in declarations.indices where declarations[index].element == element {
            change(&declarations[index])
        }
    }

    mutating func remove(_ elements: String...) {
        declarations.removeAll { elements.contains($0.element) }
    }

    mutating func replace(_ element: String, with replacement: Declaration) {
        edit(element) { $0 = replacement }
    }

    mutating func add(_ declaration: Declaration) {
        declarations.append(declaration)
    }
}

/// The declaration of one element and its attributes in a document type.
struct Declaration {
    /// An attribute, which is always character data.
    struct Attribute: Equatable {
        let name: String
        var isRequired: Bool
    }

    let element: String
    var content: String
    var attributes: [Attribute]

    /// The column in which the attributes' types begin.
    var width: Int

    /// A comment before the declaration.
    var note: String?

    /// The end of the attribute list, wrong in version 12.
    var closing = ">\n"

    /// Creates the declaration of an element.
    ///
    /// - Parameters:
    ///   - element: The element's name.
    ///   - content: The element's content model.
    ///   - attributes: The attribute names, separated by spaces; required ones end in `!`.
    ///   - width: The column in which the attributes' types begin.
    ///   - note: A comment before the declaration.
    init(
        _ element: String, _ content: String = "EMPTY", _ attributes: String = "", width: Int = 0,
        note: String? = nil
    ) {
        self.element = element
        self.content = content
        self.attributes = attributes.split(separator: " ").map { word in
            let isRequired = word.hasSuffix("!")
            return Attribute(name: String(isRequired ? word.dropLast() : word), isRequired: isRequired)
        }
        self.width = width
        self.note = note
    }

    mutating func remove(_ names: String...) {
        attributes.removeAll { names.contains($0.name) }
    }

    mutating func removeChild(_ name: String) {
        content = content.replacing("|\(name)", with: "")
    }

    func append(to text: inout ByteText) {
        if let note { text.append("<!-- Note: \(note) -->\n") }
        text.append("<!ELEMENT \(element) \(content)>\n")
        guard !attributes.isEmpty else { return }
        text.append("<!ATTLIST \(element)\n")
        for attribute in attributes {
            let gap = max(1, width - attribute.name.utf8.count)
            text.append("  \(attribute.name)\(String(repeating: " ", count: gap))CDATA ")
            text.append(attribute.isRequired ? "#REQUIRED\n" : "#IMPLIED\n")
        }
        text.append(closing)
    }
}
