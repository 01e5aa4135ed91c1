import SystemIO

/// Standard output for results, standard error for everything else.
enum Console {
    private static let output = FileDescriptor(inherited: 1, name: "standard output")
    private static let errors = FileDescriptor(inherited: 2, name: "standard error")

    /// Writes a result.
    static func print(_ text: String, terminator: String = "\n") throws(SystemError) {
        let bytes = Array((printable(text) + terminator).utf8)
        try output.write(bytes.span)
    }

    /// Writes a message.
    ///
    /// Nobody is left to tell where that fails.
    static func note(_ text: String, terminator: String = "\n") {
        send(printable(text) + terminator)
    }

    /// Writes to the terminal as it is, control sequences included.
    static func send(_ text: String) {
        let bytes = Array(text.utf8)
        try? errors.write(bytes.span)
    }

    /// Names in files and zips must not steer a terminal.
    private static func printable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
            if isControl {
                result += "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
            } else {
                result.append(scalar)
            }
        }
        return String(result)
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
