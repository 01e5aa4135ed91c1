import HealthExport
import HealthFormats
public import SystemIO

extension DriveExportOptions {
    /// Takes over the form of the earlier exports to a destination, for a plain export whose formats nobody named.
    ///
    /// - Parameters:
    ///   - destination: The destination, whether it is connected or not.
    ///   - state: The folder with the history.
    /// - Throws: ``DestinationError`` with `encrypted` if archives are there or were written: a forgotten option must
    ///   not put files beside them that everybody can read; `SystemError`.
    public mutating func takeForm(of destination: Destination, state: StateFolder) throws {
        let former = try History(inState: state.path).all().filter { record in
            record.destination == destination.name && record.path != nil && record.began >= destination.added
        }
        let hasArchives = try (try? destination.locate()).map { try Shelf($0.path).hasArchives } ?? false
        guard !hasArchives, !former.contains(where: \.isEncrypted) else {
            throw DestinationError(.encrypted, destination.name)
        }
        guard let last = former.last else { return }
        let comma: Character = ","
        let known = last.format.split(separator: comma).compactMap { ExportFormat(rawValue: String($0)) }
        if !known.isEmpty { (formats, units) = (known, last.units) }
    }
}
