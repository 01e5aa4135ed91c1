// The functions that static members of known types call. All take the name of the member from `#function`, the groups, a
// title if it is not the words of the name, and everyday words for the type.

extension QuantityTypeNames {
    /// Declares a quantity whose samples are added up.
    static func cumulative(
        _ unit: String, metric: String? = nil, us: String? = nil, uk: String? = nil,
        _ groups: SampleTypeGroup..., title: String? = nil, also words: String..., member: String = #function
    ) -> Self {
        Self(
            known: KnownType(
                .quantity, member, title: title, groups: groups, everydayWords: words,
                units: .init(canonical: unit, metric: metric, us: us, uk: uk), aggregation: .cumulative))
    }

    /// Declares a quantity whose samples are averaged.
    static func discrete(
        _ unit: String, metric: String? = nil, us: String? = nil, uk: String? = nil,
        style: AggregationStyle = .discreteArithmetic, _ groups: SampleTypeGroup..., title: String? = nil,
        identifier: String? = nil, also words: String..., member: String = #function
    ) -> Self {
        Self(
            known: KnownType(
                .quantity, member, identifier: identifier, title: title, groups: groups,
                everydayWords: words, units: .init(canonical: unit, metric: metric, us: us, uk: uk),
                aggregation: style))
    }

    /// Declares a nutrient, which is measured in grams, with the unit that people use.
    static func nutrient(
        _ unit: String? = nil, title: String? = nil, also words: String..., member: String = #function
    ) -> Self {
        Self(
            known: KnownType(
                .quantity, member, title: title, groups: [.nutrition], everydayWords: words,
                units: .init(canonical: "g", metric: unit, us: nil, uk: nil), aggregation: .cumulative))
    }
}

extension CategoryTypeNames {
    /// Declares a category; if no values are given, its samples only record that something happened.
    static func category(
        _ groups: SampleTypeGroup..., values: CategoryValues = .notApplicable, title: String? = nil,
        identifier: String? = nil, also words: String..., member: String = #function
    ) -> Self {
        Self(
            known: KnownType(
                .category, member, identifier: identifier, title: title, groups: groups,
                everydayWords: words, values: values))
    }

    /// Declares a symptom.
    static func symptom(
        _ values: CategoryValues = .severity, title: String? = nil, member: String = #function
    ) -> Self {
        category(.symptoms, values: values, title: title, member: member)
    }
}

extension CorrelationTypeNames {
    /// Declares a correlation of quantities.
    static func correlation(
        _ groups: SampleTypeGroup..., title: String? = nil, also words: String..., members: [KnownType],
        member: String = #function
    ) -> Self {
        Self(
            known: KnownType(
                .correlation, member, title: title, groups: groups, everydayWords: words, members: members))
    }
}

extension ClinicalTypeNames {
    /// Declares a type of clinical record.
    static func clinical(title: String, member: String = #function) -> Self {
        Self(known: KnownType(.clinical, member, title: title))
    }
}

extension CharacteristicTypeNames {
    /// Declares a characteristic.
    static func characteristic(title: String? = nil, member: String = #function) -> Self {
        Self(known: KnownType(.characteristic, member, title: title))
    }
}

extension SpecialTypeNames {
    /// Declares a type by its whole identifier.
    static func special(
        _ identifier: String, _ groups: SampleTypeGroup..., title: String? = nil, also words: String...,
        member: String = #function
    ) -> Self {
        Self(
            known: KnownType(
                .other, member, identifier: identifier, title: title, groups: groups, everydayWords: words))
    }
}
