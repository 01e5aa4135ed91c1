"""A command on a terminal of its own."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import threading
import time

from vault import BINARY, PATIENCE, environment, is_idle, wait_until

QUESTION = re.compile(r"(?:assphrase|archive|hvault|part|or no\)): *$")


class Terminal:
    """A command that runs on a terminal, and what it has shown there."""

    def __init__(self, folder, *arguments, term="xterm", outputs=(), gate=None, columns=None, **more):
        """`outputs` are files that get standard output and standard error in place of the terminal, `more` variables."""
        self.text, self.all, self.answered = "", "", 0
        self.process, self.end = pty.fork()
        if self.process == 0:
            try:
                os.chdir(folder)
                if columns:
                    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
                for number, name in enumerate(outputs, start=1):
                    os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT, 0o600), number)
                for number in gate.pass_fds if gate else ():
                    os.set_inheritable(number, True)
                os.execve(BINARY, [BINARY, *map(str, arguments)],
                          environment(TERM=term, **gate.environment if gate else {}, **more))
            finally:
                os._exit(127)
        if gate:
            gate.started()

    def read(self, seconds):
        """More of what is shown; False at the end."""
        if not select.select([self.end], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.end, 65536)
        except OSError:  # Linux reports the end of a terminal so.
            return False
        self.text += data.decode(errors="replace")
        self.all += data.decode(errors="replace")
        return bool(data)

    def expect(self, text):
        """Waits for a text; what is shown behind it is left for the next one."""
        until = time.monotonic() + PATIENCE
        while text not in self.text:
            if not self.read(0.2) or time.monotonic() > until:
                raise AssertionError(f"{text!r} was not shown: {self.text!r}")
        self.text = self.text[self.text.index(text) + len(text):]

    def type(self, text):
        os.write(self.end, text.encode())

    def answer(self, *answers):
        """Answers questions in turn; the status, once all was shown."""
        for answer in answers:
            until = time.monotonic() + PATIENCE
            while not QUESTION.search(self.text, self.answered):
                if not self.read(0.2) or time.monotonic() > until:
                    return self.close()
            self.answered = len(self.text)
            self.type(answer + "\n")
        return self.close()

    def wait_until_silent(self):
        """Waits until what is typed is not shown, so that it is an answer."""
        wait_until(lambda: not self.echoes())

    def echoes(self):
        return bool(termios.tcgetattr(self.end)[3] & termios.ECHO)

    def close(self):
        """The status, once all was shown."""
        until = time.monotonic() + PATIENCE
        while self.read(0.2) and time.monotonic() < until:
            if os.waitid(os.P_PID, self.process, os.WEXITED | os.WNOWAIT | os.WNOHANG):
                self.read(0.2)
                break
        else:
            if time.monotonic() >= until:
                os.kill(self.process, signal.SIGKILL)
        _, status = os.waitpid(self.process, 0)
        return os.waitstatus_to_exitcode(status)

    def calls_until(self, gate, condition):
        """Lets it make its calls, until a condition holds; to be waited for with `join`, since questions come meanwhile."""
        def go_on():
            while gate.next():
                # Keys are derived meanwhile.
                wait_until(lambda: is_idle(self.process))
                if condition():
                    return
        thread = threading.Thread(target=go_on)
        thread.start()
        return thread

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.end)
