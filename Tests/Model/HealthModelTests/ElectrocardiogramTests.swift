import ByteText
import HealthModel
import Testing

@Suite("Electrocardiograms")
struct ElectrocardiogramTests {
    private static let english = """
        Name,Anna Synthetic
        Date of Birth,"Jan 8, 2002"
        Recorded Date,2023-03-04 20:55:07 -0500
        Classification,Sinus Rhythm
        Symptoms,
        Software Version,1.90
        Device,"Watch6,7"
        Sample Rate,512 hertz


        Lead,Lead I
        Unit,µV

        -107.825
        12
        0.5
        """

    private static let german = """
        Name
        Geburtstag,"27.03.1987"
        Aufzeichnungsdatum,2023-03-04 20:55:07 +0100
        Klassifizierung,Uneindeutig
        Symptome,Müdigkeit, Schwindel
        Softwareversion,1.90
        Gerät,"Watch6,2"
        Messrate,511,562\u{A0}Hertz


        Ableitung,Ableitung I
        Einheit,µV

        -180,596
        12
        0,5
        """

    private static let japanese = """
        名前,合成 花子
        生年月日,"1987年3月27日"
        記録日,2023-03-04 20:55:07 +0900
        分類,洞調律
        症状,
        ソフトウェアバージョン,1.90
        デバイス,"Watch6,2"
        サンプルレート,512ヘルツ


        リード,リードI
        単位,µV

        -107.825
        """

    private static let chinese = """
        姓名,合成
        出生日期,"1987年3月27日"
        记录日期,2023-03-04 20:55:07 +0800
        分类,窦性心律
        症状,
        软件版本,1.90
        设备,"Watch6,2"
        采样速率,512赫兹


        导联,导联 I
        单位,μV

        -107.825
        """

    private func read(_ text: String) throws(ElectrocardiogramError) -> Electrocardiogram {
        try Electrocardiogram(csv: Array(text.utf8), path: "electrocardiograms/ecg_2023-03-04.csv")
    }

    /// Reads voltages below an English header.
    private func voltages(_ lines: String, unit: String = "µV") throws(ElectrocardiogramError) -> [Double] {
        try read("Lead,Lead I\nUnit,\(unit)\n\n\(lines)\n").voltages.microvolts
    }

    /// The text of the English file with other lines, by their numbers from 1.
    private func changed(_ lines: [Int: String]) -> String {
        let all = Self.english.split(separator: "\n", omittingEmptySubsequences: false)
        return all.enumerated().map { lines[$0 + 1] ?? String($1) }.joined(separator: "\n")
    }

    @Test("in English have all fields")
    func englishFile() throws {
        let recording = try read(Self.english)
        #expect(recording.path == "electrocardiograms/ecg_2023-03-04.csv")
        #expect(recording.recordedDate?.iso == "2023-03-04T20:55:07-05:00")
        #expect(recording.classification == .sinusRhythm)
        #expect(recording.classificationText == "Sinus Rhythm")
        #expect(recording.symptoms == [])
        #expect(recording.softwareVersion == "1.90")
        #expect(recording.device == "Watch6,7")
        #expect(recording.samplingFrequency == 512)
        #expect(recording.lead == "Lead I")
        #expect(recording.unit == .volt(.micro))
        #expect(recording.voltages.microvolts == [-107.825, 12, 0.5])
        #expect(recording.voltages.map(\.timeSinceStart) == [0, 1.0 / 512, 2.0 / 512])
        #expect(recording.voltages[1].microvolts == 12)
        #expect(recording.duration == 3.0 / 512)
    }

    @Test("in German have all fields, with a decimal comma")
    func germanFile() throws {
        let recording = try read(Self.german)
        #expect(recording.recordedDate?.iso == "2023-03-04T20:55:07+01:00")
        #expect(recording.classification == .inconclusiveOther)
        #expect(recording.classificationText == "Uneindeutig")
        #expect(recording.symptoms == ["Müdigkeit", "Schwindel"])
        #expect(recording.softwareVersion == "1.90")
        #expect(recording.device == "Watch6,2")
        #expect(recording.samplingFrequency == 511.562)
        #expect(recording.lead == "Ableitung I")
        #expect(recording.voltages.microvolts == [-180.596, 12, 0.5])
    }

    @Test("in Japanese and Chinese have all fields", arguments: [japanese, chinese])
    func otherFiles(text: String) throws {
        let recording = try read(text)
        #expect(recording.recordedDate?.iso.hasPrefix("2023-03-04T20:55:07+0") == true)
        #expect(recording.classification == .sinusRhythm)
        #expect(recording.symptoms == [])
        #expect(recording.softwareVersion == "1.90")
        #expect(recording.device == "Watch6,2")
        #expect(recording.samplingFrequency == 512)
        #expect(recording.lead == (text == Self.japanese ? "リードI" : "导联 I"))
        #expect(recording.unit == .volt(.micro))
        #expect(recording.voltages.microvolts == [-107.825])
    }

