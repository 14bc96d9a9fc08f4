#ifndef DATACTL_CGLIBC_SHIM_H
#define DATACTL_CGLIBC_SHIM_H

#include <spawn.h>
#include <unistd.h>

// Closes all descriptors from `first` on in a program that is started
// (`posix_spawn_file_actions_addclosefrom_np`). Swift does not import this extension of glibc.
// Elsewhere, the program inherits the descriptors that are not marked `FD_CLOEXEC`.
#ifdef __GLIBC__
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
#endif
// Flushes the file system that contains an open file to the disk (`syncfs`), or all file systems
// where this function does not exist.
#ifdef __GLIBC__
extern int syncfs(int);
#endif

static inline int datactl_sync_file_system(int descriptor) {
#ifdef __GLIBC__
  return syncfs(descriptor);
#else
  (void)descriptor;
  sync();
  return 0;
#endif
}

// Returns the environment variables of the process (`environ`), which Swift imports as a variable
// that is not safe to use.
static inline char **datactl_environment(void) {
  extern char **environ;
  return environ;
}

static inline int datactl_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
#ifdef __GLIBC__
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
#else
  (void)actions;
  (void)first;
  return 0;
#endif
}

#endif
