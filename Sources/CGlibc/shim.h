#ifndef DATACTL_CGLIBC_SHIM_H
#define DATACTL_CGLIBC_SHIM_H

#include <elf.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
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

#ifdef __GLIBC__
// The start of `struct dl_phdr_info`: where a program or shared library is loaded, and its segments.
typedef struct datactl_object {
  uintptr_t address;
  const char *name;
#if __SIZEOF_POINTER__ == 8
  const Elf64_Phdr *segments;
#else
  const Elf32_Phdr *segments;
#endif
  uint16_t count;
} datactl_object;

// The start of `struct dl_find_object`. libgcc uses only the table for unwinding the stack.
typedef struct datactl_found_object {
  unsigned long long flags;
  void *start;
  void *end;
  void *link_map;
  void *unwind_table;
} datactl_found_object;

extern int dl_iterate_phdr(int (*)(datactl_object *, size_t, void *), void *);

static inline int datactl_match_object(datactl_object *object, size_t size, void *context) {
  (void)size;
  datactl_found_object *found = (datactl_found_object *)context;
  uintptr_t address = (uintptr_t)found->start;
  int matches = 0;
  void *table = 0;
  for (int index = 0; index < object->count; index++) {
    uintptr_t start = object->address + object->segments[index].p_vaddr;
    if (object->segments[index].p_type == PT_GNU_EH_FRAME) table = (void *)start;
    if (object->segments[index].p_type != PT_LOAD) continue;
    if (address - start < object->segments[index].p_memsz) matches = 1;
  }
  if (matches) found->unwind_table = table;
  return matches;
}

// Finds the program or shared library that contains an address, as `_dl_find_object` of glibc 2.35
// does. Returns 0, or -1 if there is none.
static inline int datactl_find_object(void *address, void *result) {
  datactl_found_object *found = (datactl_found_object *)result;
  found->start = address;
  found->unwind_table = 0;
  return dl_iterate_phdr(datactl_match_object, found) ? 0 : -1;
}
#endif

#endif
