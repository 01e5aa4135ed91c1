import ByteText
import FolderTesting
import SystemIO
import Testing

@testable import DriveExports

@Suite("Timers of systemd, cron and launchd")
struct TimerUnitsTests {
    private static let analyze: BytePath = "/usr/bin/systemd-analyze"
    private static let python: BytePath = "/usr/bin/python3"

    /// Arguments with everything that one of the three could take for something else.
    private static let arguments: [BytePath] = [
        "schedule", "run", "", "a b", "it's", #"say "hi""#, "100%", "%h%%n", "$HOME", "${HOME} $$", #"\n"#,
        #"\\%\"#,
        #"'\''"#,
        ";", "#", "~", "*", "`id`", "$(id)", "-", "--state=/a:b", "@x", "&lt;<>&", "tab\tstop", "käse",
    ]

    private static func due(_ recurrence: String, _ time: String) throws -> DueTimes {
        DueTimes(
            try #require(Recurrence(parsing: recurrence)), at: try #require(TimeOfDay(parsing: time)))
    }

    @Test(
        "a timer of systemd has the due time, and its minute in every hour",
        arguments: [
            ("day", "2:00", ["*-*-* 02:00:00", "*-*-* *:00:00"]),
            ("sunday", "02:30", ["sun *-*-* 02:30:00", "*-*-* *:30:00"]),
            ("5", "23:59", ["*-*-05 23:59:00", "*-*-* *:59:00"]),
            ("28", "00:07", ["*-*-28 00:07:00", "*-*-* *:07:00"]),
            ("29", "02:00", ["*-*-29 02:00:00", "*-02~01 02:00:00", "*-*-* *:00:00"]),
            ("30", "02:00", ["*-*-30 02:00:00", "*-02~01 02:00:00", "*-*-* *:00:00"]),
            ("last", "02:00", ["*-*~01 02:00:00", "*-*-* *:00:00"]),
        ])
    func calendars(recurrence: String, time: String, expected: [String]) throws {
        let due = try Self.due(recurrence, time)
        #expect(TimerUnits.calendar(due) == expected)
        let timer = TimerUnits(running: ["/bin/true"], at: [due]).timer
        let lines = expected.map { "OnCalendar=\($0)\n" }.joined()
        #expect(
            String(decoding: timer, as: UTF8.self)
                == "[Unit]\nDescription=Health exports that are due\n\n[Timer]\n\(lines)Persistent=true\n\n"
                + "[Install]\nWantedBy=timers.target\n")
    }

