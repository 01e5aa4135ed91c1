public import HealthArchive
public import SystemIO
import VaultContainer

/// How an export or a conversion runs, whatever it reads and writes.
///
/// Whoever attends a run makes one value, which is handed through unchanged to what does the work.
public struct RunSettings: Sendable {
    /// The number of threads.
    ///
    /// The output does not depend on it.
    public var jobs = CurrentProcess.processorCount
    /// The number of PBKDF2 iterations of a new archive, 600,000 to 10,000,000.
    public var iterations = ContainerFormat.defaultIterations
    /// How an archive is split into volumes; nil for the rule that its file system needs.
    public var volumes: VolumeRule?
    /// The name and version of the program, for an archive's index.
    public var tool = "healthvault"
    /// Whether a plain folder is kept, to be continued, when there is no space left for the rest of it.
    public var isKeptWhenFull = true
    /// Called repeatedly to ask whether to stop.
    ///
    /// The run then throws `interrupted`; an export can be continued, a conversion leaves nothing.
    public var isInterrupted: @Sendable () -> Bool = { false }
    /// Called with the progress.
    public var progress: ProgressHandler = { _ in }
    /// Called if the export continues an interrupted run, with the number of bytes kept; nil if not known yet.
    public var resuming: @Sendable (_ kept: Int?) -> Void = { _ in }
    /// Called with the identity and the manifest of the finished archive or folder, just before it gets its name; see
    /// ``OutputIdentity``.
    ///
    /// An error that it throws ends the run, whose output then does not get its name.
    public var finishing: @Sendable (_ identity: String, Manifest) throws -> Void = { _, _ in }

    /// Creates the settings of a run that nobody attends.
    public init() {}

    /// Throws `interrupted` if the run should stop, or its task was cancelled.
    func checkInterruption(of target: BytePath) throws(VaultError) {
        try VaultError.checkInterruption(of: target, isInterrupted)
    }

    /// Checks that an archive with these settings can be written, before anything is read.
    func checkIterations() throws(ContainerError) {
        guard ContainerFormat.writableIterations.contains(iterations) else {
            throw ContainerError(.kdfRefused)
        }
    }
}
