import CPlatform
import Glibc

/// Settings and properties of the process as a whole.
public enum CurrentProcess: Sendable {
    /// Forbids core dumps and backtraces, and reading of this process's memory by others.
    ///
    /// Best effort: some sandboxes refuse.
    public static func forbidCoreDumps() { _ = platform_forbid_core_dumps() }

    /// Makes all threads share one heap, which keeps peak memory low, and reuse what is freed.
    public static func shareHeap() { platform_share_heap() }

    /// Gives memory that is free back to the system, when what follows needs blocks of other sizes.
    public static func returnFreeMemory() { platform_return_free_memory() }

    /// Makes writing to a closed pipe, or beyond a file size limit, fail with an error instead of a signal.
    public static func turnSignalsIntoErrors() {
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Makes the first request to end (SIGINT, SIGTERM, SIGHUP) print a text and set ``interruption``.
    ///
    /// A second one, except SIGHUP, prints another text and ends the process at once with status 130 or 143: what is
    /// on disk at that moment must suffice.
    public static func catchInterruption(saying first: String, then second: String) {
        unsafe platform_catch_interruption("\n" + first + "\n", "\n" + second + "\n")
    }

    /// The number of the signal that asked this process to end; nil if there was none.
    public static var interruption: Int32? {
        let number = platform_interruption()
        return number == 0 ? nil : number
    }

    /// Ends the process at once, with a status for the shell.
    ///
    /// Exit handlers of libraries do not run: they would free memory that a thread deriving a key still uses.
    public static func exit(_ status: Int32) -> Never { _exit(status) }

    /// Peak resident set size so far, in bytes.
    public static var peakMemory: Int { Int(platform_peak_memory_kib()) * 1024 }

    /// Number of processors that are online.
    public static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Whether the arguments are known: Swift reads them from `/proc`, without which there seem to be none.
    public static var hasArguments: Bool { CommandLine.argc > 0 }

    /// The arguments after the program's name; nil if one of them is not UTF-8.
    public static var arguments: [String]? {
        let texts = argumentBytes.map { String(validating: $0, as: UTF8.self) }
        return texts.contains(nil) ? nil : texts.compactMap(\.self)
    }

    /// The arguments after the program's name, with replacement characters in those that are not UTF-8.
    ///
    /// They may only be compared: replacement characters might make two names the same.
    public static var repairedArguments: [String] {
        argumentBytes.map { String(decoding: $0, as: UTF8.self) }
    }

    private static var argumentBytes: [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { number in
            unsafe CommandLine.unsafeArgv[number].map { text in
                unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
            }
        }
    }

    /// The value of an environment variable.
    public static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The value of an environment variable as a path.
    public static func path(inEnvironment name: String) -> BytePath? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe BytePath(bytes: UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }
}
