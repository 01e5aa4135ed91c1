import HealthModel

/// The codes that the program knows, by the short names of types.
enum FHIRCodes: Sendable {
    /// The codes of one type.
    struct Codes: Sendable {
        let codings: [FHIRCoding]
        let category: String?
        let profile: String?

        init(_ codings: [FHIRCoding], category: String? = nil, profile: String? = nil) {
            self.codings = codings
            self.category = category
            self.profile = profile
        }

        fileprivate static func loinc(
            _ code: String, _ display: String, category: String? = nil
        ) -> Codes {
            Codes([.loinc(code, display)], category: category)
        }

        /// A vital sign, whose profile demands the category.
        fileprivate static func vital(_ codings: [FHIRCoding], _ profile: String? = nil) -> Codes {
            Codes(codings, category: "vital-signs", profile: profile)
        }
    }

    /// The start of the addresses of the profiles in FHIR R4.
    static let profiles = "http://hl7.org/fhir/StructureDefinition/"

    /// The types of the group of activities.
    static let activityTypes = Set(SampleTypeGroup.activity.types)

    static let byType: [String: Codes] = [
        // Vital signs (http://hl7.org/fhir/R4/observation-vitalsigns.html).
        "heartRate": .vital([.loinc("8867-4", "Heart rate")], "heartrate"),
        "respiratoryRate": .vital([.loinc("9279-1", "Respiratory rate")], "resprate"),
        "oxygenSaturation": .vital(
            [
                .loinc("2708-6", "Oxygen saturation in Arterial blood"),
                .loinc("59408-5", "Oxygen saturation in Arterial blood by Pulse oximetry"),
            ], "oxygensat"),
        "bodyTemperature": .vital([.loinc("8310-5", "Body temperature")], "bodytemp"),
        "height": .vital([.loinc("8302-2", "Body height")], "bodyheight"),
        "bodyMass": .vital([.loinc("29463-7", "Body weight")], "bodyweight"),
        "bodyMassIndex": .vital([.loinc("39156-5", "Body mass index (BMI) [Ratio]")], "bmi"),
        "bloodPressure": .vital(
            [.loinc("85354-9", "Blood pressure panel with all children optional")], "bp"),
        "bloodPressureSystolic": .vital([.loinc("8480-6", "Systolic blood pressure")]),
        "bloodPressureDiastolic": .vital([.loinc("8462-4", "Diastolic blood pressure")]),
        "restingHeartRate": .vital([.loinc("40443-4", "Heart rate --resting")]),
        // Other measurements.
        "activeEnergyBurned": .loinc("41981-2", "Calories burned", category: "activity"),
        "bloodGlucose": .loinc("41653-7", "Glucose [Mass/volume] in Capillary blood by Glucometer"),
        "bodyFatPercentage": .loinc("41982-0", "Percentage of body fat Measured"),
        "dietaryEnergyConsumed": .loinc("9052-2", "Calorie intake total"),
        "distanceSwimming": .loinc("93816-7", "Swimming distance unspecified time", category: "activity"),
        "flightsClimbed": .loinc(
            "100304-5", "Flights climbed [#] Reporting Period", category: "activity"),
        "forcedExpiratoryVolume1": .loinc("20150-9", "FEV1"),
        "forcedVitalCapacity": .loinc("19870-5", "Forced vital capacity [Volume] Respiratory system"),
        "heartRateVariabilitySDNN": .loinc(
            "80404-7", "R-R interval.standard deviation (Heart rate variability)"),
        "leanBodyMass": .loinc("91557-9", "Lean body weight"),
        "peakExpiratoryFlowRate": .loinc(
            "19935-6", "Maximum expiratory gas flow Respiratory system airway by Peak flow meter"),
        "peripheralPerfusionIndex": .loinc("61006-3", "Perfusion index Tissue by Pulse oximetry"),
        "pushCount": .loinc(
            "96502-0", "Number of wheelchair pushes per time period", category: "activity"),
        "stepCount": .loinc(
            "55423-8", "Number of steps in unspecified time Pedometer", category: "activity"),
        "waistCircumference": .loinc("8280-0", "Waist Circumference at umbilicus by Tape measure"),
        // Other samples.
        "food": .loinc("80453-4", "Food intake panel"),
        "workout": .loinc("73985-4", "Exercise activity", category: "activity"),
        "electrocardiogram": Codes(
            [FHIRCoding(system: FHIRCoding.deviceCodeSystem, code: "131328", display: "MDC_ECG_ELEC_POTL")],
            category: "procedure"),
        "stateOfMind": Codes([], category: "survey"),
        "gAD7": .loinc(
            "70274-6", "Generalized anxiety disorder 7 item (GAD-7) total score [Reported.PHQ]",
            category: "survey"),
        "pHQ9": .loinc(
            "44261-6", "Patient Health Questionnaire 9 item (PHQ-9) total score [Reported]",
            category: "survey"),
        "sleepAnalysis": Codes([], category: "activity"),
        "audiogram": Codes([], category: "exam"),
    ]

