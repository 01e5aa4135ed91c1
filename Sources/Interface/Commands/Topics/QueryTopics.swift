import CommandLineKit

/// The pages of the manual on what is asked for: types, days and sources.
extension HelpTopic {
    static let types = HelpTopic(
        name: "types", summary: "how sample types are named",
        text: """
            A sample type can be named in four ways, in upper or lower case:

              heartRate                              its short name
              'Heart Rate'                           its title in the Health app
              HKQuantityTypeIdentifierHeartRate      its identifier
              group:heart                            a group of types

            Several names are separated by commas: --types heartRate,group:sleep. Types that this version does not \
            know are exported under their identifiers, and can be selected by them. 'healthvault types' lists the \
            known ones with their units, 'healthvault types TEXT' searches them, and 'healthvault inspect SOURCE' \
            shows those that an export contains.
            """)

    static let days = HelpTopic(
        name: "days", summary: "how dates are written, and when a day begins",
        text: """
            Dates for --since, --until, --in and similar options:

              2024                          a year
              2024-02                       a month
              2024-02-01                    a day
              2024-02-01T10:00              a time in the time zone of the export
              2024-02-01T10:00:00+01:00     an instant
              today, yesterday              counted from the day of the export

            --until includes the whole year, month or day, and --in 2024 is all of it. --last 18m counts whole days back from the day of the \
            export; the units are d, w, m and y. Answers about the last days end with that day, and say if samples are \
            dated later, such as predictions.

            A day is a day in the time zone of the export: the most recent zone that a sample names and whose offset \
            is that of the export, otherwise that offset. It is stored in the archive and does not depend on the \
            computer. 'healthvault inspect' shows it; commands that answer questions accept another one with --tz. \
            Weeks start on Monday, or as set with --week-start.
            """)

    static let sources = HelpTopic(
        name: "sources", summary: "what can be read",
        text: """
            SOURCE is one of these:

              export.zip           what the Health app exports: tap your picture, then
                                   "Export All Health Data"
              a folder             the same, unpacked
              export.xml           only the main file of it; - for standard input
              health.hvault        an archive, asked for its passphrase
              health.hvault.001    the first part of a split archive
              a folder             with archives that continue each other
              a folder             with a plain export of this program

            A damaged source is refused. --accept-damaged reads what is left of it, lists what was skipped, and ends \
            with status 3. Zip files cannot be read from standard input, because their directory is at the end.
            """)
}
