#ifndef HARNESS_H
#define HARNESS_H

#include <spawn.h>
#include <stddef.h>

/// Wrappers for GNU extensions that glibc hides from Swift unless `_GNU_SOURCE` is defined.

enum { harness_new_session = 0x80 };

/// Creates a pipe whose descriptors are closed on exec (`pipe2` with `O_CLOEXEC`).
int harness_pipe(int ends[2]);

/// Closes all other files of the test process in the spawned process, and keeps only its standard
/// streams (`posix_spawn_file_actions_addclosefrom_np`).
int harness_close_other_files(posix_spawn_file_actions_t *actions);

/// Makes the spawned process start in the given folder (`posix_spawn_file_actions_addchdir_np`).
int harness_add_folder(posix_spawn_file_actions_t *actions, const char *folder);

/// Opens a pseudo-terminal with the given width, and writes the path of the child's side to `path`.
/// Returns the descriptor of the controlling side, or -1.
int harness_open_terminal(int columns, char *path, size_t size);

#endif
