import ByteText
import HealthFormats
import HealthModel
import SampleBatches

/// Puts the values of samples into the units of one measurement system, whatever units the sources used.
///
/// Values of samples, of members of correlations and of statistics of workouts are converted, and so are the totals of workouts and
/// the energy of activity summaries. Values without a unit, or with one of another kind than those of their type, stay as they
/// are, and so does metadata, where units are part of texts.
struct ConvertedUnits: Sendable {
    private let system: MeasurementSystem

    /// Creates a conversion to the units of a system.
    init(_ system: MeasurementSystem) { self.system = system }

    /// Returns a batch with its values in these units.
    ///
    /// Rows that share a context stay as they are if one of them has a text in place of a number.
    ///
    /// - Throws: `JSONError` if a content is not valid batch JSON; `FormatError`, `tooLarge`, if a batch has no room for the
    ///   numbers.
    func batch(_ batch: SampleBatch) throws -> SampleBatch {
        var plans = batch.contexts.map { ContextConversion($0, of: batch.key, system) }
        var hasChanged = plans.contains { $0 != nil }
        if hasChanged {
            batch.forEachRow { _ in
            } value: { row, slot, value, bytes in
                guard case .token(let range) = value, let conversion = plans[row.context]?.values[slot] else {
                    return
                }
                if !conversion.takes(bytes.extracting(range)) { plans[row.context] = nil }
            } endRow: { _ in
            }
        }
        var contents = batch.contents
        for number in contents.indices {
            guard let converted = try content(contents[number]) else { continue }
            contents[number] = converted
            hasChanged = true
        }
        guard hasChanged else { return batch }
        let contexts = zip(plans, batch.contexts).map { $0?.context ?? $1 }
        let converted = batch.rewritten(contexts: contexts, contents: contents) { context, slot, token in
            plans[context]?.values[slot]?.text(token)
        }
        guard let converted else { throw FormatError(.tooLarge) }
        return converted
    }

    /// Returns a content with its values in these units; nil if it has none to convert.
    private func content(_ json: [UInt8]) throws -> [UInt8]? {
        var children = try ContentReader.children(of: json)
        return convert(&children) ? ContentWriter.json(of: children)?.json : nil
    }

    /// Converts the values of elements and of those in them, and returns whether there were any.
    private func convert(_ children: inout [ElementNode.Child]) -> Bool {
        var hasChanged = false
        for number in children.indices {
            guard case .element(var element) = children[number] else { continue }
            let hasOwn = convert(&element.attributes, of: element.name)
            guard convert(&element.children) || hasOwn else { continue }
            children[number] = .element(element)
            hasChanged = true
        }
        return hasChanged
    }

    /// Converts the values among the attributes of an element, and returns whether there were any.
    private func convert(_ attributes: inout [ElementNode.Attribute], of element: String) -> Bool {
        guard AttributeNames.duplicates(attributes) == 0 else { return false }
        func index(_ wanted: String) -> Int? { attributes.firstIndex { $0.name == wanted } }
        var hasChanged = false
        for measured in MeasuredAttributes.all(of: element) {
            guard let unit = index(measured.unit),
                let type = measured.type ?? index("type").map({ AnySampleType(utf8: attributes[$0].text) }),
                let conversion = TextConversion(from: attributes[unit].text, of: type, in: system)
            else { continue }
            let places = measured.values.compactMap(index)
            let texts = places.compactMap { place in
                let text = attributes[place].text
                return conversion.text(text.span)
            }
            guard texts.count == places.count else { continue }
            for (place, text) in zip(places, texts) { attributes[place].text = text }
            attributes[unit].text = conversion.unit
            hasChanged = true
        }
        return hasChanged
    }
}

extension AnySampleType {
    /// The type with an identifier in UTF-8.
    fileprivate init(utf8 identifier: [UInt8]) { self.init(String(decoding: identifier, as: UTF8.self)) }
}
