#ifndef DATACTL_CSODIUM_SHIM_H
#define DATACTL_CSODIUM_SHIM_H

#include <stddef.h>

// The types of the libsodium functions that datactl calls. The library itself is loaded with
// `dlopen` when a password is hashed or verified.

enum {
  datactl_sodium_hash_bytes = 128,
  datactl_sodium_interactive_operations = 2,
  datactl_sodium_interactive_memory = 64 * 1024 * 1024
};

typedef int (*datactl_sodium_init)(void);

typedef int (*datactl_sodium_pwhash_str)(
    char *hash, const char *password, unsigned long long password_length,
    unsigned long long operations, size_t memory);

typedef int (*datactl_sodium_pwhash_str_verify)(
    const char *hash, const char *password, unsigned long long password_length);

#endif
