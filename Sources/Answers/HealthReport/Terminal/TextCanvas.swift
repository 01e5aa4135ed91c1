/// The plot of a panel in characters: bars of blocks, and on top of them dots in braille.
///
/// In ASCII, a character is a single dot.
struct TextCanvas {
    /// A character with a colour.
    struct Cell: Equatable {
        var character: Character = " "
        var colour: Int?
    }

    let columns: Int
    let rows: Int
    private let isUnicode: Bool
    private var cells: [Cell]
    /// The dots of each character, as bits of its number in the block of braille patterns.
    private var dots: [UInt8]

    init(columns: Int, rows: Int, isUnicode: Bool) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        self.isUnicode = isUnicode
        cells = Array(repeating: Cell(), count: self.columns * self.rows)
        dots = Array(repeating: 0, count: self.columns * self.rows)
    }

    /// Number of dots in the width.
    var dotColumns: Int { isUnicode ? 2 * columns : columns }
    /// Number of dots in the height.
    var dotRows: Int { isUnicode ? 4 * rows : rows }

    private static let blocks = Array("▁▂▃▄▅▆▇█")
    /// The bits of the dots of a braille pattern, by column and row.
    private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

    /// Draws a bar in a column, between two fractions of the height.
    mutating func bar(column: Int, from low: Double, to high: Double, colour: Int) {
        guard (0..<columns).contains(column), high > low else { return }
        let parts = isUnicode ? 8.0 : 1.0
        let bottom = Int((min(max(low, 0), 1) * Double(rows) * parts).rounded())
        var top = Int((min(max(high, 0), 1) * Double(rows) * parts).rounded())
        // A small value must not look like none.
        if top == bottom { top += 1 }
        for row in 0..<rows {
            let filled = min(top - row * Int(parts), Int(parts))
            guard filled > 0, bottom < (row + 1) * Int(parts) else { continue }
            // A block fills a character from below, so a part that begins within one fills it.
            let character: Character = isUnicode ? Self.blocks[filled - 1] : "#"
            cells[(rows - 1 - row) * columns + column] = Cell(character: character, colour: colour)
        }
    }

    /// Draws a dot; rows are counted from the top.
    mutating func dot(_ x: Int, _ y: Int, colour: Int, mark: Character = "*") {
        guard (0..<dotColumns).contains(x), (0..<dotRows).contains(y) else { return }
        guard isUnicode else {
            cells[y * columns + x] = Cell(character: mark, colour: colour)
            return
        }
        let index = y / 4 * columns + x / 2
        // Dots of another entry would otherwise look like this one's.
        if cells[index].colour != colour { dots[index] = 0 }
        dots[index] |= Self.bits[x % 2][y % 4]
        let scalar = Unicode.Scalar(0x2800 + UInt32(dots[index])) ?? " "
        cells[index] = Cell(character: Character(scalar), colour: colour)
    }

    /// Draws a line between two dots.
    mutating func line(from start: (x: Int, y: Int), to end: (x: Int, y: Int), colour: Int) {
        let steps = max(abs(end.x - start.x), abs(end.y - start.y), 1)
        for step in 0...steps {
            let x = start.x + (end.x - start.x) * step / steps
            dot(x, start.y + (end.y - start.y) * step / steps, colour: colour)
        }
    }

    /// Returns a row as runs of one colour, without spaces at its end.
    func runs(row: Int) -> [TextRun] {
        var line = cells[(row * columns)..<((row + 1) * columns)]
        while line.last?.character == " " { line.removeLast() }
        var runs: [TextRun] = []
        for cell in line {
            if let last = runs.last, last.colour == cell.colour || cell.character == " " {
                runs[runs.count - 1].text.append(cell.character)
            } else {
                runs.append(TextRun(String(cell.character), colour: cell.colour))
            }
        }
        return runs
    }
}
