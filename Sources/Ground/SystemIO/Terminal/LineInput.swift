import CEditline
import Glibc

/// The lines of standard input: edited on a terminal, with history and completion, or as they come from anywhere else.
///
/// The editor is libedit, which is loaded when it is needed and may be missing; then a terminal's own editing remains. What
/// was typed is kept in memory alone.
@safe public struct LineInput: ~Copyable {
    /// What came of waiting for a line.
    public enum Outcome: Sendable, Equatable {
        /// A line without its end, whatever its bytes are.
        case line([UInt8])
        /// A line that is too long; all of it was read.
        case tooLong
        /// The input has ended.
        case ended
        /// Nobody typed anything for too long; a line that was begun is dropped.
        case idle
        /// The line was cancelled with Ctrl-C.
        case interrupted
    }

    /// What completes the text before the cursor.
    public struct Completion: Sendable, Equatable {
        /// The text to insert at the cursor.
        public let insertion: String
        /// The words to choose from, shown below the line.
        public let choices: [TerminalText]

        /// Creates a completion.
        public init(insertion: String, choices: [TerminalText]) {
            self.insertion = insertion
            self.choices = choices
        }
    }

    /// The longest line that is read.
    public static let longest = 1 << 16

    /// Answers the Tab key.
    fileprivate final class Completer {
        let complete: (String) -> Completion

        init(_ complete: @escaping (String) -> Completion) { self.complete = complete }
    }

    private let editor: OpaquePointer?
    private let completer: Completer
    private let showsPrompt: Bool
    private var pending: [UInt8] = []
    private var hasEnded = false

    /// Creates an input; `complete` is called with the text before the cursor.
    public init(complete: @escaping (String) -> Completion) {
        let completer = Completer(complete)
        self.completer = completer
        showsPrompt = Terminal.isInput
        unsafe editor =
            showsPrompt
            ? unsafe editline_open(
                0, 2, answerTab, Unmanaged.passUnretained(completer).toOpaque()) : nil
    }

    deinit {
        if let editor = unsafe editor { unsafe editline_close(editor) }
    }

    /// Waits for the next line.
    ///
    /// - Parameters:
    ///   - prompt: Shown on a terminal before the cursor.
    ///   - patience: The seconds without any input after which to give up.
    public mutating func next(prompt: TerminalText, patience: Int) -> Outcome {
        guard let editor = unsafe editor else { return nextPlain(prompt, patience) }
        var bytes: [UInt8] = []
        let outcome = unsafe prompt.text.withCString { prompt in
            var line: UnsafePointer<CChar>?
            var length = 0
            let outcome = unsafe editline_read(editor, prompt, Int32(clamping: patience), &line, &length)
            if let line = unsafe line {
                bytes = unsafe UnsafeBufferPointer(start: line, count: length).map { UInt8(bitPattern: $0) }
            }
            return outcome
        }
        switch Int(outcome) {
        case editline_line:
            if bytes.last == 10 { bytes.removeLast() }
            let isBlank = bytes.allSatisfy { $0 == 32 }
            if !isBlank, !bytes.contains(0) {
                unsafe String(decoding: bytes, as: UTF8.self).withCString {
                    unsafe editline_remember(editor, $0)
                }
            }
            return bytes.count > Self.longest ? .tooLong : .line(bytes)
        case editline_idle: return .idle
        case editline_interrupted: return .interrupted
        default: return .ended
        }
    }

    /// Reads a line of what is no terminal, or of one without an editor.
    private mutating func nextPlain(_ prompt: TerminalText, _ patience: Int) -> Outcome {
        if showsPrompt {
            try? FileDescriptor(inherited: 2, name: "standard error").write(Array(prompt.text.utf8).span)
        }
        let input = FileDescriptor(inherited: 0, name: "standard input")
        var searched = 0
        var isTooLong = false
        while true {
            if let end = pending[searched...].firstIndex(of: 10) {
                let line = Array(pending[..<end])
                pending.removeSubrange(...end)
                return isTooLong || line.count > Self.longest ? .tooLong : .line(line)
            }
            if pending.count > Self.longest {
                isTooLong = true
                pending = []
            }
            if hasEnded {
                guard !pending.isEmpty || isTooLong else { return .ended }
                defer { pending = [] }
                return isTooLong ? .tooLong : .line(pending)
            }
            searched = pending.count
            guard editline_wait(0, Int32(clamping: patience)) != Int32(editline_idle)
            else {
                return .idle
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            var span = buffer.mutableSpan
            let count = (try? input.read(into: &span)) ?? 0
            hasEnded = count == 0
            pending += buffer[..<count]
        }
    }
}

/// An editor belongs to the task that reads its lines.
@available(*, unavailable)
extension LineInput: Sendable {}

extension Terminal {
    /// Whether standard input and standard error are a terminal, so that a person can be asked.
    public static var isInput: Bool { isatty(0) == 1 && isatty(2) == 1 }
}

/// Passes the Tab key on to a completer; the texts that it returns belong to the caller.
@unsafe private func answerTab(
    _ context: UnsafeMutableRawPointer?, _ line: UnsafePointer<CChar>?,
    _ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
    guard let context = unsafe context, let line = unsafe line,
        let text = unsafe String(validatingCString: line)
    else { return nil }
    let completer = unsafe Unmanaged<LineInput.Completer>.fromOpaque(context).takeUnretainedValue()
    let completion = completer.complete(text)
    if !completion.choices.isEmpty {
        unsafe list?.pointee = unsafe strdup(TerminalText.joined(completion.choices, separator: "  ").text)
    }
    return unsafe strdup(completion.insertion)
}
