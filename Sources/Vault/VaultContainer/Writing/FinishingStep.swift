/// A step of finishing a container, after all of it is written.
public enum FinishingStep: Sendable, Equatable {
    /// Waits until the drive has stored all of the file.
    case syncing
    /// Reads the file back; `done` of its bytes are authentic.
    case readingBack(done: Int, of: Int)
}