    /// Returns the unit of a type; nil for HealthKit's own.
    static func unit(of name: String) -> FHIRUnit? { units[name] }

    private static let units: [String: FHIRUnit] = {
        var units: [String: FHIRUnit] = [:]
        func set(_ unit: HealthUnit, code: String? = nil, name: String? = nil, _ types: String) {
            for type in types.split(separator: " ") {
                units[String(type)] = FHIRUnit(unit, code: code, name: name)
            }
        }
        // HealthKit's own unit of all nutrients is the gram.
        set(
            .gram(.micro), name: "µg",
            "dietaryBiotin dietaryChromium dietaryCopper dietaryFolate dietaryIodine")
        set(.gram(.micro), name: "µg", "dietaryMolybdenum dietarySelenium dietaryVitaminA dietaryVitaminB12")
        set(.gram(.micro), name: "µg", "dietaryVitaminD dietaryVitaminK")
        set(.gram(.milli), "dietaryCaffeine dietaryCalcium dietaryChloride dietaryCholesterol dietaryIron")
        set(.gram(.milli), "dietaryMagnesium dietaryManganese dietaryNiacin dietaryPantothenicAcid")
        set(
            .gram(.milli), "dietaryPhosphorus dietaryPotassium dietaryRiboflavin dietarySodium dietaryThiamin"
        )
        set(.gram(.milli), "dietaryVitaminB6 dietaryVitaminC dietaryVitaminE dietaryZinc")
        set(.liter(), "dietaryWater")
        // Rates are written per minute, whatever HealthKit's own unit is.
        let rate = HealthUnit.count / .minute
        set(rate, name: "beats/minute", "heartRate restingHeartRate walkingHeartRateAverage")
        set(rate, name: "beats/minute", "heartRateRecoveryOneMinute")
        set(rate, name: "breaths/minute", "respiratoryRate")
        set(rate, name: "revolutions/minute", "cyclingCadence")
        // The profiles of vital signs allow these, but not metres.
        set(.meter(.centi), "height waistCircumference")
        set(.gram(.kilo), "bodyMass leanBodyMass")
        // HealthKit's body mass index has no dimension.
        set(.count, code: "kg/m2", name: "kg/m2", "bodyMassIndex")
        set(.meter(.kilo) / .hour, "cyclingSpeed runningSpeed")
        set(.meter(), "runningVerticalOscillation")
        for (name, types) in [
            ("steps", "stepCount"), ("flights", "flightsClimbed"), ("pushes", "pushCount"),
            ("strokes", "swimmingStrokeCount"), ("falls", "numberOfTimesFallen"),
            ("beverages", "numberOfAlcoholicBeverages"), ("puffs", "inhalerUsage"),
        ] { set(.count, name: name, types) }
        return units
    }()
}
