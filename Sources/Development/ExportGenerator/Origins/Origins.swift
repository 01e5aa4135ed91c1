/// The attributes that give the origin of a sample, prepared for every origin and period.
struct Origins: Sendable {
    private let editions: [[OriginEdition]]

    init(_ version: GeneratorOptions.DTDVersion) {
        editions = Origin.allCases.map { origin in
            (0..<OriginPeriod.count).map { index in
                OriginEdition(origin, OriginPeriod(index, lastYear: version.lastYear))
            }
        }
    }

    func edition(of origin: Origin, at instant: Int) -> OriginEdition {
        editions[origin.rawValue][OriginPeriod.index(at: instant)]
    }
}

/// One origin in one period: `sourceName`, `sourceVersion` and `device`, with a gap for the memory address.
struct OriginEdition: Sendable {
    private let head: [UInt8]
    private let tail: [UInt8]

    init(_ origin: Origin, _ period: OriginPeriod) {
        var head = ByteText()
        head.append(" sourceName=\"")
        head.append(escaped: origin.name)
        if let version = origin.version(period) { head.append("\" sourceVersion=\"\(version)") }
        var tail = ByteText()
        if let device = origin.device(period) {
            head.append("\" device=\"")
            head.append(escaped: "<<HKDevice: 0x")
            tail.append(escaped: ">, \(device)>")
            tail.append("\"")
        } else {
            head.append("\"")
        }
        self.head = head.bytes
        self.tail = tail.bytes
    }

    func append(address: DeviceAddress, to text: inout ByteText) {
        text.append(head)
        guard !tail.isEmpty else { return }
        address.append(to: &text)
        text.append(tail)
    }
}

/// The memory address of a device object at the time of the export: nine hexadecimal digits, six of them random.
struct DeviceAddress {
    private let value: UInt64

    init(from chance: inout SplitMix64) {
        value = 0x2_8000_0000 | (chance.next() >> 40) << 4
    }

    func append(to text: inout ByteText) {
        text.append(hexadecimal: value, digits: 9)
    }
}
