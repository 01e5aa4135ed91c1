public import CivilTime
import SampleBatches

/// Several samples that belong together: the two values of a blood pressure, the nutrients of a food.
public struct CorrelationSample: HealthSample {
    /// Correlations.
    public static var kind: AnySampleType.Kind? { .correlation }
    /// The row.
    public let row: SampleRow
    /// Creates a sample from a row.
    @inlinable public init(row: SampleRow) { self.row = row }

    /// The samples that it consists of.
    ///
    /// An export contains each of them again as a separate sample.
    public var members: [AnySample] {
        row.elements("Record").map { AnySample(row: SampleRow($0)) }
    }

    /// The members that are quantities.
    public var quantities: [QuantitySample] {
        members.filter { $0.sampleType.kind == .quantity }.map { QuantitySample(row: $0.row) }
    }

    /// Returns the quantity of a member: `sample.quantity(of: .bloodPressureSystolic)`; nil if there is no such member.
    public func quantity(of type: SampleType<QuantitySample>) -> Quantity? {
        quantities.first { $0.sampleType == type.erased }?.quantity
    }

    /// Creates a correlation.
    ///
    /// - Parameters:
    ///   - type: Its type.
    ///   - members: The samples that it consists of.
    ///   - start: When it starts.
    ///   - end: When it ends; if nil, when it starts.
    ///   - source: The app or device that recorded it.
    ///   - device: The device that measured it.
    ///   - creationDate: When it was recorded.
    ///   - metadata: Its metadata.
    public init(
        _ type: SampleType<CorrelationSample>, _ members: [QuantitySample], start: Timestamp,
        end: Timestamp? = nil, source: Source = Source(name: ""), device: Device? = nil,
        creationDate: Timestamp? = nil, metadata: Metadata = Metadata([])
    ) {
        let origin = SampleOrigin(
            start: start, end: end, source: source, device: device, creationDate: creationDate)
        let children = members.map { ElementNode.Child.element($0.row.node) }
        row = SampleRow(
            origin.element(
                "Correlation", type: type.identifier, children: metadata.children + children))
    }
}

extension SampleType: CorrelationTypeNames where Sample == CorrelationSample {}
