// The titles of types, as the Health app and the command show them, and which quantities are added up.

const PREFIXES = ['HKQuantityTypeIdentifier', 'HKCategoryTypeIdentifier', 'HKCorrelationTypeIdentifier', 'HKDataTypeIdentifier',
  'HKCharacteristicTypeIdentifier', 'HKClinicalTypeIdentifier', 'HKDataType'];

/** Titles that are not the words of the identifier. */
const TITLES = new Map([
  ['HKQuantityTypeIdentifierStepCount', 'Steps'],
  ['HKQuantityTypeIdentifierDistanceWalkingRunning', 'Walking + Running Distance'],
  ['HKQuantityTypeIdentifierRunningGroundContactTime', 'Ground Contact Time'],
  ['HKQuantityTypeIdentifierRunningVerticalOscillation', 'Vertical Oscillation'],
  ['HKQuantityTypeIdentifierDistanceCycling', 'Cycling Distance'],
  ['HKQuantityTypeIdentifierPushCount', 'Pushes'],
  ['HKQuantityTypeIdentifierDistanceWheelchair', 'Wheelchair Distance'],
  ['HKQuantityTypeIdentifierSwimmingStrokeCount', 'Swimming Strokes'],
  ['HKQuantityTypeIdentifierDistanceSwimming', 'Swimming Distance'],
  ['HKQuantityTypeIdentifierDistanceDownhillSnowSports', 'Downhill Snow Sports Distance'],
  ['HKQuantityTypeIdentifierBasalEnergyBurned', 'Resting Energy'],
  ['HKQuantityTypeIdentifierActiveEnergyBurned', 'Active Energy'],
  ['HKQuantityTypeIdentifierAppleExerciseTime', 'Exercise Minutes'],
  ['HKQuantityTypeIdentifierAppleMoveTime', 'Move Minutes'],
  ['HKQuantityTypeIdentifierAppleStandTime', 'Stand Minutes'],
  ['HKQuantityTypeIdentifierVO2Max', 'Cardio Fitness'],
  ['HKQuantityTypeIdentifierBodyMass', 'Weight'],
  ['HKQuantityTypeIdentifierAppleSleepingWristTemperature', 'Wrist Temperature'],
  ['HKQuantityTypeIdentifierEnvironmentalAudioExposure', 'Environmental Sound Levels'],
  ['HKQuantityTypeIdentifierHeadphoneAudioExposure', 'Headphone Audio Levels'],
  ['HKQuantityTypeIdentifierHeartRateVariabilitySDNN', 'Heart Rate Variability'],
  ['HKQuantityTypeIdentifierHeartRateRecoveryOneMinute', 'Cardio Recovery'],
  ['HKQuantityTypeIdentifierAtrialFibrillationBurden', 'AFib History'],
  ['HKQuantityTypeIdentifierOxygenSaturation', 'Blood Oxygen'],
  ['HKQuantityTypeIdentifierBloodPressureDiastolic', 'Diastolic Blood Pressure'],
  ['HKQuantityTypeIdentifierBloodPressureSystolic', 'Systolic Blood Pressure'],
  ['HKQuantityTypeIdentifierForcedExpiratoryVolume1', 'Forced Expiratory Volume, 1 sec'],
  ['HKQuantityTypeIdentifierNumberOfTimesFallen', 'Number of Times Fallen'],
  ['HKQuantityTypeIdentifierDietaryCholesterol', 'Dietary Cholesterol'],
  ['HKQuantityTypeIdentifierDietaryEnergyConsumed', 'Dietary Energy'],
  ['HKQuantityTypeIdentifierDietaryFatMonounsaturated', 'Monounsaturated Fat'],
  ['HKQuantityTypeIdentifierDietaryFatPolyunsaturated', 'Polyunsaturated Fat'],
  ['HKQuantityTypeIdentifierDietaryFatSaturated', 'Saturated Fat'],
  ['HKQuantityTypeIdentifierDietaryFatTotal', 'Total Fat'],
  ['HKQuantityTypeIdentifierDietarySugar', 'Dietary Sugar'],
  ['HKQuantityTypeIdentifierNumberOfAlcoholicBeverages', 'Alcohol Consumption'],
  ['HKQuantityTypeIdentifierAppleWalkingSteadiness', 'Walking Steadiness'],
  ['HKQuantityTypeIdentifierSixMinuteWalkTestDistance', 'Six-Minute Walk'],
  ['HKQuantityTypeIdentifierWalkingAsymmetryPercentage', 'Walking Asymmetry'],
  ['HKQuantityTypeIdentifierWalkingDoubleSupportPercentage', 'Double Support Time'],
  ['HKQuantityTypeIdentifierStairAscentSpeed', 'Stair Speed: Up'],
  ['HKQuantityTypeIdentifierStairDescentSpeed', 'Stair Speed: Down'],
  ['HKQuantityTypeIdentifierUVExposure', 'UV Index'],
  ['HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances', 'Breathing Disturbances'],
  ['HKQuantityTypeIdentifierDistanceCrossCountrySkiing', 'Cross Country Skiing Distance'],
  ['HKQuantityTypeIdentifierDistancePaddleSports', 'Paddle Sports Distance'],
  ['HKQuantityTypeIdentifierDistanceRowing', 'Rowing Distance'],
  ['HKQuantityTypeIdentifierDistanceSkatingSports', 'Skating Sports Distance'],
  ['HKCategoryTypeIdentifierAppleStandHour', 'Stand Hours'],
  ['HKCategoryTypeIdentifierLowCardioFitnessEvent', 'Cardio Fitness Notifications'],
  ['HKCategoryTypeIdentifierMenstrualFlow', 'Menstruation'],
  ['HKCategoryTypeIdentifierIntermenstrualBleeding', 'Spotting'],
  ['HKCategoryTypeIdentifierInfrequentMenstrualCycles', 'Infrequent Periods'],
  ['HKCategoryTypeIdentifierIrregularMenstrualCycles', 'Irregular Cycles'],
  ['HKCategoryTypeIdentifierPersistentIntermenstrualBleeding', 'Persistent Spotting'],
  ['HKCategoryTypeIdentifierProlongedMenstrualPeriods', 'Prolonged Periods'],
  ['HKCategoryTypeIdentifierContraceptive', 'Contraceptives'],
  ['HKCategoryTypeIdentifierAudioExposureEvent', 'Noise Notifications'],
  ['HKCategoryTypeIdentifierHeadphoneAudioExposureEvent', 'Headphone Notifications'],
  ['HKCategoryTypeIdentifierLowHeartRateEvent', 'Low Heart Rate Notifications'],
  ['HKCategoryTypeIdentifierHighHeartRateEvent', 'High Heart Rate Notifications'],
  ['HKCategoryTypeIdentifierIrregularHeartRhythmEvent', 'Irregular Rhythm Notifications'],
  ['HKCategoryTypeIdentifierAppleWalkingSteadinessEvent', 'Walking Steadiness Notifications'],
  ['HKCategoryTypeIdentifierMindfulSession', 'Mindful Minutes'],
  ['HKCategoryTypeIdentifierSleepAnalysis', 'Sleep'],
  ['HKCategoryTypeIdentifierToothbrushingEvent', 'Toothbrushing'],
  ['HKCategoryTypeIdentifierHandwashingEvent', 'Handwashing'],
  ['HKCategoryTypeIdentifierGeneralizedBodyAche', 'Body and Muscle Ache'],
  ['HKCategoryTypeIdentifierChestTightnessOrPain', 'Chest Tightness or Pain'],
  ['HKCategoryTypeIdentifierRapidPoundingOrFlutteringHeartbeat', 'Rapid, Pounding, or Fluttering Heartbeat'],
  ['HKCategoryTypeIdentifierShortnessOfBreath', 'Shortness of Breath'],
  ['HKCategoryTypeIdentifierLossOfSmell', 'Loss of Smell'],
  ['HKCategoryTypeIdentifierLossOfTaste', 'Loss of Taste'],
  ['HKCategoryTypeIdentifierSinusCongestion', 'Congestion'],
  ['HKCategoryTypeIdentifierSleepApneaEvent', 'Sleep Apnea Notifications'],
  ['HKCorrelationTypeIdentifierFood', 'Nutrition'],
  ['HKClinicalTypeIdentifierAllergyRecord', 'Allergies'],
  ['HKClinicalTypeIdentifierClinicalNoteRecord', 'Clinical Notes'],
  ['HKClinicalTypeIdentifierConditionRecord', 'Conditions'],
  ['HKClinicalTypeIdentifierImmunizationRecord', 'Immunizations'],
  ['HKClinicalTypeIdentifierLabResultRecord', 'Lab Results'],
  ['HKClinicalTypeIdentifierMedicationRecord', 'Medications'],
  ['HKClinicalTypeIdentifierProcedureRecord', 'Procedures'],
  ['HKClinicalTypeIdentifierVitalSignRecord', 'Clinical Vitals'],
  ['HKClinicalTypeIdentifierCoverageRecord', 'Insurance'],
  ['HKCharacteristicTypeIdentifierActivityMoveMode', 'Move Mode Setting'],
  ['HKCharacteristicTypeIdentifierBiologicalSex', 'Sex'],
  ['HKCharacteristicTypeIdentifierDateOfBirth', 'Date of Birth'],
  ['HKCharacteristicTypeIdentifierWheelchairUse', 'Wheelchair'],
  ['HKWorkoutTypeIdentifier', 'Workout'],
  ['HKVisionPrescriptionTypeIdentifier', 'Vision Prescription'],
  ['HKDataTypeStateOfMind', 'State of Mind'],
  ['HKWorkoutRouteTypeIdentifier', 'Workout Route'],
  ['HKScoredAssessmentTypeIdentifierGAD7', 'GAD-7'],
  ['HKScoredAssessmentTypeIdentifierPHQ9', 'PHQ-9'],
]);

