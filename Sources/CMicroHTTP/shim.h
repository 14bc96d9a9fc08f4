#ifndef DATACTL_CMICROHTTP_SHIM_H
#define DATACTL_CMICROHTTP_SHIM_H

#include <stddef.h>
#include <stdint.h>

// The types of the libmicrohttpd functions that datactl calls. The library itself is loaded with
// `dlopen` when a server is started.

typedef struct datactl_mhd_daemon *datactl_mhd_daemon_ref;
typedef struct datactl_mhd_connection *datactl_mhd_connection_ref;
typedef struct datactl_mhd_response *datactl_mhd_response_ref;

enum {
  // `MHD_NO` and `MHD_YES`
  datactl_mhd_no = 0,
  datactl_mhd_yes = 1,

  // Flags of `MHD_start_daemon`: `MHD_USE_ERROR_LOG`, `MHD_USE_TLS`,
  // `MHD_USE_INTERNAL_POLLING_THREAD`, `MHD_USE_EPOLL` and `MHD_ALLOW_SUSPEND_RESUME`
  datactl_mhd_use_error_log = 1,
  datactl_mhd_use_tls = 2,
  datactl_mhd_use_polling_thread = 8,
  datactl_mhd_use_epoll = 512,
  datactl_mhd_allow_suspension = 8192 | 1024,

  // `MHD_HEADER_KIND`
  datactl_mhd_header_kind = 1,
  // `MHD_RESPMEM_MUST_COPY`
  datactl_mhd_copied_memory = 2,

  // `MHD_CONTENT_READER_END_OF_STREAM` and `MHD_CONTENT_READER_END_WITH_ERROR`
  datactl_mhd_end_of_stream = -1,
  datactl_mhd_end_with_error = -2,

  // `MHD_CONNECTION_INFO_CLIENT_ADDRESS`, `MHD_CONNECTION_INFO_CONNECTION_FD`,
  // `MHD_CONNECTION_INFO_SOCKET_CONTEXT` and `MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE`
  datactl_mhd_client_address = 2,
  datactl_mhd_connection_descriptor = 6,
  datactl_mhd_header_size = 10,

  // `MHD_CONNECTION_NOTIFY_STARTED`
  datactl_mhd_connection_started = 0,
  // `MHD_REQUEST_TERMINATED_COMPLETED_OK`
  datactl_mhd_request_completed = 0
};

// Options of `MHD_start_daemon`
enum {
  datactl_mhd_option_end = 0,
  datactl_mhd_option_memory_limit = 1,
  datactl_mhd_option_connection_limit = 2,
  datactl_mhd_option_timeout = 3,
  datactl_mhd_option_completed = 4,
  datactl_mhd_option_address_limit = 5,
  datactl_mhd_option_uri_callback = 7,
  datactl_mhd_option_tls_key = 8,
  datactl_mhd_option_tls_certificate = 9,
  datactl_mhd_option_listen_socket = 12,
  datactl_mhd_option_logger = 13,
  datactl_mhd_option_thread_count = 14,
  datactl_mhd_option_array = 15,
  datactl_mhd_option_unescape_callback = 16,
  datactl_mhd_option_connection_callback = 27,
  datactl_mhd_option_strictness = 29
};

// `struct MHD_OptionItem`
typedef struct datactl_mhd_option {
  int option;
  intptr_t value;
  void *pointer;
} datactl_mhd_option;

typedef int (*datactl_mhd_accept_policy)(
    void *context, const void *address, unsigned int address_size);
typedef int (*datactl_mhd_handler)(
    void *context, datactl_mhd_connection_ref connection, const char *path, const char *method,
    const char *version, const char *body, size_t *body_size, void **request);
typedef void (*datactl_mhd_completion)(
    void *context, datactl_mhd_connection_ref connection, void **request, int reason);
typedef void (*datactl_mhd_connection_callback)(
    void *context, datactl_mhd_connection_ref connection, void **socket_context, int code);
typedef void *(*datactl_mhd_uri_callback)(
    void *context, const char *uri, datactl_mhd_connection_ref connection);
typedef size_t (*datactl_mhd_unescape_callback)(
    void *context, datactl_mhd_connection_ref connection, char *text);
typedef int (*datactl_mhd_header_iterator)(
    void *context, int kind, const char *name, size_t name_size, const char *value,
    size_t value_size);
// The arguments are a `va_list`, which functions pass by its address.
typedef void (*datactl_mhd_log)(void *context, const char *format, void *arguments);
typedef ptrdiff_t (*datactl_mhd_content_reader)(
    void *context, uint64_t position, char *buffer, size_t size);
typedef void (*datactl_mhd_free)(void *context);

typedef datactl_mhd_daemon_ref (*datactl_mhd_start_daemon)(
    unsigned int flags, uint16_t port, datactl_mhd_accept_policy accept, void *accept_context,
    datactl_mhd_handler handler, void *context, ...);
typedef const char *(*datactl_mhd_version)(void);
typedef void (*datactl_mhd_stop_daemon)(datactl_mhd_daemon_ref);
typedef int (*datactl_mhd_quiesce_daemon)(datactl_mhd_daemon_ref);
typedef void (*datactl_mhd_connection_function)(datactl_mhd_connection_ref);
typedef const void *(*datactl_mhd_connection_info)(datactl_mhd_connection_ref, int kind, ...);
typedef int (*datactl_mhd_headers)(
    datactl_mhd_connection_ref, int kind, datactl_mhd_header_iterator, void *context);
typedef datactl_mhd_response_ref (*datactl_mhd_buffer_response)(
    size_t size, const void *bytes, int mode);
typedef datactl_mhd_response_ref (*datactl_mhd_stream_response)(
    uint64_t size, size_t block_size, datactl_mhd_content_reader, void *context, datactl_mhd_free);
typedef int (*datactl_mhd_add_header)(
    datactl_mhd_response_ref, const char *name, const char *value);
typedef int (*datactl_mhd_queue_response)(
    datactl_mhd_connection_ref, unsigned int status, datactl_mhd_response_ref);
typedef void (*datactl_mhd_destroy_response)(datactl_mhd_response_ref);

// Swift cannot call variadic functions.

static inline datactl_mhd_daemon_ref datactl_mhd_start(
    datactl_mhd_start_daemon start, unsigned int flags, datactl_mhd_accept_policy accept,
    datactl_mhd_handler handler, void *context, const datactl_mhd_option *options) {
  return start(
      flags, 0, accept, context, handler, context, datactl_mhd_option_array, options,
      datactl_mhd_option_end);
}

// Returns the descriptor of a connection's socket, or -1.
static inline int datactl_mhd_descriptor(
    datactl_mhd_connection_info info, datactl_mhd_connection_ref connection) {
  const int *descriptor = (const int *)info(connection, datactl_mhd_connection_descriptor);
  return descriptor == NULL ? -1 : *descriptor;
}

// Returns the size of a request's header in bytes.
static inline size_t datactl_mhd_size_of_header(
    datactl_mhd_connection_info info, datactl_mhd_connection_ref connection) {
  const size_t *size = (const size_t *)info(connection, datactl_mhd_header_size);
  return size == NULL ? 0 : *size;
}

// Returns the address of the client as `struct sockaddr *`, or null.
static inline const void *datactl_mhd_address(
    datactl_mhd_connection_info info, datactl_mhd_connection_ref connection) {
  const void *const *address = (const void *const *)info(connection, datactl_mhd_client_address);
  return address == NULL ? NULL : *address;
}

#endif
