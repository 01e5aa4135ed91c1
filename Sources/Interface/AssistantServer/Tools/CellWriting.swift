import ByteText
import Tables

extension JSONWriter {
    /// Writes a value, or null if there is none; numbers have at most four decimal places.
    mutating func cell(_ cell: (any TableCell)?) {
        switch cell {
        case nil: null()
        case let number as Double:
            NumberText.write(number.magnitude < 1e9 ? number.rounded(toPlaces: 4) : number, to: &self)
        case let object as TableObject: members(object.members)
        case let objects as [TableObject]: array { writer in for each in objects { writer.cell(each) } }
        case let cell?: cell.write(to: &self)
        }
    }

    private mutating func members(_ members: [TableObject.Member]) {
        object { writer in
            for (name, value) in members {
                writer.key(name)
                writer.cell(value)
            }
        }
    }
}

extension Double {
    /// Returns the number with so many decimal places.
    func rounded(toPlaces places: Int) -> Double {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        return (self * scale).rounded() / scale
    }
}
