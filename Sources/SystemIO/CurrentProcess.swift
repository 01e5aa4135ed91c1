import CPlatform
import Glibc

/// What concerns the process as a whole.
public enum CurrentProcess: Sendable {
    /// Forbids core dumps and backtraces, and lets nobody else read this process's memory.
    ///
    /// Best effort: some sandboxes refuse.
    public static func forbidCoreDumps() { _ = platform_forbid_core_dumps() }

    /// Lets all threads share one heap, which keeps the peak of memory low.
    public static func shareHeap() { platform_share_heap() }

    /// A file that grows over a limit gives an error instead of a signal, and so does a closed pipe.
    public static func turnSignalsIntoErrors() {
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
    }

    /// From now on the first request to end (SIGINT, SIGTERM, SIGHUP) says `text` and is to be found in ``interruption``.
    ///
    /// A second one but SIGHUP ends the process at once, with the status 130 or 143: whatever is on the disk at that instant
    /// must do.
    public static func pauseOnInterruption(saying text: String) {
        unsafe platform_pause_on_interruption("\n" + text + "\n")
    }

    /// The number of the signal that asked this process to end; nil while none did.
    public static var interruption: Int32? {
        let number = platform_interruption()
        return number == 0 ? nil : number
    }

    /// Ends the process with a status for the shell, at once.
    ///
    /// Libraries do not clean up after themselves: a thread that still derives a key would lose what it works with.
    public static func exit(_ status: Int32) -> Never { _exit(status) }

    /// Peak resident set size so far, in bytes.
    public static var peakMemory: Int { Int(platform_peak_memory_kib()) * 1024 }

    /// Processors that are online.
    public static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// The arguments behind the program's name; nil where one of them is no UTF-8 text.
    public static var arguments: [String]? {
        var texts: [String] = []
        for number in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = unsafe CommandLine.unsafeArgv[number],
                let text = unsafe String(validatingCString: bytes)
            else { return nil }
            texts.append(text)
        }
        return texts
    }

    /// The value of an environment variable.
    public static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The path that an environment variable holds.
    public static func path(inEnvironment name: String) -> BytePath? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe BytePath(bytes: UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }
}
