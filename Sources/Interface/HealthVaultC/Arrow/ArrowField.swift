/// The name and type of a column: what an `ArrowSchema` describes.
struct ArrowField: Sendable {
    let name: String
    /// The type, in the notation of Arrow's C data interface.
    let format: String
    var isNullable = true
    var children: [ArrowField] = []
    /// The field of the values of a dictionary, in a list of one; empty if there is none.
    var dictionary: [ArrowField] = []
    /// Facts about a table, by their names.
    var metadata: [(name: String, value: String)] = []

    /// A time in microseconds in UTC, which all of Arrow's consumers know.
    static func time(_ name: String) -> ArrowField { ArrowField(name: name, format: "tsu:UTC") }
    /// A day, counted from 1970-01-01.
    static func day(_ name: String) -> ArrowField { ArrowField(name: name, format: "tdD") }
    static func double(_ name: String) -> ArrowField { ArrowField(name: name, format: "g") }
    static func integer(_ name: String) -> ArrowField {
        ArrowField(name: name, format: "l", isNullable: false)
    }
    static func flag(_ name: String) -> ArrowField { ArrowField(name: name, format: "b", isNullable: false) }
    static func text(_ name: String) -> ArrowField { ArrowField(name: name, format: "u") }

    /// A text that few rows have for themselves: a dictionary, unless plain texts were asked for.
    static func repeatedText(_ name: String, isPlain: Bool) -> ArrowField {
        isPlain ? text(name) : ArrowField(name: name, format: "i", dictionary: [text("")])
    }

    static func list(_ name: String, of item: ArrowField) -> ArrowField {
        ArrowField(name: name, format: "+l", isNullable: false, children: [item])
    }

    /// A map from texts to texts.
    static func map(_ name: String) -> ArrowField {
        let key = ArrowField(name: "key", format: "u", isNullable: false)
        let entries = ArrowField(
            name: "entries", format: "+s", isNullable: false, children: [key, text("value")])
        return ArrowField(name: name, format: "+m", isNullable: false, children: [entries])
    }

    /// The columns of a table.
    static func table(_ columns: [ArrowField], metadata: [(name: String, value: String)] = []) -> ArrowField {
        ArrowField(name: "", format: "+s", isNullable: false, children: columns, metadata: metadata)
    }
}
