/// Powers of bases, none of them 0: what a product of units, or of what they measure, consists of.
struct Powers<Base: Hashable & Sendable>: Sendable, Hashable {
    private(set) var exponents: [Base: Int] = [:]

    init() {}

    init(_ base: Base) { exponents = [base: 1] }

    init(_ exponents: [Base: Int]) { self.exponents = exponents.filter { $0.value != 0 } }

    /// Multiplies by a power of other powers.
    mutating func multiply(by other: Powers, power: Int) {
        for (base, exponent) in other.exponents {
            let sum = exponents[base, default: 0] + exponent * power
            exponents[base] = sum == 0 ? nil : sum
        }
    }
}
