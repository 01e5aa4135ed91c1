import ByteText
import SampleBatches

/// The names in a start tag, and what follows from them.
///
/// Thousands of kinds of rows have the same names.
struct ElementForm {
    /// An attribute's name.
    struct Attribute {
        let name: String
        let kind: AttributeKind
    }

    /// The element's name.
    let element: String
    /// The attributes in the order written.
    let attributes: [Attribute]
    /// How many of the attributes have the name of an earlier one.
    let duplicates: Int
    /// The index of the element in the census.
    let censusIndex: Int
    /// The indices of the attributes that are not declared for the element.
    let unknownAttributes: [Int]
    /// The last context with these names that was not long.
    private(set) var context: BatchContext?
    /// The names as they are in the document, one after the other.
    private let names: [UInt8]
    /// Where each of them ends, the element's being the first.
    private let ends: [Int]

    init(_ bytes: Span<UInt8>, _ tag: StartTag, _ census: inout Census) {
        let element = String(decoding: bytes.array(tag.name), as: UTF8.self)
        var names = bytes.array(tag.name)
        var ends = [names.count]
        var attributes: [Attribute] = []
        for attribute in tag.attributes {
            let name = bytes.array(attribute.name)
            names += name
            ends.append(names.count)
            let text = String(decoding: name, as: UTF8.self)
            attributes.append(Attribute(name: text, kind: AttributeKind(of: text, in: element)))
        }
        self.init(element, attributes, names, ends, &census)
    }

    /// Makes the form of stray text.
    static func ofText(_ census: inout Census) -> ElementForm {
        let kind = AttributeKind(of: StrayText.attribute, in: StrayText.element)
        return ElementForm(
            StrayText.element, [Attribute(name: StrayText.attribute, kind: kind)], [], [], &census)
    }

    private init(
        _ element: String, _ attributes: [Attribute], _ names: [UInt8], _ ends: [Int], _ census: inout Census
    ) {
        self.element = element
        self.attributes = attributes
        self.names = names
        self.ends = ends
        duplicates = AttributeNames.duplicates(attributes.map(\.name))
        censusIndex = census.index(of: ExactName(element))
        unknownAttributes = attributes.map(\.name).filter {
            DeclaredNames.isUnknown(attribute: $0, of: element)
        }.map { census.index(ofAttribute: ExactName(element + "/@" + $0)) }
    }

    /// Keeps a context for the next kind with these names, unless it takes much memory.
    mutating func keep(_ context: BatchContext) { if context.isShort { self.context = context } }

    /// The length of all names, in bytes.
    var length: Int { names.count }

    /// Whether the names of a start tag are these.
    func matches(_ bytes: Span<UInt8>, _ tag: StartTag) -> Bool {
        guard ends.count == tag.attributes.count + 1, tag.name.count == ends[0],
            bytes.matches(at: tag.name.lowerBound, names.span, 0..<ends[0])
        else { return false }
        for (number, attribute) in tag.attributes.enumerated() {
            let name = ends[number]..<ends[number + 1]
            guard attribute.name.count == name.count,
                bytes.matches(at: attribute.name.lowerBound, names.span, name)
            else { return false }
        }
        return true
    }
}

/// The forms of the last start tags that were read attribute by attribute, the last one first.
struct ElementForms {
    private(set) var forms: [ElementForm] = []

    /// The number of forms to keep.
    private static let most = 8
    /// The length of the names of a form to keep beside others, in bytes.
    private static let longest = 1 << 11

    /// The last form.
    var last: ElementForm {
        get { forms[0] }
        set { forms[0] = newValue }
    }

    /// Makes the form of a start tag the last one.
    mutating func use(_ bytes: Span<UInt8>, _ tag: StartTag, _ census: inout Census) {
        let known = forms.firstIndex { $0.matches(bytes, tag) }
        guard known != 0 else { return }
        var form = known.map { forms.remove(at: $0) }
        // An untrusted document may have names of any length: such a form is kept only while it is the last.
        if let last = forms.first, last.length > Self.longest { forms.removeFirst() }
        if forms.count == Self.most { forms.removeLast() }
        forms.insert(form.take() ?? ElementForm(bytes, tag, &census), at: 0)
    }
}
