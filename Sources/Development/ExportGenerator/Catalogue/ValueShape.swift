/// The form of the values of a type or metadata key.
enum ValueShape {
    /// No value.
    case none

    case integer(ClosedRange<Int>)

    /// A number in a range of thousandths, with up to `digits` digits after the point.
    case decimal(ClosedRange<Int>, digits: Int)

    case text([String])

    /// The members of a category's enumeration.
    static func members(of enumeration: String, _ members: String...) -> ValueShape {
        .text(members.map { "HKCategoryValue" + enumeration + $0 })
    }

    /// The severity of a symptom.
    static let severity = members(of: "Severity", "Unspecified", "NotPresent", "Mild", "Moderate", "Severe")

    /// The value of categories that only state that something happened.
    static let notApplicable = ValueShape.text(["HKCategoryValueNotApplicable"])
}
