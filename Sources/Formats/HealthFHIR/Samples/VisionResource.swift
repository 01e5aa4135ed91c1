import ByteText
import HealthModel

/// A prescription for glasses or contact lenses as the resource `VisionPrescription`.
enum VisionResource: Sendable {
    /// Returns the resource; nil if the prescription has no date or no lens, without which FHIR has none.
    static func json(
        _ prescription: VisionPrescription, _ identity: UInt128, _ mapper: FHIRMapper
    ) -> [UInt8]? {
        let lenses = [("right", prescription.rightEye), ("left", prescription.leftEye)]
            .compactMap { eye, lens in lens.map { (eye, $0) } }
        guard let issued = prescription.dateIssued, !lenses.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.object { writer in
            writer.opening(
                "VisionPrescription",
                FHIRIdentifier(system: mapper.sampleSystem, value: FHIRIdentity.text(identity)))
            writer.member("status", "active")
            writer.member("created", issued.iso)
            writer.key("patient")
            writer.raw(mapper.subjectJSON.span)
            writer.member("dateWritten", issued.iso)
            writer.key("prescriber")
            writer.object { $0.member("display", "not stated") }
            writer.key("lensSpecification")
            writer.array { writer in
                for (eye, lens) in lenses {
                    writer.object { writer in write(lens, eye, prescription, &writer) }
                }
            }
        }
        let extensions = MetadataExtensions.member(prescription.metadata.entries)
        return writer.bytes.dropLast() + extensions + [UInt8(ascii: "}")]
    }

    /// Returns the number of attributes that have no place in the resource, such as prisms, whose base FHIR names and Apple
    /// measures.
    static func omittedCount(_ prescription: VisionPrescription) -> Int {
        let lenses = [prescription.rightEye, prescription.leftEye].compactMap(\.self)
        return lenses.total { lens in
            [
                lens.vertexDistance, lens.prismAmount, lens.prismAngle, lens.farPupillaryDistance,
                lens.nearPupillaryDistance,
            ].count { $0 != nil }
        } + (prescription["expirationDate"] == nil ? 0 : 1)
    }

    private static func write(
        _ lens: VisionPrescription.Lens, _ eye: String, _ prescription: VisionPrescription,
        _ writer: inout JSONWriter
    ) {
        let isContact =
            lens.baseCurve != nil || lens.diameter != nil
            || prescription.prescriptionType?.lowercased().hasPrefix("contact") == true
        let product = FHIRCoding(
            system: "http://terminology.hl7.org/CodeSystem/ex-visionprescriptionproduct",
            code: isContact ? "contact" : "lens", display: isContact ? "Contact Lens" : "Lens")
        writer.concept("product", [product])
        writer.member("eye", eye)
        for (name, quantity, unit) in [
            ("sphere", lens.sphere, HealthUnit.diopter), ("cylinder", lens.cylinder, .diopter),
            ("add", lens.addPower, .diopter), ("backCurve", lens.baseCurve, .meter(.milli)),
            ("diameter", lens.diameter, .meter(.milli)),
        ] {
            guard let value = quantity?.converted(to: unit) else { continue }
            let exact = value.text.flatMap { FHIRDecimal.text(Array($0.utf8).span) }
            if let text = exact ?? FHIRDecimal.text(value.value) { writer.number(name, text) }
        }
        if let axis = lens.axis?.value(in: .degreeOfAngle), (0...360).contains(axis) {
            writer.member("axis", Int(axis.rounded()))
        }
        writer.text("brand", prescription.brand)
    }
}
