import ExportGenerator
import Testing

@Suite("The document is laid out as Apple does")
struct LayoutTests {
    private let lines = export().xmlText.split(separator: "\n", omittingEmptySubsequences: false)

    @Test("it begins with the declarations and ends with the root element and a line feed")
    func ends() {
        #expect(lines[0] == #"<?xml version="1.0" encoding="UTF-8"?>"#)
        #expect(lines[1] == "<!DOCTYPE HealthData [")
        #expect(lines[2] == "<!-- HealthKit Export Version: 14 -->")
        #expect(lines.suffix(2) == ["</HealthData>", ""])
        #expect(body.first == #"<HealthData locale="en_US">"#)
        #expect(body.dropFirst().first == #" <ExportDate value="2026-01-15 09:30:00 +0100"/>"#)
        #expect(body.dropFirst(2).first?.hasPrefix(" <Me HKCharacteristicTypeIdentifierDateOfBirth=") == true)
    }

    @Test("every line holds one tag, indented by one space for each level")
    func indentation() {
        var depth = 0
        for line in body where !line.isEmpty {
            let tag = line.drop { $0 == " " }
            if tag.hasPrefix("</") { depth -= 1 }
            #expect(line.count - tag.count == depth, "\(line)")
            #expect(tag.count { $0 == "<" } == 1 && tag.last == ">", "\(line)")
            if !tag.hasPrefix("</") && !tag.hasSuffix("/>") { depth += 1 }
        }
        #expect(depth == 0)
    }

    @Test("attributes of records stand in Apple's order")
    func attributeOrder() {
        let order = [
            "type", "sourceName", "sourceVersion", "device", "unit", "creationDate", "startDate", "endDate",
            "value",
        ]
        for line in records {
            let names = attributes(of: line).map(\.name)
            #expect(names == order.filter(names.contains), "\(line)")
        }
    }

    @Test("all dates have the offset of the export")
    func offset() {
        let dates = lines.joined(separator: "\n").matches(of: #/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}/#)
        let strange = dates.map(\.output).filter { !$0.hasSuffix("+0100") && !$0.hasSuffix("+0000") }
        #expect(dates.count > 1000 && strange.isEmpty)
        let starts = records.compactMap { attribute("startDate", of: $0) }
        #expect(starts.allSatisfy { $0.hasSuffix(" +0100") })
    }

    @Test("no date is later than the export or earlier than the years asked for")
    func dates() {
        for line in records {
            for name in ["creationDate", "startDate", "endDate"] {
                let date = attribute(name, of: line) ?? ""
                #expect("2016-01-01" < date && date <= "2026-01-15 09:30:00 +0100", "\(line)")
            }
            #expect((attribute("startDate", of: line) ?? "") <= (attribute("endDate", of: line) ?? ""))
        }
    }

    @Test("the records of a type stand together, but not in the order of their dates")
    func order() {
        var finished: Set<String> = []
        var current = ""
        var backward = 0
        var last = ""
        for line in records {
            let type = attribute("type", of: line) ?? ""
            let start = attribute("startDate", of: line) ?? ""
            if type != current {
                #expect(!finished.contains(type), "\(type)")
                finished.insert(current)
                current = type
            } else if start < last {
                backward += 1
            }
            last = start
        }
        #expect(backward > records.count / 20)
    }

    @Test("values have the entities and the characters that real ones have")
    func characters() {
        let text = lines.joined(separator: "\n")
        for sample in ["Anna’s Apple\u{A0}Watch", "&amp;", "&lt;&lt;HKDevice: 0x2", "&quot;", "mL/min·kg"] {
            #expect(text.contains(sample), "\(sample)")
        }
        #expect(!text.contains("&apos;") && !text.contains("&#"))
    }

    private var body: [Substring] { Array(lines.drop { !$0.hasPrefix("<HealthData") }) }

    private var records: [Substring] { lines.filter { $0.hasPrefix(" <Record ") } }

    private func attributes(of line: Substring) -> [(name: String, value: String)] {
        line.matches(of: #/ (\w+)="([^"]*)"/#).map { (String($0.1), String($0.2)) }
    }

    private func attribute(_ name: String, of line: Substring) -> String? {
        attributes(of: line).first { $0.name == name }?.value
    }
}
