#ifndef HARNESS_H
#define HARNESS_H

#include <spawn.h>
#include <stddef.h>

/// What glibc declares for GNU programs alone, and Swift therefore does not see.

enum { harness_new_session = 0x80 };

/// Makes a pipe that no child inherits by accident.
int harness_pipe(int ends[2]);

/// Makes the child begin in a folder.
int harness_add_folder(posix_spawn_file_actions_t *actions, const char *folder);

/// Opens a terminal of a width, writes the path of its other end, and gives our end, or -1.
int harness_open_terminal(int columns, char *path, size_t size);

#endif
