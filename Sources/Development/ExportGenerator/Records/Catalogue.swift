/// All record types that an export may contain, in the order in which it lists them.
///
/// Each row has a type, its unit (`-` for a category), its values, its weight, the year in which it was introduced,
/// its origins, the seconds from one record to the next and those that a record lasts, and its metadata; see
/// ``RecordProfile`` for what they mean. The weights follow public counts of real exports: heart rate, energy, steps,
/// distance and physical effort make up about three quarters. Blood pressure is missing here, because its records
/// occur again inside correlations. The sleep goal is neither a quantity nor a category.
enum Catalogue {
    /// Returns the types of a version; sleep has stages since iOS 16.
    static func profiles(_ context: ExportContext) -> [RecordProfile] {
        var profiles = table.split(separator: "\n").map { RecordProfile(row: String($0)) }
        for index in profiles.indices where profiles[index].type == "HKCategoryTypeIdentifierSleepAnalysis" {
            profiles[index].value = ValueShape(column: context.since(.v12, "SleepStage") ?? "SleepAnalysis")
            profiles[index].metadata = [MetadataTemplate("HKTimeZone", .text([context.home.name]))]
        }
        return profiles.filter { $0.since <= context.version.lastYear }
    }

    private static let table = """
        BodyMassIndex                      count     21000...26000/2         6 2014 scale           86400   0            scaleLink
        Height                             cm        171...172               1 2014 health          3600    0            userEntered
        BodyMass                           kg        64000...78000/2         9 2014 2*scale,health  86400   0            scaleLink createdAt
        BodyFatPercentage                  %         180...260/3             6 2014 scale           86400   0            scaleLink
        LeanBodyMass                       kg        50000...58000/2         5 2014 scale           86400   0            scaleLink
        WaistCircumference                 cm        78...92                 1 2017 health          3600    0            userEntered
        BodyTemperature                    degC      36100...39200/1         2 2014 meter           14400   0            sensorLocation
        BasalBodyTemperature               degC      36100...37200/2         2 2014 health          86400   0            userEntered
        AppleSleepingWristTemperature      degC      34000...37000/4         4 2022 watch           86400   21600...32400 algorithmVersion
        BloodGlucose                       mmol<180.1558800000541>/L 3900...11000/1         20 2014 2*meter,health  900     0            mealTime meal
        InsulinDelivery                    IU        500...8000/2            4 2017 meter           14400   0            insulinReason pumpEvent
        InhalerUsage                       count     1...2                   1 2014 health          3600    0            userEntered
        HeartRate                          count/min 47...176             2300 2015 7*watch,meter   290     0            motionContext
        OxygenSaturation                   %         910...1000/2           90 2014 watch           1800    0            pressure
        RespiratoryRate                    count/min 11000...21000/1       110 2017 watch           900     0...180
        RestingHeartRate                   count/min 48...66                14 2017 watch           86400   60000...86000
        WalkingHeartRateAverage            count/min 88000...124000/1       14 2017 watch           86400   30000...50000
        VO2Max                             mL/min·kg 31000...48000/4         4 2017 watch           345600  0            testOfVO2Max
        HeartRateRecoveryOneMinute         count/min 15000...45000/13        4 2022 watch           345600  0            recoveryTest recoveryRate recoveryActivity
        AtrialFibrillationBurden           %         10...40/3               2 2022 watch           604800  604800
        HeartRateVariabilitySDNN           ms        14000...120000/4      170 2017 watch           7200    55...65      algorithmVersion heartbeats
        StepCount                          count     3...940               950 2014 phone,watch     420     20...600
        DistanceWalkingRunning             km        2...720/13           1050 2014 phone,watch     420     20...600
        BasalEnergyBurned                  kcal      900...24000/3        1300 2015 watch           900     600...1200
        ActiveEnergyBurned                 kcal      20...9000/3          1900 2015 watch           160     20...180
        PhysicalEffort                     kcal/hr·kg 1000...9000/1         900 2023 watch           240     60...300     effortEstimation
        FlightsClimbed                     count     1...12                 70 2014 2*phone,watch   5400    10...600
        AppleExerciseTime                  min       1                     130 2016 watch           60      60
        AppleStandTime                     min       1...5                 220 2019 watch           900     300
        AppleMoveTime                      min       1                       5 2021 watch           60      60
        DistanceCycling                    km        5...420/13             70 2014 watch,phone     60      10...60
        DistanceSwimming                   m         20000...50000/1         8 2016 watch           60      20...60
        SwimmingStrokeCount                count     8...40                  8 2016 watch           60      20...60      strokeStyle
        DistanceDownhillSnowSports         m         200000...2900000/2      2 2017 watch           900     60...600
        DietaryEnergyConsumed              kcal      80000...900000/1        6 2014 diary           14400   0            food meal tags
        DietaryCarbohydrates               g         2000...90000/2          3 2014 diary           14400   0            food meal tags
        DietaryFatTotal                    g         500...40000/2           3 2014 diary           14400   0            food meal tags
        DietaryFatSaturated                g         100...12000/2           3 2014 diary           14400   0            food meal tags
        DietaryProtein                     g         500...45000/2           3 2014 diary           14400   0            food meal tags
        DietarySugar                       g         100...40000/2           3 2014 diary           14400   0            food meal tags
        DietaryFiber                       g         100...9000/2            3 2014 diary           14400   0            food meal tags
        DietarySodium                      mg        5000...900000/14        3 2014 diary           14400   0            food meal tags
        DietaryPotassium                   mg        20000...700000/14       3 2014 diary           14400   0            food meal tags
        DietaryCalcium                     mg        10000...400000/1        3 2014 diary           14400   0            food meal tags
        DietaryCholesterol                 mg        1000...200000/1         3 2014 diary           14400   0            food meal tags
        DietaryVitaminC                    mg        500...90000/1           3 2014 diary           14400   0            food meal tags
        DietaryCaffeine                    mg        30000...190000/1        3 2014 diary           14400   0            food meal tags
        DietaryWater                       mL        100...750               8 2015 diary           7200    0
        WalkingSpeed                       km/hr     2400...6100/3          90 2020 phone           1800    3...40
        WalkingStepLength                  cm        52...84                80 2020 phone           1800    3...40
        WalkingDoubleSupportPercentage     %         230...340/3            70 2020 phone           1800    3...40       calibrated
        WalkingAsymmetryPercentage         %         0...180/2              45 2020 phone           3600    60...600     placementSide
        StairAscentSpeed                   m/s       200...620/14           35 2020 watch           5400    3...20
        StairDescentSpeed                  m/s       200...720/14           35 2020 watch           5400    3...20
        SixMinuteWalkTestDistance          m         420...500               1 2020 watch           604800  0            calibrated
        AppleWalkingSteadiness             %         820...1000/14           2 2021 phone           604800  604800       earliestData
        NumberOfTimesFallen                count     1                       1 2014 health          3600    0            userEntered
        RunningSpeed                       km/hr     7500...14000/4         80 2022 watch           3       2...3
        RunningPower                       W         160...320              80 2022 watch           3       2...3
        RunningStrideLength                m         700...1250/2           40 2022 watch           8       2...12
        RunningVerticalOscillation         cm        7000...11000/1         40 2022 watch           8       2...12
        RunningGroundContactTime           ms        210...310              40 2022 watch           8       2...12
        CyclingSpeed                       km/hr     9000...38000/4         35 2023 watch           5       4...5
        CyclingPower                       W         60...380               25 2023 meter           1       0
        CyclingCadence                     count/min 58...104               25 2023 meter           1       0
        WorkoutEffortScore                 appleEffortScore 1...9                   2 2024 health          86400   1800...5400  userEntered
        EstimatedWorkoutEffortScore        appleEffortScore 2...8                   2 2024 watch           86400   1800...5400
        EnvironmentalAudioExposure         dBASPL    38000...92000/4       260 2019 watch           1800    600...1800
        HeadphoneAudioExposure             dBASPL    48000...88000/4       160 2019 phone           300     60...1200    syntheticExposure
        EnvironmentalSoundReduction        dBASPL    8000...27000/4         12 2022 phone           1800    600...1800
        TimeInDaylight                     min       1...5                  45 2023 watch           600     300          lightIntensity
        UnderwaterDepth                    m         200...12000/14          3 2022 watch           3       1...3
        WaterTemperature                   degC      14000...27000/2         2 2022 watch           60      0            waterSalinity
        SleepAnalysis                      -         -                     180 2014 3*watch,phone   1500    300...2700   night
        AppleSleepingBreathingDisturbances count     200...9000/4            4 2024 watch           86400   21600...32400 night
        HKDataTypeSleepDurationGoal        -         -                       1 2020 health          2592000 0
        AppleStandHour                     -         AppleStandHour        110 2015 watch           3600    3600
        MindfulSession                     -         -                       6 2016 watch,diary     43200   60...600
        HandwashingEvent                   -         NotApplicable          12 2020 watch           7200    4...25
        ToothbrushingEvent                 -         NotApplicable           3 2019 diary           43200   90...150
        EnvironmentalAudioExposureEvent    -         EnvironmentalAudioExposureEvent    1 2020 watch           3600    180          exposureLevel
        HeadphoneAudioExposureEvent        -         HeadphoneAudioExposureEvent    1 2020 phone           3600    604800
        HighHeartRateEvent                 -         NotApplicable           1 2018 watch           3600    600...900    highThreshold
        LowHeartRateEvent                  -         NotApplicable           1 2018 watch           3600    600...900    lowThreshold
        MenstrualFlow                      -         MenstrualFlow           3 2015 health          86400   0            cycleStart userEntered
        OvulationTestResult                -         OvulationTestResult     1 2015 health          3600    0            userEntered
        CervicalMucusQuality               -         CervicalMucusQuality    1 2015 health          3600    0            userEntered
        Headache                           -         Severity                2 2020 health,diary    43200   0...43200    userEntered
        Fatigue                            -         Severity                2 2020 health,diary    43200   0...43200    userEntered
        Fever                              -         Severity                2 2020 health,diary    43200   0...43200    userEntered
        Coughing                           -         Severity                2 2020 health,diary    43200   0...43200    userEntered
        SoreThroat                         -         Severity                2 2020 health,diary    43200   0...43200    userEntered
        Nausea                             -         Severity                2 2020 health,diary    43200   0...43200    userEntered
        LowerBackPain                      -         Severity                2 2020 health,diary    43200   0...43200    userEntered
        MoodChanges                        -         Presence                2 2020 health,diary    43200   0...43200    userEntered
        AppetiteChanges                    -         AppetiteChanges         2 2020 health,diary    43200   0...43200    userEntered
        """

