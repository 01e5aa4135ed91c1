import ByteText
import Database
import SampleBatches

/// Distributes the contents of samples among the tables of a database.
struct NestedRows {
    private(set) var rows: [DatabaseRows.ElementRow] = []
    private(set) var metadata: [[DatabaseRows.MetadataEntry]] = []
    /// The number of values that are kept as text in addition to their column.
    private(set) var textCount = 0
    private var metadataNumbers: [[DatabaseRows.MetadataEntry]: Int] = [:]

    /// Adds the row of a sample to the table of its element.
    ///
    /// - Returns: The attributes that have no column, or that their column cannot represent.
    mutating func add(
        _ table: Int, sample: Int, _ attributes: [ElementNode.Attribute], in element: String
    ) -> [ElementNode.Attribute] {
        let (values, rest) = values(attributes, ElementTable.all[table], in: element)
        rows.append(
            DatabaseRows.ElementRow(table: table, sample: sample, parent: nil, number: 0, values: values))
        return rest
    }

    /// Adds the metadata of a content that consists of metadata only.
    ///
    /// - Returns: Its number; nil if the content is empty or contains anything else.
    mutating func metadata(alone children: [ElementNode.Child]) -> Int? {
        var entries: [DatabaseRows.MetadataEntry] = []
        for child in children {
            guard case .element(let element) = child, let entry = Self.entry(element) else { return nil }
            entries.append(entry)
        }
        return entries.isEmpty ? nil : number(of: entries)
    }

    /// Adds the children of a sample.
    ///
    /// - Returns: The number of its metadata, and the children that have no table.
    mutating func add(
        _ children: [ElementNode.Child], sample: Int
    ) -> (metadata: Int, rest: [ElementNode.Child]) {
        add(children, in: ElementTable.sample, sample: sample, parent: nil)
    }

    private mutating func add(
        _ children: [ElementNode.Child], in parentTable: String, sample: Int, parent: Int?
    ) -> (metadata: Int, rest: [ElementNode.Child]) {
        var entries: [DatabaseRows.MetadataEntry] = []
        var rest: [ElementNode.Child] = []
        for (number, child) in children.enumerated() {
            guard case .element(let element) = child else {
                rest.append(child)
                continue
            }
            if let entry = Self.entry(element) {
                entries.append(entry)
            } else if parentTable == ElementTable.sample, element.name == ElementTable.wrapper,
                Self.isPlainWrapper(element)
            {
                _ = add(element.children, in: parentTable, sample: sample, parent: parent)
            } else if let table = ElementTable.number(of: element.name, in: parentTable) {
                add(element, to: table, number: number, sample: sample, parent: parent)
            } else {
                rest.append(child)
            }
        }
        return (entries.isEmpty ? 0 : self.number(of: entries), rest)
    }

    private mutating func add(
        _ element: ElementNode, to table: Int, number: Int, sample: Int, parent: Int?
    ) {
        let spec = ElementTable.all[table]
        var (values, rest) = values(element.attributes, spec, in: element.name)
        var children = element.children
        if let reference = spec.reference {
            let path = Self.path(of: reference, in: children)
            if path != nil { children.removeAll { Self.isReference($0, reference) } }
            values.append(path.map { .text($0) } ?? .null)
        }
        if spec.namesElement { values.insert(.text(Array(element.name.utf8)), at: 0) }
        let place = rows.count
        rows.append(
            DatabaseRows.ElementRow(
                table: table, sample: sample, parent: parent, number: number, values: values))
        let (metadata, leftOver) = add(children, in: spec.name, sample: sample, parent: place)
        rows[place].metadata = metadata
        rows[place].other = Self.other(rest, leftOver)
    }

    /// Returns the values of a table's columns, and the attributes that they cannot represent.
    private mutating func values(
        _ attributes: [ElementNode.Attribute], _ table: ElementTable, in element: String
    ) -> (values: [DatabaseValue], rest: [ElementNode.Attribute]) {
        var values = [DatabaseValue](repeating: .null, count: table.attributes.count)
        var rest: [ElementNode.Attribute] = []
        for attribute in attributes {
            if table.isSample, ElementTable.sampleAttributes.contains(attribute.name) { continue }
            guard let place = table.attributes.firstIndex(of: attribute.name), values[place] == .null else {
                rest.append(attribute)
                continue
            }
            let (value, isExact) = ColumnValue.value(of: attribute, in: element)
            values[place] = value
            if !isExact {
                rest.append(attribute)
                textCount += 1
            }
        }
        return (values, rest)
    }

    /// Returns the number of a set of metadata entries, starting at 1.
    private mutating func number(of entries: [DatabaseRows.MetadataEntry]) -> Int {
        if let known = metadataNumbers[entries] { return known }
        metadata.append(entries)
        metadataNumbers[entries] = metadata.count
        return metadata.count
    }

    /// Returns an element as a metadata entry; nil unless it consists of a key and a value in valid UTF-8.
    private static func entry(_ element: ElementNode) -> DatabaseRows.MetadataEntry? {
        guard element.name == "MetadataEntry", element.children.isEmpty, element.attributes.count == 2,
            let key = element.attributes.first(where: { $0.name == "key" })?.text,
            let value = element.attributes.first(where: { $0.name == "value" })?.text,
            JSONEscaping.isWellFormed(key.span), JSONEscaping.isWellFormed(value.span)
        else { return nil }
        return DatabaseRows.MetadataEntry(key: key, value: value)
    }

    private static func isPlainWrapper(_ element: ElementNode) -> Bool {
        element.attributes.isEmpty && !element.children.isEmpty
            && element.children.allSatisfy { child in
                guard case .element(let inner) = child else { return false }
                return ElementTable.number(of: inner.name, in: ElementTable.sample) != nil
            }
    }

    private static func isReference(
        _ child: ElementNode.Child, _ reference: (element: String, attribute: String)
    ) -> Bool {
        guard case .element(let element) = child else { return false }
        return element.name == reference.element
    }

    /// Returns the attribute of the only reference; nil unless there is exactly one, with no other attributes or
    /// children and in valid UTF-8.
    private static func path(
        of reference: (element: String, attribute: String), in children: [ElementNode.Child]
    ) -> [UInt8]? {
        let found = children.filter { isReference($0, reference) }
        guard found.count == 1, case .element(let element) = found[0], element.children.isEmpty,
            element.attributes.count == 1, element.attributes[0].name == reference.attribute,
            case let text = element.attributes[0].text, JSONEscaping.isWellFormed(text.span)
        else { return nil }
        return text
    }

    /// Returns attributes and children without a column as a JSON object; nil if there are none.
    static func other(
        _ attributes: [ElementNode.Attribute], _ children: [ElementNode.Child]
    ) -> [UInt8]? {
        guard !attributes.isEmpty || !children.isEmpty else { return nil }
        var text: [UInt8] = [UInt8(ascii: "{")]
        if !attributes.isEmpty {
            var writer = JSONWriter()
            writer.object { writer in FlatAttributes.writeList(attributes, &writer) }
            text += writer.bytes.dropFirst().dropLast()
        }
        if let content = ContentWriter.json(of: children) {
            if text.count > 1 { text.append(UInt8(ascii: ",")) }
            text += content.json.dropFirst().dropLast()
        }
        return text + [UInt8(ascii: "}")]
    }
}
