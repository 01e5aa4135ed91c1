import SystemIO

/// Standard output for results, standard error for everything else.
enum Console {
    /// What standard output is called in errors, where results go to it.
    static let outputName = "standard output"
    /// The same where a stream goes to it.
    static let streamName = "standard output, a tar stream"

    private static let output = FileDescriptor(inherited: 1, name: outputName)
    private static let errors = FileDescriptor(inherited: 2, name: "standard error")

    /// Writes a result.
    static func print(_ text: String, terminator: String = "\n") throws(SystemError) {
        let bytes = Array((printable(text) + terminator).utf8)
        try output.write(bytes.span)
    }

    /// Writes a result in JSON.
    static func print(json: String) throws(SystemError) {
        let bytes = Array(printable(json: json).utf8)
        try output.write(bytes.span)
    }

    /// Writes a message in JSON.
    static func note(json: String) { send(printable(json: json)) }

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
        escaping(text) { code in "\\u{\(code)}" }
    }

    /// The same for JSON, in which such characters stand in strings alone; one line end is behind it.
    private static func printable(json: String) -> String {
        let line = escaping(json) { code in "\\u" + String(repeating: "0", count: 4 - code.count) + code }
        return line.hasSuffix("\n") ? line : line + "\n"
    }

    private static func escaping(_ text: String, _ escape: (_ hexadecimal: String) -> String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
            if isControl {
                result += escape(String(scalar.value, radix: 16)).unicodeScalars
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