    static let enumerations = [
        "AppetiteChanges": ["Unspecified", "NoChange", "Decreased", "Increased"],
        "AppleStandHour": ["Stood", "Idle"],
        "CervicalMucusQuality": ["Dry", "Sticky", "Creamy", "Watery", "EggWhite"],
        "EnvironmentalAudioExposureEvent": ["MomentaryLimit"],
        "HeadphoneAudioExposureEvent": ["SevenDayLimit"],
        "MenstrualFlow": ["Unspecified", "Light", "Medium", "Heavy", "None"],
        "OvulationTestResult": ["Negative", "LuteinizingHormoneSurge", "Indeterminate", "EstrogenSurge"],
        "Presence": ["Present", "NotPresent"],
        "SleepAnalysis": ["InBed", "Asleep", "Awake"],
        "SleepStage": [
            "InBed", "AsleepUnspecified", "Awake", "AsleepCore", "AsleepCore", "AsleepDeep", "AsleepREM",
        ],
        "Severity": ["Unspecified", "NotPresent", "Mild", "Moderate", "Severe"],
    ]

    /// The metadata that rows name: key, values, how often, and unit, in columns with two spaces between them.
    ///
    /// `1/4` is an entry of every fourth record, `1/3*2` two of every third. The last ones have keys and values as
    /// third-party apps write them: free text, with spaces and entities.
    static let metadata = Dictionary(
        uniqueKeysWithValues: """
            algorithmVersion   HKAlgorithmVersion                   2
            calibrated         HKAppleDeviceCalibrated              0...1                       1/4
            cycleStart         HKMenstrualCycleStart                0...1
            earliestData       HKDateOfEarliestDataUsedForEstimate  =2021-09-22 00:00:00 +0000
            effortEstimation   HKPhysicalEffortEstimationType       1...2
            exposureLevel      HKAudioExposureLevel                 90000...104000/4            1/1  dBASPL
            highThreshold      HKHeartRateEventThreshold            120                         1/1  count/min
            insulinReason      HKInsulinDeliveryReason              1...2
            lightIntensity     HKMaximumLightIntensity              900...64000                 1/1  lx
            lowThreshold       HKHeartRateEventThreshold            40                          1/1  count/min
            mealTime           HKBloodGlucoseMealTime               1...2                       1/3
            motionContext      HKMetadataKeyHeartRateMotionContext  0...2
            placementSide      HKDevicePlacementSide                0...2
            pressure           HKBarometricPressure                 95000...104000/9            1/2  cmHg
            recoveryActivity   HKHeartRateRecoveryActivityType      37...52
            recoveryRate       HKHeartRateRecoveryMaxObservedRecoveryHeartRate  110...170       1/1  count/min
            recoveryTest       HKHeartRateRecoveryTestType          2
            sensorLocation     HKBodyTemperatureSensorLocation      3...7
            strokeStyle        HKSwimmingStrokeStyle                0...5
            syntheticExposure  _HKPrivateSyntheticExposure          1                           1/20
            testOfVO2Max       HKVO2MaxTestType                     2
            userEntered        HKWasUserEntered                     1
            waterSalinity      HKWaterSalinity                      1...2
            createdAt          Created at                =2019-02-12 16:23:53 +0000; 2021-07-01 06:00:00 +0000
            food               HKFoodType                =Porridge; Soup & Salad; Burger "Synthetic"; \
            Protein > 20 g; Sugar < 1 g; Crème brûlée; Käsespätzle
            meal               Meal                      =Breakfast; Lunch; Dinner; Snacks & Sweets
            pumpEvent          com.example.pump.EventKey  100000...999999
            scaleLink          Scale Link                =https://scale.example.org/m?id=1&unit=kg
            tags               Tag                       =home; work; R&D canteen; <none>       1/3*2
            """.split(separator: "\n").map { row in
                let columns = row.split(separator: "  ").map { String($0.drop { $0 == " " }) }.filter {
                    !$0.isEmpty
                }
                return (columns[0], MetadataTemplate(columns: columns))
            })
}
