"""What is typed and what is said, whatever the command: usage, reports, slips, messages on a terminal, completions."""
