import SystemIO

/// Handles requests to stop a command.
package enum Interruption {
    /// Returns whether a stop was requested.
    package static let isRequested: @Sendable () -> Bool = { CurrentProcess.interruption != nil }

    /// Ensures that a command interrupted from now on removes what it has written unencrypted before it ends.
    package static let removeOutputOnInterruption: @Sendable () -> Void = {
        CurrentProcess.catchInterruption(
            saying: "stopping. Once more to stop at once, and leave what there is")
    }
}
