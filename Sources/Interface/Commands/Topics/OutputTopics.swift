import CommandLineKit

/// The pages of the manual on what is written: formats, exit statuses and the archive.
extension HelpTopic {
    static let formats = HelpTopic(
        name: "formats", summary: "the formats of exports, and which one to use",
        text: """
            'healthvault export' and 'healthvault decrypt' write one or several of these formats with --format, or \
            the one that the extension of --output names:

              ndjson       a folder of text files, a JSON object on each line;
                           complete, the default
              json         one JSON document
              csv          a table for each type, for spreadsheets and pandas
              sqlite       a database, for sqlite3, Datasette and DuckDB
              apple-xml    what the Health app exported, byte for byte
              fhir         HL7 FHIR resources, for clinical systems

            With --encrypt the output is an archive, which can be converted to each of them later. The result is the \
            same from an export, an archive or a plain folder.
            """)

    static let exitStatus = HelpTopic(
        name: "exit-status", summary: "what the status of a command means",
        text: """
              0      done
              1      failed for a reason not listed here
              2      invalid command line, or no usable passphrase
              3      finished, but incomplete: something was damaged or skipped
              10     no such file, session, entry or destination, or nothing matches
              11     in use by another process
              12     wrong passphrase
              13     damaged, truncated or tampered with
              14     not an archive or source that this version supports
              15     no space left
              16     the output already exists
              75     a drive is not connected, or a server cannot be reached; try later
              129    the terminal was closed
              130    interrupted with Ctrl-C
              143    terminated

            Results go to standard output, everything else to standard error. With --json an error is JSON as well.
            """)

    static let archive = HelpTopic(
        name: "archive", summary: "the format of encrypted archives, in short",
        text: """
            An archive is a file with the extension .hvault. All its bytes but the headers are encrypted and \
            authenticated. This is an overview; SECURITY.md, installed with the documentation of this program, \
            specifies every byte: with it alone, a reader can be written.

              4096 bytes     header: the letters HVLT, the version, eight key slots
              segments       of 1 MiB each, in chunks of 16 KiB
              padding        up to the size class of the archive
              4096 bytes     the header again

            A key slot contains the key of the file, encrypted with AES-256-GCM under a key that PBKDF2-HMAC-SHA-512 \
            derives from a passphrase with 1,000,000 iterations. Each segment has a random salt, from which its own \
            key is derived. Changed, missing, added and reordered bytes are detected.

            The segments contain a tar stream: session.json, then batches of samples by type and span of time, \
            compressed with zstd, the other files of the export, and manifest.json. An index at the end names the \
            place and the SHA-256 of each entry, to read one type or month without the rest.

            An archive can continue another one, whose name it does not depend on: keep such archives in one folder. \
            A split archive is the same bytes in files called .001, .002 and so on.

            decrypt.py, installed beside SECURITY.md, opens archives wherever Python runs.
            """, describesFormat: true)
}
