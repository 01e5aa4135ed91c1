/// What programs do to a command in a crontab before a shell gets it.
enum Cron: CaseIterable {
    /// Nothing, as the oldest ones.
    case plain
    /// Cronie removes the backslash before a percent sign.
    case cronie
    /// Those of Debian and FreeBSD remove it before a backslash as well.
    case debian

    /// Returns the command: the line up to a percent sign without a backslash.
    func command(of line: ArraySlice<UInt8>) -> [UInt8] {
        let (backslash, percent) = (UInt8(ascii: "\\"), UInt8(ascii: "%"))
        var command: [UInt8] = []
        var isEscaped = false
        for byte in line {
            if isEscaped {
                isEscaped = false
                let isReplaced = self != .plain && byte == percent || self == .debian && byte == backslash
                if isReplaced { command.removeLast() }
            } else if byte == percent {
                break
            } else {
                isEscaped = byte == backslash
            }
            command.append(byte)
        }
        return command
    }
}
