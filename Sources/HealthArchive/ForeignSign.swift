/// A sign that an export is not of the person and the phone of an archive.
public enum ForeignSign: String, Sendable {
    /// The date of birth or the sex is another one.
    case person
    /// No source of samples is in both.
    case sources
    /// Hardly any sample of the archive is in the export.
    case samples
}