    @Test("do not keep the name and the date of birth", arguments: [english, german, japanese, chinese])
    func privacy(text: String) throws {
        for line in ["", "A,B\n", "A,B\nC,D\nE,F\n"] {
            let recording = try read(line + text)
            let kept = "\(recording)"
            for personal in ["Anna", "2002", "1987", "合成"] { #expect(!kept.contains(personal)) }
        }
    }

    @Test("in an unknown language are read by position")
    func unknownLanguage() throws {
        let lines = Self.english.split(separator: "\n", omittingEmptySubsequences: false)
        let unlabelled = lines.map { line in
            line.contains(",") ? "…\(line.drop { $0 != "," })" : String(line)
        }
        let text = unlabelled.joined(separator: "\n")
        let expected = try read(Self.english)
        #expect(try read(text) == expected)
        #expect(try read("…,…\n" + text) == expected)
        #expect(try read(String(text.drop { $0 != "\n" })) == expected)
    }

    @Test("may have additional lines")
    func additionalLines() throws {
        let expected = try read(Self.english)
        #expect(try read(changed([4: "Foo,1\nClassification,Sinus Rhythm\nBar"])) == expected)
        #expect(try read(changed([8: "Sample Rate,512 hertz\nAverage Heart Rate,64 bpm"])) == expected)
        #expect(try read(changed([11: "Foo,1\nLead,Lead I"])) == expected)
    }

    @Test("may have fewer lines")
    func fewerLines() throws {
        let lead = try read("Lead,Lead I\nUnit,µV\n\n1.5\n2.5\n")
        #expect(lead.lead == "Lead I" && lead.voltages.count == 2)
        #expect(lead.recordedDate == nil && lead.samplingFrequency == nil && lead.duration == nil)
        #expect(lead.softwareVersion == nil && lead.device == nil && lead.symptoms == [])
        #expect(lead.classification == .notSet && lead.classificationText == "")
        #expect(lead.voltages.map(\.timeSinceStart) == [nil, nil])
        let short = try read("Recorded Date,2023-03-04 20:55:07 -0500\nSample Rate,4 Hz\n\n\nUnit,µV\n\n")
        #expect(short.recordedDate != nil && short.samplingFrequency == 4 && short.duration == 0)
        #expect(short.lead == nil && short.voltages.isEmpty)
    }

    @Test("need no blank lines where the labels are known")
    func noBlankLines() throws {
        let lines = Self.english.split(separator: "\n").joined(separator: "\n")
        #expect(try read(lines) == read(Self.english))
    }

    @Test("end their lines in any way, and may start with a byte order mark")
    func lineEnds() throws {
        let expected = try read(Self.english)
        for end in ["\n", "\r\n", "\r"] {
            let lines = Self.english.split(separator: "\n", omittingEmptySubsequences: false)
            let text = lines.joined(separator: end)
            for whole in [text, "\u{FEFF}" + text, text + end, text + end + end + " " + end] {
                #expect(try read(whole) == expected)
            }
        }
    }

    @Test("may have quotes around every field")
    func quotes() throws {
        let quoted = try read(
            changed([
                4: #""Classification","A ""B"", C""#, 5: #"Symptoms," Fatigue , ""Other"",""#,
                7: #""Device",Watch6,7"#, 14: #""-107.825""#, 15: #" "12"  "#,
            ]))
        #expect(quoted.classificationText == #"A "B", C"# && quoted.classification == nil)
        #expect(quoted.symptoms == ["Fatigue", #""Other""#])
        #expect(quoted.device == "Watch6,7")
        #expect(quoted.voltages.microvolts == [-107.825, 12, 0.5])
    }

    @Test(
        "have a sampling frequency in many forms",
        arguments: [
            ("512 hertz", 512), ("511,422 hertz", 511.422), ("513.625 hertz", 513.625), ("512ヘルツ", 512),
            ("511,562\u{A0}Hertz", 511.562), ("\"511,562\u{A0}Hertz\"", 511.562), ("512赫兹", 512),
            ("512.508 hertz", 512.508), ("512 Hz", 512), ("512", 512), ("hertz", nil), ("0 hertz", nil),
            ("-512 hertz", nil), ("", nil), ("5.1.2 hertz", nil),
        ] as [(String, Double?)])
    func frequencies(text: String, hertz: Double?) throws {
        #expect(try read(changed([8: "Sample Rate,\(text)"])).samplingFrequency == hertz)
    }

    @Test(
        "have a classification, in some languages",
        arguments: [
            ("Sinus Rhythm", .sinusRhythm), ("sinus\u{A0}rhythm", .sinusRhythm),
            ("Atrial Fibrillation", .atrialFibrillation), ("Inconclusive", .inconclusiveOther),
            ("Poor Recording", .inconclusivePoorReading), ("Heart Rate Over 120", .inconclusiveHighHeartRate),
            ("High Heart Rate", .inconclusiveHighHeartRate),
            ("Heart Rate Under 50", .inconclusiveLowHeartRate),
            ("Heart Rate Below 50", .inconclusiveLowHeartRate), ("Unrecognized", .unrecognized),
            ("Sinusrhythmus", .sinusRhythm), ("Vorhofflimmern", .atrialFibrillation), ("洞調律", .sinusRhythm),
            ("心房細動", .atrialFibrillation), ("窦性心律", .sinusRhythm), ("心房颤动", .atrialFibrillation),
            ("Rythme sinusal", .sinusRhythm), ("Fibrillation auriculaire", .atrialFibrillation),
            ("Ritmo sinusal", .sinusRhythm), ("Fibrilación auricular", .atrialFibrillation), ("", .notSet),
            ("Fibrillazione atriale", .atrialFibrillation), ("Atriumfibrilleren", .atrialFibrillation),
            ("Fibrilação atrial", .atrialFibrillation), ("심방세동", .atrialFibrillation),
            ("Мерцательная аритмия", .atrialFibrillation), ("Förmaksflimmer", .atrialFibrillation),
            ("Ritmo sinusale", .sinusRhythm), ("Sinusritme", .sinusRhythm), ("동리듬", .sinusRhythm),
            ("Синусовый ритм", .sinusRhythm), ("Sinusrytm", .sinusRhythm),
            ("Atrial fibrillation not found", nil), ("Rytm zatokowy", nil), ("Inconcludente", nil),
        ] as [(String, Electrocardiogram.Classification?)])
    func classifications(text: String, classification: Electrocardiogram.Classification?) throws {
        let recording = try read(changed([4: "Classification,\(text)"]))
        #expect(recording.classification == classification)
        #expect(recording.classificationText == text)
    }

    @Test(
        "have symptoms, in which there may be commas",
        arguments: [
            ("Rapid, pounding, or fluttering heartbeat, Dizziness", 2),
            ("Dizziness, Rapid, pounding, or fluttering heartbeat", 2),
            ("Rasendes, pochendes oder flatterndes Herz", 1), ("めまい, 疲労", 2), ("fatigue", 1),
            (" , Fatigue,,Dizziness,", 2), ("Учащённое, сильное сердцебиение", 1),
        ])
    func symptoms(text: String, count: Int) throws {
        let symptoms = try read(changed([5: "Symptoms,\(text)"])).symptoms
        #expect(symptoms.count == count, "\(symptoms)")
        let letters = { (text: String) in text.filter { $0 != "," && $0 != " " } }
        #expect(letters(symptoms.joined()) == letters(text))
    }

    @Test("have voltages with a point or a comma")
    func decimals() throws {
        #expect(try voltages("-107.825\n12\n.5\n+3") == [-107.825, 12, 0.5, 3])
        #expect(try voltages("-180,596\n12\n,5\n+3") == [-180.596, 12, 0.5, 3])
        #expect(try voltages("\"-180,596\"\n\"12\"") == [-180.596, 12])
        #expect(try voltages("\u{2212}180,596\n\u{A0}12\u{A0}\n\u{2212}0,5") == [-180.596, 12, -0.5])
        #expect(try voltages("12\n13") == [12, 13])
    }

    @Test("have voltages with grouped digits")
    func groups() throws {
        #expect(try voltages("1,024.5\n1,024\n-12,345,678.25\n3.5") == [1024.5, 1024, -12_345_678.25, 3.5])
        #expect(try voltages("3,5\n1.024\n1.024,5") == [3.5, 1024, 1024.5])
        let spaces = try voltages("1\u{A0}024,5\n1\u{202F}024\n1\u{2019}024,5\n3,5")
        #expect(spaces == [1024.5, 1024, 1024.5, 3.5])
        #expect(try voltages("1.024\n2.5") == [1.024, 2.5])
    }

    @Test(
        "have voltages in microvolts, whatever the unit of the file",
        arguments: [
            ("µV", [-107.825, 0.001], .volt(.micro)), ("\u{3BC}V", [-107.825, 0.001], .volt(.micro)),
            ("mV", [-107_825, 1], .volt(.milli)), ("V", [-107_825_000, 1000], .volt()),
        ] as [(String, [Double], HealthUnit)])
    func units(text: String, microvolts: [Double], unit: HealthUnit) throws {
        #expect(try voltages("-107.825\n0.001", unit: text) == microvolts)
        #expect(try read(changed([12: "Unit,\(text)"])).unit == unit)
    }

    @Test("are the same after they were written and read", arguments: [".", ","])
    func roundTrip(separator: String) throws {
        var lines: [String] = []
        var expected: [Double] = []
        for thousandths in stride(from: -3_000_000, through: 3_000_000, by: 7919) {
            let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
            let sign = thousandths < 0 ? "-" : ""
            let digits = "\(rest + 1000)".dropFirst()
            lines.append("\(sign)\(whole)\(separator)\(digits)")
            expected.append(Double(thousandths) / 1000)
        }
        #expect(try voltages(lines.joined(separator: "\n")) == expected)
    }

    @Test(
        "with a line that is no number are refused",
        arguments: [
            "x", "1.5.", "5.", "--5", "-", "1e3", "nan", "inf", "0x10", "1 2", "1.5,3", "1,5", "Secret,1",
            "1;2", "\"1.5", "1\u{A0}2", "٣", String(repeating: "9", count: 400), "",
        ])
    func noNumbers(line: String) {
        let error = #expect(throws: ElectrocardiogramError.self) {
            try voltages("-107.825\n\(line)\n0.5")
        }
        #expect(error?.code == .notANumber && error?.line == 5)
        #expect(error?.description == "line 5: not a voltage")
    }

