import ByteText
import HealthModel

/// A correlation: the quantities that it consists of are components.
enum CorrelationObservation: Sendable {
    static func write(_ sample: AnySample, _ observation: inout SampleObservation) {
        let correlation = CorrelationSample(row: sample.row)
        let members = correlation.members
        for member in members {
            let type = member.sampleType
            let mapping = observation.mapper.mapping[type]
            let quantity = QuantitySample(row: member.row).quantity
            let codings = observation.mapper.mapping.codings(of: type)
            if !observation.add(codings, quantity, in: mapping.unit) { observation.omit(.nestedElements, 1) }
        }
        let metadata = sample.metadata.entries.count
        observation.omit(.nestedElements, sample.row.children.count - members.count - metadata)
        // A panel without any of its values says nothing.
        if !observation.hasComponents { observation.giveUp(.unreadableValues) }
    }
}
