"""No command opens a socket, but sync for a target that is a server, and then to that server only."""
import unittest

from vault import OPEN, SECRET, SHIPPED, SHIPPED_ENCRYPT, SHIPPED_ITERATIONS, TracedTest, generated


class NoNetwork(TracedTest):
    program = SHIPPED

    def check(self, *arguments, status=0):
        result, lines = self.trace(["-e", "trace=network", "-e", "signal=none"], *arguments)
        self.assertEqual(result.status, status, result.stderr)
        calls = [line for line in lines if not line.startswith("+++")]
        self.assertEqual(calls, [], arguments)

    # SECURITY.md: "sees nothing of any command but `sync`"
    def test_exporting(self):
        export = generated()
        self.check("export", export.zip, "-o", "plain")
        self.check("export", export.folder, "-o", "a.hvault", *SHIPPED_ENCRYPT)
        self.check("export", export.xml, "-o", "b.hvault", "-e", *SHIPPED_ITERATIONS, "--passphrase-command",
                   f"cat '{SECRET}'")

    # SECURITY.md: "sees nothing of any command but `sync`"
    def test_reading_back(self):
        export = generated()
        self.check("decrypt", export.archive, "-o", "out", *OPEN)
        self.check("decrypt", export.archive, "--tar", *OPEN)
        self.check("verify", export.archive, "--source", export.zip, *OPEN)
        self.check("verify", export.plain)
        for source in export.zip, export.archive, export.plain:
            self.check("inspect", source)
        self.check("report", export.archive, "-o", "report.html", *OPEN)
        self.check("chart", export.archive, "stepCount", "-o", "chart.svg", *OPEN)

    def test_synchronising_with_files(self):
        export = generated()
        self.check("changes", export.zip, "--since", export.archive, *OPEN)
        self.check("sync", export.zip, "--target", "sqlite:health.db")
        self.check("sync", export.zip, "--target", "dir:samples", "--types", "bodyMass")
        self.check("watch", ".", "--then", "sync", "--target", "sqlite:health.db", "--once", "--state-dir", "state")

    def test_a_server_is_the_only_one_that_is_connected_to(self):
        result, lines = self.trace(["-e", "trace=connect", "-e", "signal=none"], "sync", generated().zip, "--target",
                                   "postgresql:///health?host=/nonexistent&user=nobody")
        self.assertEqual(result.status, 75, result.stderr)
        calls = [line for line in lines if line.startswith("connect(")]
        self.assertTrue(calls)
        # Looking up the user asks the name service on this computer.
        others = [line for line in calls if "/nonexistent/.s.PGSQL.5432" not in line and "/var/run/nscd" not in line]
        self.assertEqual(others, [])

    # SECURITY.md: "sees nothing of any command but `sync`"
    def test_everything_else(self):
        self.check("types")
        self.check("completions", "bash")
        self.check("reader")
        self.check("--help")
        self.check("--version")
        self.check("export", "missing", status=10)

    def test_a_socket_would_be_seen(self):
        """The proof itself: a connection leaves a line in the trace."""
        result, lines = self.trace(["-e", "trace=network"], "export", generated().xml, "-o", "out.hvault", "-e",
                                   *SHIPPED_ITERATIONS, "--passphrase-command",
                                   f"/usr/bin/python3 -c 'import socket; socket.socket()'; cat '{SECRET}'")
        self.assertEqual(result.status, 0, result.stderr)
        self.assertTrue([line for line in lines if line.startswith("socket(")])


if __name__ == "__main__":
    unittest.main()
