package import SampleBatches
package import SystemIO

/// The time zone of an export: the one in which its days are days.
package enum ExportZone: Sendable {
    /// The newest zone that a sample names and that has, when the export is made, the offset that Apple wrote; where
    /// there is none, that offset.
    ///
    /// Apple writes all times of a file with the offset of that moment, so that the file alone does not say when
    /// summer time was.
    ///
    /// - Parameter exported: When the export was made, nil where nothing says so.
    /// - Throws: `SystemError` where the file of a zone is there and cannot be read: with it the zone may be another.
    /// - Returns: A name (`Europe/Berlin`) or an offset (`+02:00`); an empty text where there is neither.
    package static func text(_ recorded: RecordedZones, exported: Timestamp?) throws(SystemError) -> String {
        guard let exported else { return "" }
        for name in recorded.names {
            let rules = try ZoneFiles.bytes(ofZone: name).flatMap { ZoneRules(tzif: $0.span) }
            if rules?.offset(at: exported.seconds) == exported.offsetMinutes * 60 { return name }
        }
        return exported.offset
    }
}
