import HealthModel
import Testing

@Suite("Units")
struct UnitTests {
    @Test(
        "are the same however they are written",
        arguments: [
            ("m/s^2", "m·s^-2"), ("m·1/s", "m/s"), ("m^0", "()"), ("(m^2)^2", "m^4"), ("m*m", "m·m"),
            ("m.m", "m^2"),
            ("m^4·atm^2·GL/in^2", "(m^2·atm)^2·GL/in^2"), ("", "(())"), ("", "()"), ("1", ""), ("l", "L"),
            ("ml", "mL"),
            ("kcal/hr·kg", "kcal/(kg*hr)"), ("mL/min·kg", "ml/(kg*min)"), ("s^-1", "1/s"), ("m/m", ""),
            ("(m)", "m"), ("((m·s))^2/K", "m^2·s^2·K^-1"),
        ])
    func equal(one: String, other: String) throws {
        #expect(try HealthUnit(one) == HealthUnit(other))
        #expect(try HealthUnit(one).hashValue == HealthUnit(other).hashValue)
    }

    @Test(
        "that are no units are refused",
        arguments: [
            "(", ")", "()·()", "()·m", "m·()", "(m)(m)", "m(m)", "()^2", "/s", "m/", "m/s/s", "m^2^2",
            "(m·atm/in^4)^2", "percent", "km<123>", "mol<>", "mol<-1>", "mol<nan>", "mol<1", "m^", "m^x",
            "m^1000", " m", "(m^50)^2", "((m^99)^99)^99",
            String(repeating: "(", count: 12) + "m^99" + String(repeating: ")^99", count: 12),
            "m s", "kmin", "mlb", "M", "·m", "m··s", "\u{0}", "mol<1><2>",
            String(repeating: "(", count: 100_000),
            String(repeating: "(", count: 40) + "m" + String(repeating: ")", count: 40),
        ])
    func refused(text: String) { #expect(throws: HealthTypesError.self) { try HealthUnit(text) } }

    @Test("are written for people without the masses of their moles")
    func shown() throws {
        #expect(try HealthUnit("mmol<180.15588>/L").shownText == "mmol/L")
        #expect(try HealthUnit("mol<2>·mol<3>/dL").shownText == "mol·mol/dL")
        #expect(HealthUnit.shownText(of: "a<b>c<d") == "ac<d" && HealthUnit.shownText(of: "") == "")
    }

    @Test(
        "are compatible where they measure the same",
        arguments: [
            ("%", "count"), ("", "count"), ("L", "m^3"), ("W", "J/s"), ("mol<2>", "mol<3>"), ("mol<2>", "g"),
            ("mg/dL", "mmol<180.15588>/L"), ("count/min", "Hz"), ("kcal/hr·kg", "W/kg"), ("degC", "K"),
            ("deg", "rad"),
            ("Cal", "kJ"), ("Pa", "kg/m·s^2"), ("V^2·S", "W"),
        ])
    func compatible(one: String, other: String) throws {
        let (one, other) = (try HealthUnit(one), try HealthUnit(other))
        #expect(one.isCompatible(with: other) && other.isCompatible(with: one))
    }

    @Test(
        "are not compatible where they measure something else",
        arguments: [
            ("m", "g"), ("mol", "mol<2>"), ("mol", "g"), ("dBASPL", "dBHL"), ("IU", "count"), ("D", "1/m"),
            ("D", "pD"),
            ("m", "m^2"), ("s", "1/s"), ("rad", "count"), ("appleEffortScore", "count"),
        ])
    func incompatible(one: String, other: String) throws {
        let (one, other) = (try HealthUnit(one), try HealthUnit(other))
        #expect(!one.isCompatible(with: other) && one.conversion(to: other) == nil)
        #expect(Quantity(1, one).value(in: other) == nil)
    }

    @Test(
        "convert",
        arguments: [
            (187, "cm", 1.87, "m"), (27, "degC", 80.6, "degF"), (1, "oz", 28.349523125, "g"),
            (1, "m^3", 1000, "L"),
            (2, "mol<18.02>", 36.04, "g"), (1.1, "degC·m", 1.98, "degF·m"), (1, "kcal", 4184, "J"),
            (1, "Cal", 1, "kcal"),
            (1, "cal", 4.184, "J"), (1, "mmHg", 133.322387415, "Pa"), (1, "cmAq", 98.0665, "Pa"),
            (1, "inHg", 3386.38816, "Pa"), (1, "mi", 1609.344, "m"), (1, "yd", 0.9144, "m"),
            (1, "fl_oz_us", 29.5735295625, "mL"), (0, "degF", 255.372222222222, "K"),
            (72, "count/min", 1.2, "count/s"),
            (0.97, "count", 0.97, "%"), (5, "mmol<180.15588>/L", 90.07794, "mg/dL"),
            (1, "lb", 0.45359237, "kg"),
            (14, "lb", 1, "st"), (1, "pt_us", 2, "cup_us"), (1, "pt_imp", 20, "fl_oz_imp"),
            (1, "cup_imp", 10, "fl_oz_imp"),
            (1, "km/hr", 0.277777777777778, "m/s"), (180, "deg", 3.14159265358979, "rad"),
            (36, "MJ", 10, "kW·hr"),
            (5, "mcg", 5000, "ng"), (1, "dag", 10, "g"), (1, "hPa", 100, "Pa"), (1, "TL", 1e9, "m^3"),
        ] as [(Double, String, Double, String)])
    func conversions(value: Double, unit: String, expected: Double, other: String) throws {
        let quantity = Quantity(value, try HealthUnit(unit))
        let found = try #require(quantity.value(in: HealthUnit(other)))
        #expect(abs(found - expected) <= 1e-12 * max(1, abs(expected)), "\(found)")
        let back = try #require(Quantity(found, HealthUnit(other)).value(in: quantity.unit))
        #expect(abs(back - value) <= 1e-12 * max(1, abs(value)), "\(back)")
    }

    @Test("multiply and divide")
    func operators() throws {
        #expect(HealthUnit.meter(.kilo) / .hour == (try HealthUnit("km/hr")))
        #expect(HealthUnit.kilocalorie / (.gram(.kilo) * .hour) == (try HealthUnit("kcal/hr·kg")))
        #expect(HealthUnit.second().reciprocal == (try HealthUnit("1/s")))
        #expect(
            HealthUnit.meter().raised(to: 2) == (try HealthUnit("m^2"))
                && HealthUnit.foot.raised(to: 0).isNull)
        #expect(
            HealthUnit.mole(.milli, gramsPerMole: 180.15588) / .liter()
                == (try HealthUnit("mmol<180.15588>/L")))
    }

    @Test(
        "are written as HealthKit writes them, and read again",
        arguments: [
            ("count/min", "count/min"), ("kcal/(kg*hr)", "kcal/hr·kg"), ("mL/min·kg", "mL/kg·min"),
            ("ml", "mL"),
            ("s^-2·m", "m/s^2"), ("()", ""), ("1/s", "1/s"), ("mmol<180.15588>/L", "mmol<180.15588>/L"),
            ("%", "%"),
        ])
    func description(text: String, expected: String) throws {
        let unit = try HealthUnit(text)
        #expect(unit.description == expected)
        #expect(try HealthUnit(unit.description) == unit)
    }

    @Test("all that have a name are there, and compatible with their kin")
    func names() throws {
        let kin: [[HealthUnit]] = [
            [.count, .percent, .null], [.gram(), .gram(.milli), .ounce, .pound, .stone],
            [.mole(), .mole(.milli)],
            [.meter(), .meter(.kilo), .inch, .foot, .yard, .mile],
            [.liter(), .fluidOunceUS, .fluidOunceImperial, .cupUS, .cupImperial, .pintUS, .pintImperial],
            [.second(), .second(.milli), .minute, .hour, .day],
            [.joule(), .smallCalorie, .kilocalorie, .largeCalorie], [.watt(), .watt(.kilo)],
            [.degreeCelsius, .degreeFahrenheit, .kelvin()],
            [.pascal(), .millimeterOfMercury, .inchOfMercury, .centimeterOfWater, .atmosphere],
            [.decibelAWeightedSoundPressureLevel], [.decibelHearingLevel], [.hertz(), .hertz(.kilo)],
            [.siemens()],
            [.volt(), .volt(.micro)], [.lux()], [.radian(), .degreeOfAngle], [.diopter], [.prismDiopter],
            [.internationalUnit], [.appleEffortScore],
        ]
        for (number, group) in kin.enumerated() {
            for (other, units) in kin.enumerated() {
                for unit in group {
                    #expect(units.allSatisfy { $0.isCompatible(with: unit) } == (number == other))
                    #expect(try HealthUnit(unit.description) == unit)
                }
            }
        }
    }

    @Test("a quantity keeps the text that it was written with")
    func quantities() throws {
        let quantity = try #require(Quantity("61.50", HealthUnit("count/min")))
        #expect(quantity.value == 61.5 && quantity.description == "61.50 count/min")
        #expect(quantity == Quantity(61.5, try HealthUnit("count/min")))
        #expect(quantity.converted(to: quantity.unit)?.text == "61.50")
        #expect(try quantity.converted(to: HealthUnit("count/s"))?.description == "1.025 count/s")
        #expect(
            Quantity("", .count) == nil && Quantity("n/a", .count) == nil && Quantity("inf", .count) == nil)
        #expect(try Quantity(parsing: "418 cm")?.value(in: HealthUnit("m")) == 4.18)
        #expect(Quantity(parsing: "4.52156 kcal/hr·kg")?.value == 4.52156)
        for text in ["418", "cm", "418 parsecs", " 1 cm", "1  cm", ""] {
            #expect(Quantity(parsing: text) == nil)
        }
    }
}
