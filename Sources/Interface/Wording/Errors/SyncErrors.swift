package import HealthVault
package import SystemIO

extension SyncError: WordedError {
    /// What to do next.
    package var advice: TerminalText {
        switch code {
        case .unavailable, .noSpecifiedTypes:
            "'healthvault inspect' shows what a source contains"
        case .operationCancelled: "run the same command to continue"
        case .notSupported, .noStateFolder: ""
        case .invalidTarget: "'healthvault help sync' shows what a target looks like"
        case .passwordInTarget:
            "put it into ~/.pgpass, passfile= or a service file, or a token into --token-file"
        case .inUse: "wait until it finishes, or stop it"
        case .doubtful(let doubt): doubt.advice
        case .foreignTarget: "use a new path, or one that 'sync' has filled"
        case .othersTarget:
            "name a schema of your own: ?options=-csearch_path%3DSCHEMA at the end of the location"
        case .unreadableAnchors: "--restart compares everything with the target again"
        case .missingLibrary(let name):
            "install it: sudo apt-get install \(TerminalText(escaping: name))"
        case .unreachable: "run the same command to continue once it can be reached"
        case .untrusted:
            "if an authority of your own has signed it, name the authority's certificate with --ca-file"
        case .missingDatabase: "create it, or check the name in the location"
        case .notPermitted:
            "ask its owner to GRANT USAGE, CREATE ON SCHEMA, or name a schema of your own: "
                + "?options=-csearch_path%3DSCHEMA at the end of the location"
        case .missingToken: "check --token-file"
        case .refused: "check the user, and the password or token"
        case .targetFailed, .unsuitable, .unsuitableType:
            "what was done is kept: run the same command to continue"
        case .targetFull:
            "free some space: what was done is kept, and the same command continues it"
        case .targetLocked: "run the same command to continue once it is free"
        case .targetDamaged: "use a new target, which gets everything again"
        }
    }
}

extension SubjectDoubt: WordedError {
    /// What to do next.
    package var advice: TerminalText {
        switch self {
        case .other: "nothing was changed; use a place of its own for each person"
        case .older: "nothing was changed; use the newest export, or --allow-older"
        case .deletions: "nothing was changed; if that is right, use --allow-deletions"
        case .unnamed(let person):
            "nothing was changed; use --person \(ShellQuoting.quote(BytePath(person)))"
        case .many: "nothing was changed; name the person with --person"
        case .named(let person):
            "nothing was changed; use --person \(ShellQuoting.quote(BytePath(person))), or a place of its own for each person"
        }
    }
}
