import Glibc

/// The shells that completion scripts are tried in, where they are installed.
struct ShellCheck {
    let path: String

    /// The shell of this name in one of the usual folders.
    init?(_ name: String) {
        let candidates = ["/usr/bin/\(name)", "/bin/\(name)", "/usr/local/bin/\(name)"]
        guard let path = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else { return nil }
        self.path = path
    }

    static func isInstalled(_ name: String) -> Bool { ShellCheck(name) != nil }

    /// Runs the shell with these arguments and gives its exit status; -1 if it cannot be run.
    func status(_ arguments: [String], silent: Bool = false) -> Int32 {
        let argv = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        let environment = unsafe [strdup("LC_ALL=C.UTF-8"), strdup("HOME=/nonexistent"), nil]
        defer { unsafe environment.forEach { unsafe free($0) } }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        if silent {
            unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        var process: pid_t = 0
        guard unsafe posix_spawn(&process, path, &actions, nil, argv, environment) == 0 else { return -1 }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return -1 }
        }
        return status & 0x7f == 0 ? status >> 8 & 0xff : -1
    }
}
