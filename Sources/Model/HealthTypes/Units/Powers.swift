/// A product of powers with non-zero exponents, of units or of base quantities.
struct Powers<Base: Hashable & Sendable>: Sendable, Hashable {
    private(set) var exponents: [Base: Int] = [:]

    init() {}

    init(_ base: Base) { exponents = [base: 1] }

    init(_ exponents: [Base: Int]) { self.exponents = exponents.filter { $0.value != 0 } }

    /// Multiplies by a power of another product.
    mutating func multiply(by other: Powers, power: Int) {
        for (base, exponent) in other.exponents {
            let sum = exponents[base, default: 0] + exponent * power
            exponents[base] = sum == 0 ? nil : sum
        }
    }
}
