/// `export_cda.xml`: the vital signs again, as a document of clinical observations.
///
/// In a heavy export it is a third the size of the main document, and has a second root element after the first.
/// Real ones often do, and are then not well-formed.
struct ClinicalDocumentFile: SideFileGenerator {
    private static let closing = "</ClinicalDocument>\n"

    private enum Step {
        case head
        case observations
        case done
    }

    private let context: ExportContext
    private let targetBytes: Int
    private var step = Step.head
    private var chance: SplitMix64
    private var written = 0

    init(_ context: ExportContext) {
        self.context = context
        chance = context.chance(.clinicalDocument)
        let bytes = context.options.xmlBytes
        targetBytes = context.options.sideFiles == .heavy ? bytes / 3 : min(bytes / 20, 65_536)
    }

    mutating func appendNext(to text: inout ByteText) -> Bool {
        let before = text.count
        switch step {
        case .head:
            appendHead(to: &text)
            step = .observations
        case .observations where written + Self.closing.utf8.count < targetBytes:
            ClinicalObservation(context, from: &chance).append(to: &text, context.clock)
        case .observations:
            text.append(Self.closing)
            if context.options.sideFiles == .heavy { text.append("<ClinicalDocument/>\n") }
            step = .done
        case .done:
            return false
        }
        written += text.count - before
        return true
    }

    private func appendHead(to text: inout ByteText) {
        text.append(
            """
            <?xml version="1.0"?>
            <ClinicalDocument xmlns="urn:hl7-org:v3" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
             <realmCode code="US"/>
             <typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>
             <title>Synthetic Health Data Export</title>
             <effectiveTime value="
            """)
        context.clock.appendCompact(context.span.upperBound, to: &text)
        text.append("\"/>\n")
    }
}