    @Test("with both decimal marks are refused")
    func mixedMarks() {
        for text in ["1.5\n-180,596", "1,5\n-180.596", "1,024.5\n3,5", "1.024,5\n3.5"] {
            let error = #expect(throws: ElectrocardiogramError.self) { try voltages(text) }
            #expect(error?.code == .notANumber && error?.line == 5)
        }
    }

    @Test("without a known unit are refused")
    func noUnit() {
        for text in ["", "\n\n", "Name,Anna", "Lead,Lead I\n\n1.5", "Lead,Lead I\nUnit\n\n1.5", "1.5"] {
            let error = #expect(throws: ElectrocardiogramError.self) { try read(text) }
            #expect(error?.code == .missingUnit)
        }
        for unit in ["A", "MV", "μ", "µV µV", "Secret"] {
            let error = #expect(throws: ElectrocardiogramError.self) { try voltages("1.5", unit: unit) }
            #expect(error?.code == .unknownUnit && error?.line == 2)
            #expect(error?.description == "line 2: not a unit of voltages")
        }
    }

    @Test("with a header that does not end are refused")
    func longHeader() {
        let error = #expect(throws: ElectrocardiogramError.self) {
            try read(String(repeating: "Secret,1\n", count: 10_000))
        }
        #expect(error?.code == .headerTooLong && error?.line == 101)
    }

    @Test("that are cut off end earlier, or are refused", arguments: [english, german, japanese, chinese])
    func truncated(text: String) throws {
        let whole = try read(text)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for count in 0...lines.count {
            let start = lines.prefix(count).joined(separator: "\n")
            guard count >= 12 else {
                #expect(throws: ElectrocardiogramError.self) { try read(start) }
                continue
            }
            let recording = try read(start)
            #expect(recording.device == whole.device && recording.lead == whole.lead)
            let voltages = recording.voltages.microvolts
            #expect(voltages == Array(whole.voltages.microvolts.prefix(max(0, count - 13))))
        }
        let bytes = Array(text.utf8)
        for count in bytes.indices { _ = try? Electrocardiogram(csv: Array(bytes[..<count]), path: "") }
    }

    @Test("that are damaged never end the program", arguments: [english, german])
    func damaged(text: String) {
        let bytes = Array(text.utf8)
        let replacements: [UInt8] = [0x00, 0x0a, 0x0d, 0x22, 0x2c, 0x2e, 0x39, 0xc2, 0xff]
        for index in bytes.indices {
            for replacement in replacements {
                var damaged = bytes
                damaged[index] = replacement
                guard let recording = try? Electrocardiogram(csv: damaged, path: "") else { continue }
                #expect(recording.voltages.allSatisfy { $0.microvolts.isFinite })
            }
        }
    }

    @Test("of any bytes never end the program")
    func anyBytes() {
        // A linear congruential generator, so that every run sees the same bytes.
        var state: UInt64 = 1
        let alphabet = Array("\n\n\r\",,..-+0123459 µVUnitLead\u{2212}\u{A0}\u{FEFF}".utf8) + [0xff, 0x80]
        for _ in 0..<2000 {
            var bytes = Array("Lead,I\nUnit,µV\n\n".utf8)
            for _ in 0..<24 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(alphabet[Int(state >> 33) % alphabet.count])
            }
            _ = try? Electrocardiogram(csv: bytes, path: "")
        }
    }
}
