// The titles of types, as the Health app and the command show them, and which quantities are added up.

/** Prefixes of identifiers, each with the titles that are not the words behind it. */
const TITLES = new Map(`
  HKDataTypeIdentifier
  -
  HKQuantityTypeIdentifier
  StepCount: Steps; DistanceWalkingRunning: Walking + Running Distance; RunningGroundContactTime: Ground Contact Time;
  RunningVerticalOscillation: Vertical Oscillation; DistanceCycling: Cycling Distance; PushCount: Pushes;
  DistanceWheelchair: Wheelchair Distance; SwimmingStrokeCount: Swimming Strokes; DistanceSwimming: Swimming Distance;
  DistanceDownhillSnowSports: Downhill Snow Sports Distance; BasalEnergyBurned: Resting Energy;
  ActiveEnergyBurned: Active Energy; AppleExerciseTime: Exercise Minutes; AppleMoveTime: Move Minutes;
  AppleStandTime: Stand Minutes; VO2Max: Cardio Fitness; BodyMass: Weight;
  AppleSleepingWristTemperature: Wrist Temperature; EnvironmentalAudioExposure: Environmental Sound Levels;
  HeadphoneAudioExposure: Headphone Audio Levels; HeartRateVariabilitySDNN: Heart Rate Variability;
  HeartRateRecoveryOneMinute: Cardio Recovery; AtrialFibrillationBurden: AFib History; OxygenSaturation: Blood Oxygen;
  BloodPressureDiastolic: Diastolic Blood Pressure; BloodPressureSystolic: Systolic Blood Pressure;
  ForcedExpiratoryVolume1: Forced Expiratory Volume, 1 sec; NumberOfTimesFallen: Number of Times Fallen;
  DietaryCholesterol: Dietary Cholesterol; DietaryEnergyConsumed: Dietary Energy;
  DietaryFatMonounsaturated: Monounsaturated Fat; DietaryFatPolyunsaturated: Polyunsaturated Fat;
  DietaryFatSaturated: Saturated Fat; DietaryFatTotal: Total Fat; DietarySugar: Dietary Sugar;
  NumberOfAlcoholicBeverages: Alcohol Consumption; AppleWalkingSteadiness: Walking Steadiness;
  SixMinuteWalkTestDistance: Six-Minute Walk; WalkingAsymmetryPercentage: Walking Asymmetry;
  WalkingDoubleSupportPercentage: Double Support Time; StairAscentSpeed: Stair Speed: Up;
  StairDescentSpeed: Stair Speed: Down; UVExposure: UV Index;
  AppleSleepingBreathingDisturbances: Breathing Disturbances;
  DistanceCrossCountrySkiing: Cross Country Skiing Distance; DistancePaddleSports: Paddle Sports Distance;
  DistanceRowing: Rowing Distance; DistanceSkatingSports: Skating Sports Distance
  HKCategoryTypeIdentifier
  AppleStandHour: Stand Hours; LowCardioFitnessEvent: Cardio Fitness Notifications; MenstrualFlow: Menstruation;
  IntermenstrualBleeding: Spotting; InfrequentMenstrualCycles: Infrequent Periods;
  IrregularMenstrualCycles: Irregular Cycles; PersistentIntermenstrualBleeding: Persistent Spotting;
  ProlongedMenstrualPeriods: Prolonged Periods; Contraceptive: Contraceptives;
  AudioExposureEvent: Noise Notifications; HeadphoneAudioExposureEvent: Headphone Notifications;
  LowHeartRateEvent: Low Heart Rate Notifications; HighHeartRateEvent: High Heart Rate Notifications;
  IrregularHeartRhythmEvent: Irregular Rhythm Notifications;
  AppleWalkingSteadinessEvent: Walking Steadiness Notifications; MindfulSession: Mindful Minutes;
  SleepAnalysis: Sleep; ToothbrushingEvent: Toothbrushing; HandwashingEvent: Handwashing;
  GeneralizedBodyAche: Body and Muscle Ache; ChestTightnessOrPain: Chest Tightness or Pain;
  RapidPoundingOrFlutteringHeartbeat: Rapid, Pounding, or Fluttering Heartbeat;
  ShortnessOfBreath: Shortness of Breath; LossOfSmell: Loss of Smell; LossOfTaste: Loss of Taste;
  SinusCongestion: Congestion; SleepApneaEvent: Sleep Apnea Notifications
  HKCorrelationTypeIdentifier
  Food: Nutrition
  HKClinicalTypeIdentifier
  AllergyRecord: Allergies; ClinicalNoteRecord: Clinical Notes; ConditionRecord: Conditions;
  ImmunizationRecord: Immunizations; LabResultRecord: Lab Results; MedicationRecord: Medications;
  ProcedureRecord: Procedures; VitalSignRecord: Clinical Vitals; CoverageRecord: Insurance
  HKCharacteristicTypeIdentifier
  ActivityMoveMode: Move Mode Setting; BiologicalSex: Sex; DateOfBirth: Date of Birth; WheelchairUse: Wheelchair
  HKDataType
  StateOfMind: State of Mind
  HKScoredAssessmentTypeIdentifier
  GAD7: GAD-7; PHQ9: PHQ-9
  HK
  WorkoutTypeIdentifier: Workout; VisionPrescriptionTypeIdentifier: Vision Prescription;
  WorkoutRouteTypeIdentifier: Workout Route
`.trim().split(/\n *(?=HK)/).map((part) => {
  const [prefix, ...lines] = part.trim().split(/\n */);
  return [prefix, new Map(lines.join(' ').split('; ').map((pair) => pair.split(': ')).map(([name, ...title]) => [name, title.join(': ')]))];
}));

/** Quantities whose values add up in time. The others are averaged. */
const CUMULATIVE = new RegExp(`^(?:${`Dietary.* Distance.* Apple(?:Exercise|Move|Stand)Time StepCount PushCount SwimmingStrokeCount BasalEnergyBurned
  ActiveEnergyBurned FlightsClimbed InhalerUsage InsulinDelivery NumberOfTimesFallen NumberOfAlcoholicBeverages
  TimeInDaylight`.split(/\s+/).join('|')})$`);

/** Prefix and words of an identifier. */
function split(identifier) {
  const prefix = [...TITLES.keys()].find((start) => identifier.startsWith(start)) ?? '';
  return [prefix, identifier.slice(prefix.length)];
}

/** The title of a type, or of an element that has no types. */
export function titleOf(element, type) {
  const [prefix, name] = split(type === '' ? `HK${element}TypeIdentifier` : type);
  const title = TITLES.get(prefix)?.get(name) ?? wordsOf(type === '' ? element : name.replace(/^Dietary/, ''));
  return element === 'ClinicalRecord' ? `Clinical Record: ${title}` : title;
}

function wordsOf(name) {
  return name.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2 ');
}

/** How the values of a type are summed up in a chart: `sum`, `average`, or `count` if they are no numbers. */
export function aggregationOf(element, type) {
  const [prefix, name] = split(type);
  if (element !== 'Record' || prefix !== 'HKQuantityTypeIdentifier') return 'count';
  return CUMULATIVE.test(name) ? 'sum' : 'average';
}