    @Test("several due times share the lines that are the same")
    func sharedLines() throws {
        let dues = [
            try Self.due("29", "2:00"), try Self.due("30", "2:00"),
            try Self.due("day", "3:00"), try Self.due("day", "3:20"),
        ]
        let units = TimerUnits(running: ["/bin/true"], at: dues)
        let lines = String(decoding: units.timer, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("OnCalendar=") }.map { $0.dropFirst(11) }
        #expect(
            lines == [
                "*-*-29 02:00:00", "*-02~01 02:00:00", "*-*-* *:00:00", "*-*-30 02:00:00", "*-*-* 03:00:00",
                "*-*-* 03:20:00", "*-*-* *:20:00",
            ])
        #expect(
            String(decoding: try #require(units.crontab), as: UTF8.self)
                == "0 * * * * /bin/true\n20 * * * * /bin/true\n")
    }

    @Test(
        "systemd finds the same due times",
        .enabled(if: CommandLines.isInstalled(analyze)),
        arguments: [
            "day", "mon", "tue", "wed", "thu", "fri", "sat",
            "sun", "1", "28", "29", "30", "last",
        ])
    func elapses(recurrence: String) throws {
        let due = try Self.due(recurrence, "02:30")
        var found: Set<String> = []
        // 2027 has no leap day, and 2028 has one.
        for expression in TimerUnits.calendar(due).dropLast() {
            let options = "--base-time='2026-12-31 12:00:00' --iterations=30"
            let text = try CommandLines.output(
                of: "TZ=UTC \(Self.analyze) calendar \(options) '\(expression)'")
            // `Next elapse: Sun 2027-01-31 02:30:00 UTC`
            for line in text.split(separator: "\n") where line.hasSuffix(" UTC") {
                found.insert(String(line.dropLast(4).suffix(19)))
            }
        }
        var (now, expected) = (try instant("2026-12-31T12:00:00Z"), [String]())
        for _ in 0..<30 {
            now = due.nextDue(after: now, in: .utc)
            let text = utc(now)
            expected.append("\(text.prefix(10)) \(text.dropLast().suffix(8))")
        }
        #expect(found.sorted().prefix(30) == expected[...])
    }

    @Test(
        "systemd accepts the units, wherever the program is",
        .enabled(if: CommandLines.isInstalled(analyze)),
        arguments: [
            "plain", "two words", "100%n", "$HOME", "a$$b", "käse", "it's", #"say "hi""#, #"back\slash"#,
            "line\nbreak",
        ] as [BytePath])
    func verification(name: BytePath) throws {
        let folder = try TemporaryFolder()
        try Folder.make(folder.path / name)
        let program = folder.path / name / "true"
        let script = try folder.file("link", Array("ln -s /bin/true \"$1\"".utf8))
        let word = program.bytes.flatMap { $0 == UInt8(ascii: "'") ? Array(#"'\''"#.utf8) : [$0] }
        let quoted = String(decoding: word, as: UTF8.self)
        _ = try CommandLines.output(of: "sh \(script) '\(quoted)'")
        let undecodable = BytePath(bytes: [0x2f, 0xff, 0xc3])
        let units = TimerUnits(
            running: [program] + Self.arguments + [undecodable, "line\nbreak"],
            at: [try Self.due("sunday", "2:00"), try Self.due("30", "2:00")])
        try folder.file("\(TimerUnits.name).service", units.service)
        try folder.file("\(TimerUnits.name).timer", units.timer)
        for unit in ["\(TimerUnits.name).service", "\(TimerUnits.name).timer"] {
            let (_, status) = try CommandLines.run(
                "XDG_RUNTIME_DIR=\(folder.path) \(Self.analyze) --user verify \(folder.path)/\(unit)")
            #expect(status == 0, "\(unit)")
        }
    }

    @Test("systemd reads the arguments that were written")
    func systemdArguments() throws {
        let arguments =
            ["/opt/a $b/100%"] + Self.arguments + [BytePath(bytes: [0xff, 0xc3]), "line\nbreak", "\u{7f}"]
        #expect(SystemdWords.words(of: Self.command(of: arguments)) == arguments)
        // Through a shell, because systemd does not run such a program itself.
        for program in [#"/opt/"a""#, "/opt/it's", #"/opt/a\b"#, "/opt/a\nb"] as [BytePath] {
            let words = SystemdWords.words(of: Self.command(of: [program, "schedule", "run", "$x"]))
            #expect(words == ["/bin/sh", "-c", #"exec "$0" "$@""#, program, "schedule", "run", "$x"])
        }
    }

    @Test("a service is a line of text in UTF-8")
    func service() {
        let text = String(
            validating: TimerUnits(running: ["/bin/true", "schedule", "run"], at: []).service, as: UTF8.self)
        #expect(
            text
                == "[Unit]\nDescription=Health exports that are due\n\n[Service]\nType=oneshot\n"
                + "ExecStart=\"/bin/true\" \"schedule\" \"run\"\n")
        let odd = Self.command(of: ["/bin/true", BytePath(bytes: [0xff, 0x0a, 0xc3])])
        #expect(odd == Array(#""/bin/true" "\xff\x0a\xc3""#.utf8))
    }

    @Test("every cron passes the arguments on", arguments: Cron.allCases)
    func crontabs(cron: Cron) throws {
        let arguments = ["/usr/bin/printf", "<%s>"] + Self.arguments + [#"\"#, #"\\\"#, #"%\%"#, #"\\\\%%"#]
        let units = TimerUnits(running: arguments, at: [try Self.due("day", "2:05")])
        let line = try #require(units.crontab)
        #expect(line.starts(with: Array("5 * * * * /usr/bin/printf ".utf8)))
        #expect(line.last == UInt8(ascii: "\n"))
        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
        let broken = TimerUnits(running: ["/bin/true", "a\nb"], at: [try Self.due("day", "2:05")])
        #expect(broken.crontab == nil, "a line break would end the line")
        let command = cron.command(of: line.dropFirst(10).dropLast())
        let output = try CommandLines.output(of: String(decoding: command, as: UTF8.self))
        let expected = arguments.dropFirst(2).map { "<" + $0 + ">" as BytePath }
        #expect(Array(output.utf8) == expected.flatMap(\.bytes))
    }

    @Test("launchd reads the arguments that were written", .enabled(if: CommandLines.isInstalled(python)))
    func propertyLists() throws {
        let folder = try TemporaryFolder()
        let arguments = ["/opt/a & b/<c>", "line\nbreak", "return\rreturn", "]]>"] + Self.arguments
        let dues = [
            try Self.due("day", "2:05"), try Self.due("3", "4:05"),
            try Self.due("day", "4:30"),
        ]
        let path = try folder.file("list", #require(TimerUnits(running: arguments, at: dues).propertyList))
        let program = try folder.file(
            "program",
            Array(
                """
                import plistlib, sys
                found = plistlib.load(open(sys.argv[1], "rb"))
                arguments = found.pop("ProgramArguments")
                print(sorted(found.items()))
                print(*(argument.encode().hex() for argument in arguments), sep="-", end="")
                """.utf8))
        let output = try CommandLines.output(of: "\(Self.python) \(program) \(path)")
        let lines = output.split(separator: "\n")
        #expect(
            lines[0]
                == "[('Label', 'healthvault'), ('RunAtLoad', True), "
                + "('StartCalendarInterval', [{'Minute': 5}, {'Minute': 30}])]")
        let digits = arguments.map { $0.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        #expect(lines[1] == digits.joined(separator: "-"))
    }

    /// The command line of a service for these arguments.
    private static func command(of arguments: [BytePath]) -> [UInt8] {
        let service = TimerUnits(running: arguments, at: []).service
        let key = Array("ExecStart=".utf8)
        let line = service.split(separator: UInt8(ascii: "\n")).last { $0.starts(with: key) }
        return Array(line?.dropFirst(key.count) ?? [])
    }
}
