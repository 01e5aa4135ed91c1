import SystemIO

/// Somebody asks a command to stop.
enum Interruption {
    /// Somebody has.
    static let isAsked: @Sendable () -> Bool = { Process.interruption != nil }

    /// From now on, what is written unencrypted is removed before the command ends.
    static let leavesNothing: @Sendable () -> Void = {
        Process.pauseOnInterruption(saying: "stopping. Once more to stop at once, and leave what there is")
    }
}
