import HealthModel

extension TypeExtent {
    /// The extents of sample types, out of counts by element and type.
    ///
    /// Types are told apart and sorted by their identifiers as bytes.
    static func list(_ summaries: [Inspector.TypeSummary]) -> [TypeExtent] {
        var extents: [ExactName: TypeExtent] = [:]
        for summary in summaries {
            guard let identifier = SampleType.identifier(ofElement: summary.element, type: summary.type)
            else {
                continue
            }
            extents[ExactName(identifier), default: TypeExtent(type: .named(identifier))]
                .add(count: summary.count, first: summary.first, last: summary.last)
        }
        return extents.sorted { $0.key < $1.key }.map(\.value)
    }
}
