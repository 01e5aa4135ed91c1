import CPlatform
import Glibc

/// The system's clocks.
public enum SystemClock: Sendable {
    /// Returns the seconds on a monotonic clock.
    public static func uptime() -> Double {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    /// Returns the seconds of processor time that the calling thread has used.
    public static func processorTime() -> Double {
        var used = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used)
        return Double(used.tv_sec) + Double(used.tv_nsec) / 1e9
    }

    /// Returns the seconds since 1970-01-01T00:00:00Z.
    public static func now() -> Int { time(nil) }

    /// Blocks the calling thread for a number of milliseconds, unless a signal arrives.
    public static func sleep(milliseconds: Int) {
        var time = timespec()
        time.tv_sec = max(0, milliseconds) / 1000
        time.tv_nsec = max(0, milliseconds) % 1000 * 1_000_000
        unsafe nanosleep(&time, nil)
    }

    /// Returns the local time's offset from UTC in minutes, at an instant in seconds since 1970.
    public static func localOffsetMinutes(at instant: Int) -> Int {
        platform_local_offset(Int64(instant)) / 60
    }
}
