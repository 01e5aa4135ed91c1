import ByteText
public import SystemIO

/// The timer definitions that make the system run due exports.
///
/// Each runs at the due times or at their minute of every hour: an export that could not be made because a drive was
/// missing is made soon after the drive is connected, and a run with nothing to do costs nothing.
public struct TimerUnits: Sendable {
    private let arguments: [BytePath]
    private let dues: [DueTimes]

    /// Prepares the definitions.
    ///
    /// - Parameters:
    ///   - arguments: The absolute path of the program, and its arguments.
    ///   - dues: The due times of all schedules.
    public init(running arguments: [BytePath], at dues: [DueTimes]) {
        self.arguments = arguments
        self.dues = dues
    }

    /// The name of the units, without their suffixes.
    public static let name = "healthvault"

    /// A systemd service, see systemd.service(5).
    public var service: [UInt8] {
        let text = """
            [Unit]
            Description=Health exports that are due

            [Service]
            Type=oneshot
            ExecStart=
            """
        return Array(text.utf8) + Self.systemdCommand(arguments) + [UInt8(ascii: "\n")]
    }

    /// A systemd timer, see systemd.timer(5).
    public var timer: [UInt8] {
        var lines = ["[Unit]", "Description=Health exports that are due", "", "[Timer]"]
        lines += dues.flatMap { Self.calendar($0) }.uniqued().map { "OnCalendar=" + $0 }
        lines += ["Persistent=true", "", "[Install]", "WantedBy=timers.target", ""]
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// Returns calendar expressions, see systemd.time(7), for due times and for their minute of every hour.
    static func calendar(_ due: DueTimes) -> [String] {
        let time = " \(due.time.text):00"
        let days: [String] =
            switch due.recurrence {
            case .daily: ["*-*-*"]
            case .weekly(let day): ["\(day.name.prefix(3)) *-*-*"]
            case .monthly(Recurrence.last): ["*-*~01"]
            case .monthly(let day) where day <= 28: ["*-*-\(TimeOfDay.digits(day))"]
            // If February does not have the day, its last day.
            case .monthly(let day):
                ["*-*-\(day)", "*-02~01"]
            }
        return days.map { $0 + time } + ["*-*-* *:\(TimeOfDay.digits(due.time.minute)):00"]
    }

    /// The lines of a crontab, see crontab(5); nil if an argument contains a line break, which would end the line.
    public var crontab: [UInt8]? {
        guard arguments.allSatisfy({ !$0.bytes.contains(UInt8(ascii: "\n")) }) else { return nil }
        let command = arguments.map { Self.crontabQuoted($0) }.joined(separator: [UInt8(ascii: " ")])
        let minutes = Set(dues.map(\.time.minute)).sorted()
        return minutes.flatMap { Array("\($0) * * * * ".utf8) + command + [UInt8(ascii: "\n")] }
    }

    /// A property list for launchd, see launchd.plist(5); nil if an argument contains what XML cannot.
    public var propertyList: [UInt8]? {
        guard arguments.allSatisfy({ Self.isXML($0) }) else { return nil }
        var text = Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
              <key>Label</key><string>healthvault</string>
              <key>RunAtLoad</key><true/>
              <key>ProgramArguments</key>
              <array>

            """.utf8)
        for argument in arguments {
            text += Array("    <string>".utf8) + Self.xmlEscaped(argument) + Array("</string>\n".utf8)
        }
        text += Array("  </array>\n  <key>StartCalendarInterval</key>\n  <array>\n".utf8)
        for minute in Set(dues.map(\.time.minute)).sorted() {
            text += Array("    <dict><key>Minute</key><integer>\(minute)</integer></dict>\n".utf8)
        }
        return text + Array("  </array>\n</dict>\n</plist>\n".utf8)
    }

    /// Returns a command line for `ExecStart`.
    static func systemdCommand(_ arguments: [BytePath]) -> [UInt8] {
        guard let program = arguments.first else { return [] }
        // systemd does not run programs whose path contains quotes, backslashes or control characters.
        let isSafe = program.bytes.allSatisfy { byte in
            byte >= 0x20 && byte != 0x7f && !Array("\"'\\".utf8).contains(byte)
        }
        guard isSafe else { return systemdCommand(["/bin/sh", "-c", #"exec "$0" "$@""#] + arguments) }
        // Variables are expanded only in the arguments.
        return systemdQuoted(program, escaping: "%")
            + arguments.dropFirst().flatMap { [UInt8(ascii: " ")] + systemdQuoted($0, escaping: "%$") }
    }

    /// Returns a word in quotes, see systemd.syntax(7), with some characters doubled.
    private static func systemdQuoted(_ argument: BytePath, escaping doubled: String) -> [UInt8] {
        var text = [UInt8(ascii: "\"")]
        for character in argument.characters {
            for byte in character.bytes {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
                case _ where doubled.utf8.contains(byte): text += [byte, byte]
                // Unit files are UTF-8.
                case _ where byte < 0x20 || byte == 0x7f || character.text == nil:
                    text += Array("\\x\(Hexadecimal.text([byte]))".utf8)
                default: text.append(byte)
                }
            }
        }
        return text + [UInt8(ascii: "\"")]
    }

    /// Returns a shell word that every cron leaves unchanged.
    ///
    /// A percent sign ends the command unless a backslash precedes it. Some crons remove that backslash and others
    /// leave it to the shell, so it is outside the quotes. Some turn two backslashes into one, so no two are adjacent.
    private static func crontabQuoted(_ argument: BytePath) -> [UInt8] {
        let isPlain = argument.bytes.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || Array("/._-=:,+".utf8).contains(byte)
        }
        if isPlain, !argument.isEmpty { return Array(argument.bytes) }
        let quote = UInt8(ascii: "'")
        let quoted = argument.bytes.flatMap { byte in
            switch byte {
            case quote, UInt8(ascii: "%"): [quote, UInt8(ascii: "\\"), byte, quote]
            case UInt8(ascii: "\\"): [byte, quote, quote]
            default: [byte]
            }
        }
        return [quote] + quoted + [quote]
    }

    /// Returns whether XML 1.0 (section 2.2) can contain a text.
    private static func isXML(_ argument: BytePath) -> Bool {
        argument.characters.allSatisfy { character in
            guard let text = character.text else { return false }
            return text.unicodeScalars.allSatisfy { scalar in
                switch scalar.value {
                case 0x09, 0x0a, 0x0d: true
                case ..<0x20, 0xfffe, 0xffff: false
                default: true
                }
            }
        }
    }

    private static func xmlEscaped(_ argument: BytePath) -> [UInt8] {
        argument.bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "&"): Array("&amp;".utf8)
            case UInt8(ascii: "<"): Array("&lt;".utf8)
            case UInt8(ascii: ">"): Array("&gt;".utf8)
            // A parser would read it as a line feed.
            case UInt8(ascii: "\r"): Array("&#13;".utf8)
            default: [byte]
            }
        }
    }
}

extension [String] {
    /// Returns the texts in their order, without duplicates.
    fileprivate func uniqued() -> [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
