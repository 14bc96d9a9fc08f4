#ifndef DATACTL_CSPAWN_SHIM_H
#define DATACTL_CSPAWN_SHIM_H

#include <spawn.h>

// Closes all descriptors from `first` on in a program that is started
// (`posix_spawn_file_actions_addclosefrom_np`). Swift does not import this extension of glibc.
// Elsewhere, the program inherits the descriptors that are not marked `FD_CLOEXEC`.
#ifdef __GLIBC__
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
#endif

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
