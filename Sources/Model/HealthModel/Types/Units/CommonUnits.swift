// Tests check that every text here is a unit; a typo would stop the program at its first use.
extension HealthUnit {
    private static func atom(
        _ name: String, _ prefix: MetricPrefix? = nil, molarMass: Double? = nil
    ) -> HealthUnit {
        guard let symbol = UnitSymbol.bySpelling[name] else { preconditionFailure("no unit \(name)") }
        return HealthUnit(UnitAtom(symbol: symbol, prefix: prefix, molarMass: molarMass))
    }

    /// A number of things.
    public static var count: HealthUnit { atom("count") }
    /// A fraction from 0 to 1, as in HealthKit: 0.97 % means 97 out of a hundred.
    public static var percent: HealthUnit { atom("%") }

    /// Gram.
    public static func gram(_ prefix: MetricPrefix? = nil) -> HealthUnit { atom("g", prefix) }
    /// Avoirdupois ounce, 28.349523125 g.
    public static var ounce: HealthUnit { atom("oz") }
    /// Avoirdupois pound, 16 ounces.
    public static var pound: HealthUnit { atom("lb") }
    /// Stone, 14 pounds.
    public static var stone: HealthUnit { atom("st") }
    /// Amount of substance.
    public static func mole(_ prefix: MetricPrefix? = nil) -> HealthUnit { atom("mol", prefix) }
    /// Amount of a substance with this molar mass, which is compatible with units of mass.
    public static func mole(_ prefix: MetricPrefix? = nil, gramsPerMole: Double) -> HealthUnit {
        atom("mol", prefix, molarMass: gramsPerMole)
    }
    /// Grams per mole of glucose, for blood glucose in mmol/L.
    public static let glucoseMolarMass = 180.15588000005408

    /// Metre.
    public static func meter(_ prefix: MetricPrefix? = nil) -> HealthUnit { atom("m", prefix) }
    /// Inch, 2.54 cm.
    public static var inch: HealthUnit { atom("in") }
    /// Foot, 12 inches.
    public static var foot: HealthUnit { atom("ft") }
    /// Yard, 3 feet.
    public static var yard: HealthUnit { atom("yd") }
    /// Mile, 1,760 yards.
    public static var mile: HealthUnit { atom("mi") }

    /// Litre.
    public static func liter(_ prefix: MetricPrefix? = nil) -> HealthUnit { atom("L", prefix) }
    /// US fluid ounce, 29.5735295625 mL.
    public static var fluidOunceUS: HealthUnit { atom("fl_oz_us") }
    /// Imperial fluid ounce, 28.4130625 mL.
    public static var fluidOunceImperial: HealthUnit { atom("fl_oz_imp") }
    /// US cup, 8 fluid ounces.
    public static var cupUS: HealthUnit { atom("cup_us") }
    /// Imperial cup, 10 fluid ounces.
    public static var cupImperial: HealthUnit { atom("cup_imp") }
    /// US liquid pint, 16 fluid ounces.
    public static var pintUS: HealthUnit { atom("pt_us") }
    /// Imperial pint, 20 fluid ounces.
    public static var pintImperial: HealthUnit { atom("pt_imp") }

    /// Second.
    public static func second(_ prefix: MetricPrefix? = nil) -> HealthUnit { atom("s", prefix) }
    /// 60 seconds.
    public static var minute: HealthUnit { atom("min") }
    /// 60 minutes.
    public static var hour: HealthUnit { atom("hr") }
    /// 24 hours.
    public static var day: HealthUnit { atom("d") }

    /// Joule.
    public static func joule(_ prefix: MetricPrefix? = nil) -> HealthUnit { atom("J", prefix) }
    /// Calorie, 4.184 J.
    public static var smallCalorie: HealthUnit { atom("cal") }
    /// Kilocalorie, 4,184 J.
    public static var kilocalorie: HealthUnit { atom("kcal") }
    /// Food calorie, a kilocalorie.
    public static var largeCalorie: HealthUnit { atom("Cal") }
    /// Watt.
    public static func watt(_ prefix: MetricPrefix? = nil) -> HealthUnit { atom("W", prefix) }

    /// Degree Celsius.
    public static var degreeCelsius: HealthUnit { atom("degC") }
    /// Degree Fahrenheit.
    public static var degreeFahrenheit: HealthUnit { atom("degF") }
    /// Kelvin.
    public static func kelvin(_ prefix: MetricPrefix? = nil) -> HealthUnit { atom("K", prefix) }

    /// Pascal.
    public static func pascal(_ prefix: MetricPrefix? = nil) -> HealthUnit { atom("Pa", prefix) }
    /// Millimetre of mercury, 133.322387415 Pa.
    public static var millimeterOfMercury: HealthUnit { atom("mmHg") }
    /// Inch of mercury, 3386.38816 Pa.
    public static var inchOfMercury: HealthUnit { atom("inHg") }
    /// Centimetre of water, 98.0665 Pa.
    public static var centimeterOfWater: HealthUnit { atom("cmAq") }
    /// Standard atmosphere, 101,325 Pa.
    public static var atmosphere: HealthUnit { atom("atm") }

    /// A-weighted sound pressure level in decibels.
    public static var decibelAWeightedSoundPressureLevel: HealthUnit { atom("dBASPL") }
    /// Hearing level in decibels.
    public static var decibelHearingLevel: HealthUnit { atom("dBHL") }
    /// Hertz.
    public static func hertz(_ prefix: MetricPrefix? = nil) -> HealthUnit { atom("Hz", prefix) }
    /// Siemens.
    public static func siemens(_ prefix: MetricPrefix? = nil) -> HealthUnit { atom("S", prefix) }
    /// Volt.
    public static func volt(_ prefix: MetricPrefix? = nil) -> HealthUnit { atom("V", prefix) }
    /// Lux.
    public static func lux(_ prefix: MetricPrefix? = nil) -> HealthUnit { atom("lx", prefix) }
    /// Radian.
    public static func radian(_ prefix: MetricPrefix? = nil) -> HealthUnit { atom("rad", prefix) }
    /// Degree of arc.
    public static var degreeOfAngle: HealthUnit { atom("deg") }
    /// Dioptre, the power of a lens.
    public static var diopter: HealthUnit { atom("D") }
    /// Prism dioptre.
    public static var prismDiopter: HealthUnit { atom("pD") }
    /// International unit of a substance.
    public static var internationalUnit: HealthUnit { atom("IU") }
    /// Apple's effort score, from 0 to 10.
    public static var appleEffortScore: HealthUnit { atom("appleEffortScore") }
}
