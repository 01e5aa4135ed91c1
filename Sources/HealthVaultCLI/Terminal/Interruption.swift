import SystemIO

/// Somebody asks a command to stop.
enum Interruption {
    /// Somebody has.
    static let isAsked: @Sendable () -> Bool = { CurrentProcess.interruption != nil }

    /// From now on, what is written unencrypted is removed before the command ends.
    static let leavesNothing: @Sendable () -> Void = {
        CurrentProcess.pauseOnInterruption(
            saying: "stopping. Once more to stop at once, and leave what there is")
    }
}
