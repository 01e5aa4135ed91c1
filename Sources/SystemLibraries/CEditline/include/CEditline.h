// A line editor for the terminal: libedit, loaded when it is first used, so that no other command starts later for it.

#ifndef CEDITLINE_H
#define CEDITLINE_H

#include <stddef.h>

typedef struct editline editline;

/// Answers the Tab key. `line` is the text before the cursor. Returns what to insert there, and sets `list` to what to show
/// below the line; both come from malloc, or are NULL.
typedef char *(*editline_completer)(void *context, const char *line, char **list);

/// What came of reading.
enum { editline_ended, editline_line, editline_idle, editline_interrupted };

/// Starts an editor on a terminal. Returns NULL if the library is missing or does not know the terminal.
editline *editline_open(int input, int output, editline_completer complete, void *context);

/// Reads a line, which stays valid until the next call, with its line end. Gives up when no key was pressed for `patience`
/// seconds, including those that the computer slept, or at an interruption (Ctrl-C).
int editline_read(editline *self, const char *prompt, int patience, const char **line, size_t *length);

/// Adds a line to the history, which is kept in memory alone.
void editline_remember(editline *self, const char *line);

/// Ends the editor and forgets its history.
void editline_close(editline *self);

/// Waits for input in the same way. Returns `editline_line` if there is some, or the input has ended.
int editline_wait(int input, int patience);

#endif
