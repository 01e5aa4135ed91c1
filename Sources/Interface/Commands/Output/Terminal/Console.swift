package import CommandLineKit
package import HealthReport
import HealthVault
import Synchronization
package import SystemIO
import Wording

/// The output of a command: results on standard output, and everything else on standard error.
///
/// Text for people is ``TerminalText``, so that no name in a file, a zip or an archive can control their terminal.
package enum Console {
    private static let output = FileDescriptor(inherited: 1, name: StandardStreams.output)
    private static let errors = FileDescriptor(inherited: 2, name: "standard error")

    /// Whether the cursor is behind progress, in a line that whatever is written next replaces.
    private static let hasProgress = Atomic(false)

    /// Writes a result.
    package static func print(_ text: TerminalText) throws(SystemError) { try send("\(text)\n") }

    /// Writes a text for another program, byte for byte.
    package static func print(_ text: [UInt8]) throws(SystemError) { try print(text.span) }

    /// Writes part of a text for another program, byte for byte.
    package static func print(_ text: borrowing Span<UInt8>) throws(SystemError) {
        endProgress()
        try output.write(text)
    }

    /// Writes a page of help, laid out for the terminal.
    package static func print(page: HelpPage) throws(SystemError) {
        let columns = output.terminalColumns
        try print(Array(page.text(width: columns > 0 ? min(columns, 100) : 80).utf8).span)
    }

    /// Writes text that this program has generated from its grammar, such as a shell script.
    package static func print(generated text: String) throws(SystemError) {
        try print(Array(text.utf8).span)
    }

    /// Writes a result in JSON.
    package static func print(json: String) throws(SystemError) {
        try print(TerminalJSON.line(json).span)
    }

    /// Writes a result in JSON with a member that is a long array, element by element.
    ///
    /// - Parameters:
    ///   - head: The members before it, as an object.
    ///   - key: The name of the array.
    ///   - elements: The elements in JSON.
    ///   - closing: The members after it, as an object.
    package static func print(
        json head: String, _ key: String, _ elements: some Sequence<[UInt8]>, closing: [UInt8]
    ) throws(SystemError) {
        let before = TerminalJSON.escaped(String(head.dropLast()))
        var bytes = before + Array("\(before.count > 1 ? "," : "")\"\(key)\":[".utf8)
        for (number, element) in elements.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += TerminalJSON.escaped(String(decoding: element, as: UTF8.self))
            if bytes.count > 1 << 16 {
                try print(bytes.span)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        let after = TerminalJSON.escaped(String(decoding: closing.dropFirst(), as: UTF8.self))
        bytes += Array("]".utf8) + (after.count > 1 ? Array(",".utf8) : []) + after
        try print((bytes + Array("\n".utf8)).span)
    }

    /// Writes results in JSON, a line each.
    package static func print(jsonLines lines: some Sequence<[UInt8]>) throws(SystemError) {
        try print(lines: lines, end: [UInt8(ascii: "\n")], isSafe: true) {
            $1 += TerminalJSON.escaped(String(decoding: $0, as: UTF8.self))
        }
    }

    /// Writes lines of CSV, each with a line end; on a terminal, escapes everything that could control it.
    package static func print(csv lines: some Sequence<[UInt8]>) throws(SystemError) {
        try print(lines: lines, end: CSVCell.lineEnd) { $1 += $0 }
    }

    /// Writes a line for each element; on a terminal, escapes everything that could control it.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - end: The end of each line.
    ///   - isSafe: Whether the lines have nothing to escape.
    ///   - append: Appends the line of an element without its end.
    package static func print<Element>(
        lines elements: some Sequence<Element>, end: [UInt8], isSafe: Bool = false,
        _ append: (Element, inout [UInt8]) -> Void
    ) throws(SystemError) {
        let isEscaping = !isSafe && outputIsTerminal
        var bytes: [UInt8] = []
        for element in elements {
            let start = bytes.count
            append(element, &bytes)
            if isEscaping {
                let line = TerminalText(escaping: String(decoding: bytes[start...], as: UTF8.self))
                bytes.replaceSubrange(start..., with: line.text.utf8)
            }
            bytes += end
            // The first lines must not wait for the last.
            if bytes.count > 1 << 16 {
                try print(bytes.span)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        try print(bytes.span)
    }

    /// Writes a message.
    ///
    /// Failures are ignored, because there is nowhere to report them.
    package static func log(_ text: TerminalText) {
        endProgress()
        report("\(text)\n")
    }

    /// Writes a remark on an answer, in lines that fit the terminal.
    package static func log(note text: TerminalText) {
        let columns = errors.isTerminal && errors.terminalColumns > 0 ? errors.terminalColumns : nil
        for line in wrapped(text, in: columns) { log(line) }
    }

    /// Writes a message in JSON.
    package static func log(json: String) {
        endProgress()
        try? errors.write(TerminalJSON.line(json).span)
    }

    /// Shows progress in the cursor's line, as much of it as fits; what is written next takes its place.
    package static func show(progress text: TerminalText) {
        let columns = errors.terminalColumns > 0 ? errors.terminalColumns : 80
        hasProgress.store(true, ordering: .relaxed)
        report("\r\u{1b}[K\(text.text.prefix(columns - 1))")
    }

    /// Removes the line of progress, if there is one.
    package static func endProgress() {
        if hasProgress.exchange(false, ordering: .relaxed) { report("\r\u{1b}[K") }
    }

    /// Asks a question on the terminal; without one, the answer is no.
    package static func confirm(_ question: TerminalText) -> Bool {
        endProgress()
        return Terminal.confirm(question: "\(question.text) (yes or no) ")
    }

    /// What standard output can show; a width of 80 columns if it is not a terminal.
    package static var outputStyle: TextStyle {
        let isTerminal = output.isTerminal
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { CurrentProcess.environment($0) }
            .first { !$0.isEmpty }
        let isUnicode = (locale ?? "").uppercased().filter { $0 != "-" }.hasSuffix("UTF8")
        return TextStyle(
            isUnicode: isUnicode && !(isTerminal && CurrentProcess.environment("TERM") == "dumb"),
            hasColours: Terminal.isFancy(output), columns: isTerminal ? output.terminalColumns : 80)
    }

    /// The width of standard output if it is a terminal of a known width.
    package static var outputColumns: Int? {
        guard output.isTerminal, output.terminalColumns > 0 else { return nil }
        return output.terminalColumns
    }

    /// Returns a text in lines that fit standard output; whole if that is no terminal.
    package static func wrapped(_ text: TerminalText) -> [TerminalText] { wrapped(text, in: outputColumns) }

    /// A word that is longer than a line stays whole, so that it can be copied.
    private static func wrapped(_ text: TerminalText, in columns: Int?) -> [TerminalText] {
        guard let columns, text.text.count > columns else { return [text] }
        let indent = String(text.text.prefix { $0 == " " })
        let words = text.text.split(separator: " ").map { String($0) }
        return wrap(words, width: columns - indent.count).map { TerminalText(escaping: indent + $0) }
    }

    private static func send(_ text: TerminalText) throws(SystemError) {
        try print(Array(text.text.utf8).span)
    }

    private static func report(_ text: TerminalText) { try? errors.write(Array(text.text.utf8).span) }

    package static var errorsAreFancy: Bool { Terminal.isFancy(errors) }
    package static var errorsAreTerminal: Bool { errors.isTerminal }
    package static var outputIsTerminal: Bool { output.isTerminal }
}
