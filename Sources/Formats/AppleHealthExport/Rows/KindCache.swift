import ByteText
import SampleBatches

/// The kinds of the last rows, and the templates that recognise them.
struct KindCache {
    var templates = TemplateCache()
    private var forms = ElementForms()
    private var kinds: [UInt128: RowKind] = [:]
    /// The kinds that there were at the row ``KindCache/aged``.
    private var older: [UInt128: RowKind] = [:]
    /// The number of rows at the last look at what is still used.
    private var aged = 0
    /// The kinds made since all were removed, forgotten ones included.
    private var made: Set<UInt128> = []
    /// The approximate memory that they would take together, in bytes.
    private var bytesMade = 0
    private let usesTemplates: Bool

    init(usesTemplates: Bool) { self.usesTemplates = usesTemplates }

    /// The size in bytes of kinds from which those who keep them have to let go of them.
    private static let byteLimit = 6 << 20
    /// The number of rows after which what none of them needed is removed.
    private static let lifetime = 1 << 17

    /// Reads the attributes of a start tag and their values, and returns the kind.
    mutating func kind(
        _ bytes: Span<UInt8>, _ tag: StartTag, isCompilable: Bool, _ census: inout Census,
        _ values: inout RowValues
    ) -> (RowKind, Timestamp?, ScanOddities) {
        forms.use(bytes, tag, &census)
        var oddities = ScanOddities()
        var reader = AttributeReader(element: forms.last.element, count: tag.attributes.count)
        for (attribute, place) in zip(forms.last.attributes, tag.attributes) {
            let text = AttributeText.resolve(bytes, place.value, &oddities)
            reader.add(name: attribute.name, attribute.kind, text: text)
        }
        oddities.duplicateAttributes += forms.last.duplicates
        oddities.malformedBytes += reader.malformedBytes
        oddities.unreadableDates += reader.unreadableTimes
        values = reader.values
        let context = BatchContext(slots: reader.slots, like: forms.last.context)
        forms.last.keep(context)
        let kind = kind(context, of: forms.last, &census)
        // Oddities must be found and counted each time.
        if usesTemplates, isCompilable, !tag.hasSingleQuotes, oddities.isEmpty {
            templates.learn(bytes, tag, kind)
        }
        return (kind, reader.start, oddities)
    }

    /// Reads stray text as a value, and returns its kind.
    mutating func kind(
        ofText text: [UInt8], _ census: inout Census, _ values: inout RowValues
    ) -> (RowKind, ScanOddities) {
        let form = ElementForm.ofText(&census)
        var reader = AttributeReader(element: form.element)
        reader.add(name: StrayText.attribute, text: text)
        values = reader.values
        var oddities = ScanOddities()
        oddities.strayTexts = 1
        oddities.malformedBytes = reader.malformedBytes
        return (kind(BatchContext(slots: reader.slots), of: form, &census), oddities)
    }

    private mutating func kind(
        _ context: BatchContext, of form: ElementForm, _ census: inout Census
    ) -> RowKind {
        let identifier = RowKind.identifier(element: form.element, context)
        if let kind = kinds[identifier] ?? older[identifier] {
            kinds[identifier] = kind
            return kind
        }
        let type = context.constant("type").map {
            String(decoding: JSONEscaping.text(ofToken: $0), as: UTF8.self)
        }
        let kind = RowKind(
            element: form.element, type: type ?? "", context: context, identifier: identifier,
            censusIndex: form.censusIndex,
            typeIndex: type.flatMap { $0.isEmpty ? nil : census.typeIndex(of: form.element, $0) },
            unknownAttributes: form.unknownAttributes)
        kinds[identifier] = kind
        if made.insert(identifier).inserted { bytesMade += context.memorySize }
        return kind
    }

    /// Removes what a large number of rows did not need.
    ///
    /// - Parameter row: The number of rows so far.
    mutating func age(at row: Int) {
        guard row - aged >= Self.lifetime else { return }
        aged = row
        older = kinds
        kinds = [:]
        templates.removeUnused()
    }

    /// Whether so many kinds were made that those who keep them have to let go of them.
    var isFull: Bool { bytesMade > Self.byteLimit }

    /// Removes all kinds and templates.
    mutating func removeAll() {
        kinds = [:]
        older = [:]
        made = []
        bytesMade = 0
        templates.removeAll()
    }
}
