import Testing

@testable import HealthFormats

@Suite("A cell of CSV")
struct CSVCellTests {
    private static let bytes = Array("a,\"';=-\\\n\té".utf8)
    /// All texts of up to two of the bytes.
    private static let texts: [[UInt8]] =
        [[]] + bytes.map { [$0] } + bytes.flatMap { first in bytes.map { [first, $0] } }

    private func isPlain(_ text: [UInt8]) -> Bool { CSVCell.isPlain(text.span) }

    /// A cell with a text.
    private func cell(_ text: [UInt8]) -> [UInt8] {
        var cell: [UInt8] = []
        CSVCell.append(text: text.span, to: &cell)
        return cell
    }

    @Test("of which only the middle differs is what a cell of the whole text is")
    func frames() {
        let middle = Array("0x7é".utf8)
        #expect(isPlain(middle))
        for before in Self.texts {
            for after in Self.texts {
                let frame = CSVCell.Frame(before: before, after: after)
                #expect(
                    frame.start + middle + frame.end == cell(before + middle + after),
                    "around \(before) and \(after)")
            }
        }
    }

    @Test("has a plain text as it is, and no other text that it has differently is taken for one")
    func plainTexts() {
        for text in Self.texts {
            for before in Self.texts where isPlain(text) {
                let alone = cell(before)
                let isQuoted = alone.first == UInt8(ascii: "\"")
                #expect(
                    cell(before + text)
                        == (isQuoted ? alone.dropLast() + text + alone.suffix(1) : alone + text))
            }
        }
        #expect(Self.texts.count { isPlain($0) } == 12)
    }
}
