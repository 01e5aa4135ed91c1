"""What happens to a command meanwhile: calls that fail, full disks, signals, other processes, paths that change."""
