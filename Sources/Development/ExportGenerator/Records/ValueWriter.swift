/// Writes values of one shape, prepared so that each costs a single draw.
struct ValueWriter {
    private enum Form {
        case none
        case number(ClosedRange<Int>, digits: Int)
        case text([[UInt8]])
    }

    private let form: Form

    init(_ shape: ValueShape) {
        switch shape {
        case .none:
            form = .none
        case .integer(let range):
            form = .number(range, digits: 0)
        case .decimal(let thousandths, let digits):
            form = .number(FixedPoint.units(thousandths, digits: digits), digits: digits)
        case .text(let texts):
            form = .text(
                texts.map { text in
                    var escaped = ByteText()
                    escaped.append(escaped: text)
                    return escaped.bytes
                })
        }
    }

    var isPresent: Bool {
        if case .none = form { false } else { true }
    }

    func append(_ chance: inout SplitMix64, to text: inout ByteText) {
        switch form {
        case .none: break
        case .number(let range, 0): text.append(chance.pick(from: range))
        case .number(let range, let digits):
            text.append(FixedPoint(units: chance.pick(from: range), digits: digits))
        case .text(let texts): text.append(chance.pick(from: texts))
        }
    }
}
