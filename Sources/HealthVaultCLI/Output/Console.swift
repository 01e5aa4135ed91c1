import SystemIO

/// Standard output for results, standard error for everything else.
enum Console {
    private static let output = FileDescriptor(inherited: 1, name: "standard output")
    private static let errors = FileDescriptor(inherited: 2, name: "standard error")

    static func print(_ text: String, terminator: String = "\n") {
        let bytes = Array((text + terminator).utf8)
        try? output.write(bytes.span)
    }

    static func note(_ text: String, terminator: String = "\n") {
        let bytes = Array((text + terminator).utf8)
        try? errors.write(bytes.span)
    }

    /// Columns for help texts.
    static var width: Int {
        let columns = output.terminalColumns
        return columns > 0 ? min(columns, 100) : 80
    }

    static var errorsAreFancy: Bool { Terminal.isFancy(errors) }
    static var errorsAreTerminal: Bool { errors.isTerminal }
    static var errorColumns: Int { errors.terminalColumns > 0 ? errors.terminalColumns : 80 }
    static var outputIsTerminal: Bool { output.isTerminal }
}
