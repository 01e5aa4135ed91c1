extension CategoryValues {
    /// ``SleepAnalysisValue``.
    public static let sleepAnalysis = CategoryValues(SleepAnalysisValue.self)
    /// ``SeverityValue``.
    public static let severity = CategoryValues(SeverityValue.self)
    /// ``PresenceValue``.
    public static let presence = CategoryValues(PresenceValue.self)
    /// ``AppetiteChangesValue``.
    public static let appetiteChanges = CategoryValues(AppetiteChangesValue.self)
    /// ``MenstrualFlowValue``.
    public static let menstrualFlow = CategoryValues(MenstrualFlowValue.self)
    /// ``VaginalBleedingValue``.
    public static let vaginalBleeding = CategoryValues(VaginalBleedingValue.self)
    /// ``CervicalMucusQualityValue``.
    public static let cervicalMucusQuality = CategoryValues(CervicalMucusQualityValue.self)
    /// ``ContraceptiveValue``.
    public static let contraceptive = CategoryValues(ContraceptiveValue.self)
    /// ``OvulationTestResultValue``.
    public static let ovulationTestResult = CategoryValues(OvulationTestResultValue.self)
    /// ``PregnancyTestResultValue``.
    public static let pregnancyTestResult = CategoryValues(PregnancyTestResultValue.self)
    /// ``ProgesteroneTestResultValue``.
    public static let progesteroneTestResult = CategoryValues(ProgesteroneTestResultValue.self)
    /// ``NotApplicableValue``.
    public static let notApplicable = CategoryValues(NotApplicableValue.self)
    /// ``AppleStandHourValue``.
    public static let appleStandHour = CategoryValues(AppleStandHourValue.self)
    /// ``AppleWalkingSteadinessEventValue``.
    public static let appleWalkingSteadinessEvent = CategoryValues(AppleWalkingSteadinessEventValue.self)
    /// ``EnvironmentalAudioExposureEventValue``.
    public static let environmentalAudioExposureEvent = CategoryValues(
        EnvironmentalAudioExposureEventValue.self)
    /// ``HeadphoneAudioExposureEventValue``.
    public static let headphoneAudioExposureEvent = CategoryValues(HeadphoneAudioExposureEventValue.self)
    /// ``LowCardioFitnessEventValue``.
    public static let lowCardioFitnessEvent = CategoryValues(LowCardioFitnessEventValue.self)
}
