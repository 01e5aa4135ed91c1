/// A log of what the program does, on standard error, if `HEALTHVAULT_LOG` is `debug`.
///
/// It says what is opened and written, how much, how long it took, and what was decided. It never contains a health
/// value, the name of a sample type or of a source of samples, a passphrase or a key; names of side files have dates in
/// them, and are left out too. Whoever logs something sees to that.
public enum DebugLog: Sendable {
    /// Whether anything is logged; everything else costs nothing if it is not.
    package static let isOn = CurrentProcess.environment("HEALTHVAULT_LOG") == "debug"

    private static let start = SystemClock.uptime()

    /// Logs a line.
    ///
    /// - Parameter text: What happened; computed only if it is logged.
    @inline(__always)
    package static func log(_ text: @autoclosure () -> TerminalText) {
        guard isOn else { return }
        write(text())
    }

    @inline(never)
    private static func write(_ text: TerminalText) {
        let milliseconds = Int((SystemClock.uptime() - start) * 1000)
        let line: TerminalText = "debug: \(milliseconds) ms: \(text)\n"
        // A log that cannot be written is no reason to fail, nor a call whose failure a test plans.
        FaultPlan.$current.withValue(nil) {
            let errors = FileDescriptor(inherited: 2, name: "standard error")
            try? errors.write(Array(line.text.utf8).span)
        }
    }
}
