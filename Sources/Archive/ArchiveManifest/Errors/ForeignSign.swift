/// A sign that an export is from another person or phone than an archive.
public enum ForeignSign: String, Sendable {
    /// The date of birth or the sex differs.
    case person
    /// They have no source of samples in common.
    case sources
    /// Hardly any samples of the archive are in the export.
    case samples
}
