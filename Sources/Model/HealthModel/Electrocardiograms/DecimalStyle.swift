/// How a file writes numbers: with a point or a comma before the fraction, with or without groups.
///
/// A comma before three digits can be either, so a mark groups digits only in a file where one number has both marks:
/// `1,024.5`. Any other file with both marks is rejected rather than read a thousand times too large.
struct DecimalStyle: Sendable, Equatable {
    /// The mark before the fraction; nil until a number has one.
    var separator: Unicode.Scalar?
    /// Whether the other mark groups digits.
    var isGrouped = false

    /// Whether it is a mark that can come before a fraction.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool { scalar == "." || scalar == "," }
    /// The marks that only ever group digits: two non-breaking spaces, and the Swiss apostrophes.
    private static let spaces: Set<Unicode.Scalar> = ["\u{a0}", "\u{202f}", "'", "\u{2019}"]
    /// The hyphen and the minus sign.
    private static let minuses: Set<Unicode.Scalar> = ["-", "\u{2212}"]

    /// Whether it is a digit from 0 to 9.
    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// Returns the value of a single number in any style; nil if the text is not a number.
    static func number(_ text: Substring.UnicodeScalarView) -> Double? {
        var style = DecimalStyle()
        style.learn(from: text)
        return style.value(of: text)
    }

    /// Refines the style using another number of the file.
    mutating func learn(from number: Substring.UnicodeScalarView) {
        guard !isGrouped, let mark = number.last(where: { Self.isMark($0) }) else { return }
        let isGrouped = number.contains { $0 != mark && Self.isMark($0) }
        guard isGrouped || separator == nil else { return }
        let style = DecimalStyle(separator: mark, isGrouped: isGrouped)
        // Text that is not a number reveals nothing about the style.
        if style.value(of: number) != nil { self = style }
    }

    /// Returns a number times a power of ten, rounded once; nil if the text is not a number in this style.
    func value(of text: Substring.UnicodeScalarView, exponent: Int = 0) -> Double? {
        var rest = text
        var number = ""
        if let sign = rest.first, sign == "+" || Self.minuses.contains(sign) {
            if sign != "+" { number = "-" }
            rest = rest.dropFirst()
        }
        let whole = rest.prefix { $0 != separator }
        let fraction = rest[whole.endIndex...].dropFirst()
        let hasFraction = whole.endIndex != rest.endIndex
        guard let digits = integer(whole), !(whole.isEmpty && !hasFraction) else { return nil }
        number += digits
        if hasFraction {
            guard !fraction.isEmpty, fraction.allSatisfy(Self.isDigit) else { return nil }
            number += "." + String(fraction)
        }
        if exponent != 0 { number += "e\(exponent)" }
        return Double(number).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns the digits before the fraction without the marks between groups; `0` if there are no digits.
    private func integer(_ text: Substring.UnicodeScalarView) -> String? {
        if text.isEmpty { return "0" }
        if text.allSatisfy(Self.isDigit) { return String(text) }
        let groups = text.split(omittingEmptySubsequences: false) { scalar in
            Self.spaces.contains(scalar) || isGrouped && Self.isMark(scalar)
        }
        guard let first = groups.first, (1...3).contains(first.count),
            groups.dropFirst().allSatisfy({ $0.count == 3 }),
            groups.allSatisfy({ $0.allSatisfy(Self.isDigit) })
        else { return nil }
        return groups.map { String($0) }.joined()
    }
}
