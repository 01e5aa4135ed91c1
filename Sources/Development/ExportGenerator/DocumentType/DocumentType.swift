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
