// Symptoms.
extension CategoryTypeNames {
    /// Abdominal Cramps.
    public static var abdominalCramps: Self { symptom() }
    /// Acne.
    public static var acne: Self { symptom() }
    /// Appetite Changes.
    public static var appetiteChanges: Self { symptom(.appetiteChanges) }
    /// Bladder Incontinence.
    public static var bladderIncontinence: Self { symptom() }
    /// Bloating.
    public static var bloating: Self { symptom() }
    /// Breast Pain.
    public static var breastPain: Self { symptom() }
    /// Chest Tightness or Pain.
    public static var chestTightnessOrPain: Self { symptom(title: "Chest Tightness or Pain") }
    /// Chills.
    public static var chills: Self { symptom() }
    /// Constipation.
    public static var constipation: Self { symptom() }
    /// Coughing.
    public static var coughing: Self { symptom() }
    /// Diarrhea.
    public static var diarrhea: Self { symptom() }
    /// Dizziness.
    public static var dizziness: Self { symptom() }
    /// Dry Skin.
    public static var drySkin: Self { symptom() }
    /// Fainting.
    public static var fainting: Self { symptom() }
    /// Fatigue.
    public static var fatigue: Self { symptom() }
    /// Fever.
    public static var fever: Self { symptom() }
    /// Body and Muscle Ache.
    public static var generalizedBodyAche: Self { symptom(title: "Body and Muscle Ache") }
    /// Hair Loss.
    public static var hairLoss: Self { symptom() }
    /// Headache.
    public static var headache: Self { symptom() }
    /// Heartburn.
    public static var heartburn: Self { symptom() }
    /// Hot Flashes.
    public static var hotFlashes: Self { symptom() }
    /// Loss of Smell.
    public static var lossOfSmell: Self { symptom(title: "Loss of Smell") }
    /// Loss of Taste.
    public static var lossOfTaste: Self { symptom(title: "Loss of Taste") }
    /// Lower Back Pain.
    public static var lowerBackPain: Self { symptom() }
    /// Memory Lapse.
    public static var memoryLapse: Self { symptom() }
    /// Mood Changes.
    public static var moodChanges: Self { symptom(.presence) }
    /// Nausea.
    public static var nausea: Self { symptom() }
    /// Night Sweats.
    public static var nightSweats: Self { symptom() }
    /// Pelvic Pain.
    public static var pelvicPain: Self { symptom() }
    /// Rapid, Pounding, or Fluttering Heartbeat.
    public static var rapidPoundingOrFlutteringHeartbeat: Self {
        symptom(title: "Rapid, Pounding, or Fluttering Heartbeat")
    }
    /// Runny Nose.
    public static var runnyNose: Self { symptom() }
    /// Shortness of Breath.
    public static var shortnessOfBreath: Self { symptom(title: "Shortness of Breath") }
    /// Congestion.
    public static var sinusCongestion: Self { symptom(title: "Congestion") }
    /// Skipped Heartbeat.
    public static var skippedHeartbeat: Self { symptom() }
    /// Sleep Changes.
    public static var sleepChanges: Self { symptom(.presence) }
    /// Sore Throat.
    public static var soreThroat: Self { symptom() }
    /// Vaginal Dryness.
    public static var vaginalDryness: Self { symptom() }
    /// Vomiting.
    public static var vomiting: Self { symptom() }
    /// Wheezing.
    public static var wheezing: Self { symptom() }
}
