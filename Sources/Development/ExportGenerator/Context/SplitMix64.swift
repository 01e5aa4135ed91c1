/// The generator's source of randomness: SplitMix64, after Steele, Lea and Flood, *Fast Splittable Pseudorandom
/// Number Generators* (OOPSLA 2014).
///
/// A counter increases by a fixed odd number, and a mixing function turns it into output. It is small, fast and the
/// same everywhere, and mixing a stream's number into the seed yields any number of independent sequences. It is not
/// suitable for secrets.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    /// The parts of an export that have their own sequences, so that each can be generated independently.
    enum Stream: UInt64 {
        case person, records, bloodPressure, workout, activitySummary, clinicalRecord, audiogram
        case visionPrescription, route, electrocardiogram, clinicalDocument, attachment
    }

    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// Creates the sequence of the `index`-th item of a stream.
    init(seed: UInt64, stream: Stream, index: Int) {
        var mixer = SplitMix64(seed: seed &+ stream.rawValue &* 0xD1B5_4A32_D192_ED03)
        state = mixer.next() &+ UInt64(truncatingIfNeeded: index) &* 0xABC9_8388_FB8F_AC03
        state = next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from zero up to, but not including, `bound`.
    package mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    package mutating func pick(from range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    package mutating func pick<Element>(from elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// Returns true once in `count` draws on average.
    package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

    /// Draws a number from a range of thousandths, with any number of digits.
    mutating func decimal(_ thousandths: ClosedRange<Int>, digits: Int) -> FixedPoint {
        FixedPoint(units: pick(from: FixedPoint.units(thousandths, digits: digits)), digits: digits)
    }

    /// Draws the memory address of a device object: nine hexadecimal digits, six of them random.
    mutating func address() -> UInt64 { 0x2_8000_0000 | (next() >> 40) << 4 }

    /// Draws an identifier, written like Apple's UUIDs in capital letters: version 4, variant 1 (RFC 9562, section 5.4).
    mutating func identifier() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        var text = ByteText()
        for (bits, digits) in [(high >> 32, 8), (high >> 16, 4), (high, 4), (low >> 48, 4), (low, 12)] {
            if text.count > 0 { text.append("-") }
            text.append(hexadecimal: bits, digits: digits, tenth: UInt8(ascii: "A"))
        }
        return String(decoding: text.bytes, as: UTF8.self)
    }
}
