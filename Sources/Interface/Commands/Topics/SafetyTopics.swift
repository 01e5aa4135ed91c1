import CommandLineKit

/// The pages of the manual on keeping data to yourself.
extension HelpTopic {
    static let passphrases = HelpTopic(
        name: "passphrases", summary: "how a passphrase is given, and how to choose one",
        text: """
            An archive opens with any of its passphrases, of which it can have eight. Without one of them it cannot \
            be opened, by anyone.

            Commands ask for the passphrase on the terminal, up to three times. Without a terminal, use one of these \
            options; a passphrase is never an argument and never in the environment:

              --passphrase-file FILE       the only line of a file; - for standard input
              --passphrase-fd N            the same from an open file descriptor
              --passphrase-command CMD     what a command prints, for example
                                           'pass show healthvault'

            Whatever reads an archive takes --keyring FILE and --key-file FILE instead: see 'healthvault help keyring'.

            Choose six random words, or let --generate-passphrase make one: 25 characters, shown once. Keep it on \
            paper where your heirs will find it. 'healthvault passphrase add' adds another one for emergencies, which \
            takes a second or two for each archive. Copies that were made earlier keep the passphrases of their time.
            """)

    static let privacy = HelpTopic(
        name: "privacy", summary: "what others can see, and what stays on this computer",
        text: """
            With --encrypt, no health data is written to disk unencrypted: no temporary file, no cache, no log. \
            Someone with the archive but without a passphrase sees that it is an archive, and its size rounded up.

            Plain folders, databases, tables, charts and reports are not encrypted. They are readable by you only; \
            whoever gets the file can read it. The scrollback of a terminal is not encrypted either.

            No command opens a network connection but 'sync', and 'watch' where it syncs: to the target that it was \
            given. While the program runs, other processes of yours cannot read its memory, and a crash writes no \
            core file. Swap and hibernation are the system's: use encrypted swap or \
            none.

            Sessions, destinations, schedules and the history are recorded on this computer, readable by you only: \
            paths, times, sizes and what identifies drives and archives, but no types, values or passphrases.

              ~/.config/healthvault          destinations and schedules
              ~/.local/state/healthvault     sessions and history

            XDG_CONFIG_HOME and XDG_STATE_HOME, or --config-dir and --state-dir, name other folders.
            """)
}
