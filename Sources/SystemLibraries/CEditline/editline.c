#define _GNU_SOURCE

#include "CEditline.h"

#include <dlfcn.h>
#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

struct editline {
    EditLine *editor;
    History *history;
    FILE *input, *output;
    const char *prompt;
    editline_completer complete;
    void *context;
    int patience, outcome;
    // A byte that ended a character which is none, and begins the next one; -1 if there is none.
    int pushed_back;
};

// The functions of the library that are used.
static struct {
    __typeof__(&el_init) init;
    __typeof__(&el_end) end;
    __typeof__(&el_set) set;
    __typeof__(&el_get) get;
    __typeof__(&el_gets) gets;
    __typeof__(&el_line) line;
    __typeof__(&el_insertstr) insertstr;
    __typeof__(&history_init) history_init;
    __typeof__(&history_end) history_end;
    __typeof__(&history) history;
} library;

static bool load(void) {
    void *handle = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!handle) handle = dlopen("libedit.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return false;
    struct {
        const char *name;
        void **place;
    } wanted[] = {
        {"el_init", (void **)&library.init},
        {"el_end", (void **)&library.end},
        {"el_set", (void **)&library.set},
        {"el_get", (void **)&library.get},
        {"el_gets", (void **)&library.gets},
        {"el_line", (void **)&library.line},
        {"el_insertstr", (void **)&library.insertstr},
        {"history_init", (void **)&library.history_init},
        {"history_end", (void **)&library.history_end},
        {"history", (void **)&library.history},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        *wanted[i].place = dlsym(handle, wanted[i].name);
        if (!*wanted[i].place) return false;
    }
    return true;
}

static volatile sig_atomic_t interrupted;

static void remember_interruption(int signal) {
    (void)signal;
    interrupted = 1;
}

static time_t seconds(void) {
    // The time that the computer slept counts.
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return now.tv_sec;
}

int editline_wait(int input, int patience) {
    time_t end = seconds() + patience;
    for (;;) {
        // Waking from sleep does not end a poll, so that none may be long.
        struct pollfd wanted = {.fd = input, .events = POLLIN};
        time_t left = end - seconds();
        if (left <= 0) return editline_idle;
        int ready = poll(&wanted, 1, left < 2 ? (int)left * 1000 : 2000);
        if (seconds() >= end) return editline_idle;
        if (ready > 0) return editline_line;
        if (interrupted) return editline_interrupted;
        if (ready < 0 && errno != EINTR) return editline_line;
    }
}

static struct editline *owner(EditLine *editor) {
    void *self = NULL;
    library.get(editor, EL_CLIENTDATA, &self);
    return self;
}

// A byte of a character, or -1 at the end and when nobody types any more.
static int read_byte(struct editline *self) {
    if (self->pushed_back >= 0) {
        int byte = self->pushed_back;
        self->pushed_back = -1;
        return byte;
    }
    self->outcome = editline_wait(fileno(self->input), self->patience);
    if (self->outcome != editline_line) return -1;
    unsigned char byte;
    ssize_t count;
    do count = read(fileno(self->input), &byte, 1);
    while (count < 0 && errno == EINTR && !interrupted);
    if (count == 1) return byte;
    self->outcome = interrupted ? editline_interrupted : editline_ended;
    return -1;
}

static int read_character(EditLine *editor, wchar_t *character) {
    struct editline *self = owner(editor);
    mbstate_t state = {0};
    for (bool is_first = true;; is_first = false) {
        int byte = read_byte(self);
        if (byte < 0) return is_first && self->outcome == editline_ended ? 0 : -1;
        char text = (char)byte;
        size_t length = mbrtowc(character, &text, 1, &state);
        if (length == (size_t)-1) {
            // What is not UTF-8 must not become a key that does something, nor take the key behind it with it.
            *character = 0xfffd;
            if (!is_first) self->pushed_back = byte;
        }
        if (length != (size_t)-2) return 1;
    }
}

static char *prompt(EditLine *editor) { return (char *)owner(editor)->prompt; }

static unsigned char complete(EditLine *editor, int key) {
    (void)key;
    struct editline *self = owner(editor);
    const LineInfo *info = library.line(editor);
    char *line = strndup(info->buffer, (size_t)(info->cursor - info->buffer));
    char *list = NULL;
    char *insertion = line ? self->complete(self->context, line, &list) : NULL;
    bool inserted = insertion && *insertion && library.insertstr(editor, insertion) == 0;
    if (list && *list) fprintf(self->output, "\n%s\n", list);
    unsigned char answer = list && *list ? CC_REDISPLAY : inserted ? CC_REFRESH : CC_REFRESH_BEEP;
    free(line);
    free(insertion);
    free(list);
    return answer;
}

editline *editline_open(int input, int output, editline_completer completer, void *context) {
    if (!library.history && !load()) return NULL;
    // The library reads and shows what is typed in the locale's encoding.
    if (!setlocale(LC_CTYPE, "C.UTF-8")) return NULL;
    struct editline *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->complete = completer;
    self->context = context;
    self->prompt = "";
    self->pushed_back = -1;
    self->input = fdopen(dup(input), "r");
    self->output = fdopen(dup(output), "w");
    if (self->input && self->output) {
        setvbuf(self->output, NULL, _IONBF, 0);
        self->editor = library.init("healthvault", self->input, self->output, self->output);
        self->history = library.history_init();
    }
    if (!self->editor || !self->history) {
        editline_close(self);
        return NULL;
    }
    HistEvent event;
    library.history(self->history, &event, H_SETSIZE, 500);
    library.history(self->history, &event, H_SETUNIQUE, 1);
    library.set(self->editor, EL_CLIENTDATA, self);
    library.set(self->editor, EL_PROMPT, prompt);
    library.set(self->editor, EL_EDITOR, "emacs");
    library.set(self->editor, EL_HIST, library.history, self->history);
    library.set(self->editor, EL_GETCFN, read_character);
    // Signals find the terminal as it was.
    library.set(self->editor, EL_SIGNAL, 1);
    library.set(self->editor, EL_ADDFN, "complete", "Completes the word", complete);
    library.set(self->editor, EL_BIND, "^I", "complete", NULL);
    library.set(self->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
    return self;
}

int editline_read(editline *self, const char *text, int patience, const char **line, size_t *length) {
    struct sigaction action = {.sa_handler = remember_interruption}, former;
    interrupted = 0;
    (void)sigaction(SIGINT, &action, &former);
    // A signal that the process was started to ignore stays ignored.
    if (former.sa_handler == SIG_IGN) (void)sigaction(SIGINT, &former, NULL);
    self->prompt = text;
    self->patience = patience;
    self->outcome = editline_ended;
    int count = 0;
    *line = library.gets(self->editor, &count);
    *length = *line && count > 0 ? (size_t)count : 0;
    (void)sigaction(SIGINT, &former, NULL);
    int outcome = *line && count > 0 ? editline_line : self->outcome == editline_line ? editline_ended : self->outcome;
    interrupted = 0;
    if (outcome != editline_line) fputs("\n", self->output);
    return outcome;
}

void editline_remember(editline *self, const char *line) {
    HistEvent event;
    library.history(self->history, &event, H_ENTER, line);
}

void editline_close(editline *self) {
    if (self->history) library.history_end(self->history);
    if (self->editor) library.end(self->editor);
    if (self->input) fclose(self->input);
    if (self->output) fclose(self->output);
    free(self);
}