/** Quantities whose values add up in time, without their prefix. The others are averaged. */
const CUMULATIVE = new Set(`
  StepCount DistanceWalkingRunning DistanceCycling PushCount DistanceWheelchair SwimmingStrokeCount DistanceSwimming
  DistanceDownhillSnowSports BasalEnergyBurned ActiveEnergyBurned FlightsClimbed AppleExerciseTime AppleMoveTime
  AppleStandTime InhalerUsage InsulinDelivery NumberOfTimesFallen DietaryBiotin DietaryCaffeine DietaryCalcium
  DietaryCarbohydrates DietaryChloride DietaryCholesterol DietaryChromium DietaryCopper DietaryEnergyConsumed
  DietaryFatMonounsaturated DietaryFatPolyunsaturated DietaryFatSaturated DietaryFatTotal DietaryFiber DietaryFolate
  DietaryIodine DietaryIron DietaryMagnesium DietaryManganese DietaryMolybdenum DietaryNiacin DietaryPantothenicAcid
  DietaryPhosphorus DietaryPotassium DietaryProtein DietaryRiboflavin DietarySelenium DietarySodium DietarySugar
  DietaryThiamin DietaryVitaminA DietaryVitaminB12 DietaryVitaminB6 DietaryVitaminC DietaryVitaminD DietaryVitaminE
  DietaryVitaminK DietaryWater DietaryZinc NumberOfAlcoholicBeverages DistanceCrossCountrySkiing DistancePaddleSports
  DistanceRowing DistanceSkatingSports TimeInDaylight
`.trim().split(/\s+/));

function withoutPrefix(identifier) {
  const prefix = PREFIXES.find((start) => identifier.startsWith(start));
  return prefix ? identifier.slice(prefix.length) : identifier;
}

/** The title of a type, or of an element that has no types. */
export function titleOf(element, type) {
  if (type === '') return TITLES.get(`HK${element}TypeIdentifier`) ?? wordsOf(element);
  const title = TITLES.get(type) ?? wordsOf(withoutPrefix(type).replace(/^Dietary/, ''));
  return element === 'ClinicalRecord' ? `Clinical Record: ${title}` : title;
}

function wordsOf(name) {
  return name.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2 ');
}

/** How the values of a type are summed up in a chart: `sum`, `average`, or `count` if they are no numbers. */
export function aggregationOf(element, type) {
  if (element !== 'Record' || !type.startsWith('HKQuantityTypeIdentifier')) return 'count';
  return CUMULATIVE.has(withoutPrefix(type)) ? 'sum' : 'average';
}
