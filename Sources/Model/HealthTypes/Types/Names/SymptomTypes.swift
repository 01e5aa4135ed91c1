// Symptoms, under the titles of the Health app.
extension CategoryTypeNames {
    /// Abdominal Cramps.
    public static var abdominalCramps: Self { Self(known: "HKCategoryTypeIdentifierAbdominalCramps") }
    /// Acne.
    public static var acne: Self { Self(known: "HKCategoryTypeIdentifierAcne") }
    /// Appetite Changes.
    public static var appetiteChanges: Self { Self(known: "HKCategoryTypeIdentifierAppetiteChanges") }
    /// Bladder Incontinence.
    public static var bladderIncontinence: Self { Self(known: "HKCategoryTypeIdentifierBladderIncontinence") }
    /// Bloating.
    public static var bloating: Self { Self(known: "HKCategoryTypeIdentifierBloating") }
    /// Breast Pain.
    public static var breastPain: Self { Self(known: "HKCategoryTypeIdentifierBreastPain") }
    /// Chest Tightness or Pain.
    public static var chestTightnessOrPain: Self {
        Self(known: "HKCategoryTypeIdentifierChestTightnessOrPain")
    }
    /// Chills.
    public static var chills: Self { Self(known: "HKCategoryTypeIdentifierChills") }
    /// Constipation.
    public static var constipation: Self { Self(known: "HKCategoryTypeIdentifierConstipation") }
    /// Coughing.
    public static var coughing: Self { Self(known: "HKCategoryTypeIdentifierCoughing") }
    /// Diarrhea.
    public static var diarrhea: Self { Self(known: "HKCategoryTypeIdentifierDiarrhea") }
    /// Dizziness.
    public static var dizziness: Self { Self(known: "HKCategoryTypeIdentifierDizziness") }
    /// Dry Skin.
    public static var drySkin: Self { Self(known: "HKCategoryTypeIdentifierDrySkin") }
    /// Fainting.
    public static var fainting: Self { Self(known: "HKCategoryTypeIdentifierFainting") }
    /// Fatigue.
    public static var fatigue: Self { Self(known: "HKCategoryTypeIdentifierFatigue") }
    /// Fever.
    public static var fever: Self { Self(known: "HKCategoryTypeIdentifierFever") }
    /// Body and Muscle Ache.
    public static var generalizedBodyAche: Self { Self(known: "HKCategoryTypeIdentifierGeneralizedBodyAche") }
    /// Hair Loss.
    public static var hairLoss: Self { Self(known: "HKCategoryTypeIdentifierHairLoss") }
    /// Headache.
    public static var headache: Self { Self(known: "HKCategoryTypeIdentifierHeadache") }
    /// Heartburn.
    public static var heartburn: Self { Self(known: "HKCategoryTypeIdentifierHeartburn") }
    /// Hot Flashes.
    public static var hotFlashes: Self { Self(known: "HKCategoryTypeIdentifierHotFlashes") }
    /// Loss of Smell.
    public static var lossOfSmell: Self { Self(known: "HKCategoryTypeIdentifierLossOfSmell") }
    /// Loss of Taste.
    public static var lossOfTaste: Self { Self(known: "HKCategoryTypeIdentifierLossOfTaste") }
    /// Lower Back Pain.
    public static var lowerBackPain: Self { Self(known: "HKCategoryTypeIdentifierLowerBackPain") }
    /// Memory Lapse.
    public static var memoryLapse: Self { Self(known: "HKCategoryTypeIdentifierMemoryLapse") }
    /// Mood Changes.
    public static var moodChanges: Self { Self(known: "HKCategoryTypeIdentifierMoodChanges") }
    /// Nausea.
    public static var nausea: Self { Self(known: "HKCategoryTypeIdentifierNausea") }
    /// Night Sweats.
    public static var nightSweats: Self { Self(known: "HKCategoryTypeIdentifierNightSweats") }
    /// Pelvic Pain.
    public static var pelvicPain: Self { Self(known: "HKCategoryTypeIdentifierPelvicPain") }
    /// Rapid, Pounding, or Fluttering Heartbeat.
    public static var rapidPoundingOrFlutteringHeartbeat: Self {
        Self(known: "HKCategoryTypeIdentifierRapidPoundingOrFlutteringHeartbeat")
    }
    /// Runny Nose.
    public static var runnyNose: Self { Self(known: "HKCategoryTypeIdentifierRunnyNose") }
    /// Shortness of Breath.
    public static var shortnessOfBreath: Self { Self(known: "HKCategoryTypeIdentifierShortnessOfBreath") }
    /// Congestion.
    public static var sinusCongestion: Self { Self(known: "HKCategoryTypeIdentifierSinusCongestion") }
    /// Skipped Heartbeat.
    public static var skippedHeartbeat: Self { Self(known: "HKCategoryTypeIdentifierSkippedHeartbeat") }
    /// Sleep Changes.
    public static var sleepChanges: Self { Self(known: "HKCategoryTypeIdentifierSleepChanges") }
    /// Sore Throat.
    public static var soreThroat: Self { Self(known: "HKCategoryTypeIdentifierSoreThroat") }
    /// Vaginal Dryness.
    public static var vaginalDryness: Self { Self(known: "HKCategoryTypeIdentifierVaginalDryness") }
    /// Vomiting.
    public static var vomiting: Self { Self(known: "HKCategoryTypeIdentifierVomiting") }
    /// Wheezing.
    public static var wheezing: Self { Self(known: "HKCategoryTypeIdentifierWheezing") }
}
