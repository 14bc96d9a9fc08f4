#ifndef DATACTL_CZLIB_SHIM_H
#define DATACTL_CZLIB_SHIM_H

// The types of the zlib functions that datactl calls. The library itself is loaded with `dlopen`
// when compressed input is read, or when a response is compressed.

// `z_stream`. The pointers to functions and to the state are null before `inflateInit2_` and
// `deflateInit2_`.
typedef struct datactl_zlib_stream {
  const unsigned char *next_in;
  unsigned int available_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned int available_out;
  unsigned long total_out;
  const char *message;
  void *state;
  void *allocate;
  void *free;
  void *context;
  int data_type;
  unsigned long checksum;
  unsigned long reserved;
} datactl_zlib_stream;

enum {
  // The largest window, 15, plus 16 for the gzip format with its checksum.
  datactl_zlib_gzip_window = 15 + 16,
  // The fastest level (`Z_BEST_SPEED`), the only method (`Z_DEFLATED`), the usual use of memory, and
  // `Z_DEFAULT_STRATEGY`
  datactl_zlib_fastest = 1,
  datactl_zlib_deflated = 8,
  datactl_zlib_memory = 8,
  datactl_zlib_default_strategy = 0,
  // `Z_SYNC_FLUSH` and `Z_FINISH`
  datactl_zlib_sync_flush = 2,
  datactl_zlib_finish = 4,
  // `Z_NO_FLUSH`, and the results `Z_OK`, `Z_STREAM_END`, `Z_MEM_ERROR` and `Z_BUF_ERROR`.
  datactl_zlib_no_flush = 0,
  datactl_zlib_ok = 0,
  datactl_zlib_stream_end = 1,
  datactl_zlib_memory_error = -4,
  datactl_zlib_buffer_error = -5
};

typedef int (*datactl_zlib_init)(
    datactl_zlib_stream *, int window, const char *version, int stream_size);
typedef int (*datactl_zlib_deflate_init)(
    datactl_zlib_stream *, int level, int method, int window, int memory, int strategy,
    const char *version, int stream_size);
// `inflate` and `deflate`
typedef int (*datactl_zlib_step)(datactl_zlib_stream *, int flush);
typedef int (*datactl_zlib_stream_function)(datactl_zlib_stream *);

#endif
