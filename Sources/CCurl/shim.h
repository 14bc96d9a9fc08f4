#ifndef DATACTL_CCURL_SHIM_H
#define DATACTL_CCURL_SHIM_H

#include <stddef.h>
#include <stdint.h>

// The types of the libcurl functions that datactl calls. The library itself is loaded with `dlopen`
// when a store on a server is used.

typedef struct datactl_curl_easy *datactl_curl_easy_ref;
typedef struct datactl_curl_multi *datactl_curl_multi_ref;

enum {
  // `CURL_GLOBAL_DEFAULT`
  datactl_curl_global_default = 3,
  // `CURL_ERROR_SIZE`
  datactl_curl_error_size = 256,
  // `CURL_WAIT_POLLIN`
  datactl_curl_wait_input = 1,
  // `CURLMSG_DONE`
  datactl_curl_message_done = 1,
  // `CURLPROTO_HTTP` and `CURLPROTO_HTTPS`
  datactl_curl_protocol_http = 1,
  datactl_curl_protocol_https = 2,
  // `CURLINFO_RESPONSE_CODE`
  datactl_curl_info_status = 0x200002
};

// Options of `curl_easy_setopt`
enum {
  datactl_curl_option_write_data = 10001,
  datactl_curl_option_url = 10002,
  datactl_curl_option_proxy = 10004,
  datactl_curl_option_read_data = 10009,
  datactl_curl_option_error_buffer = 10010,
  datactl_curl_option_user_agent = 10018,
  datactl_curl_option_http_headers = 10023,
  datactl_curl_option_header_data = 10029,
  datactl_curl_option_method = 10036,
  datactl_curl_option_post = 47,
  datactl_curl_option_certificates = 10065,
  datactl_curl_option_fresh_connection = 74,
  datactl_curl_option_certificate_folder = 10097,
  datactl_curl_option_codings = 10102,
  datactl_curl_option_buffer_size = 98,
  datactl_curl_option_no_signal = 99,
  datactl_curl_option_timeout = 155,
  datactl_curl_option_connect_timeout = 156,
  datactl_curl_option_seek_data = 10168,
  datactl_curl_option_protocols = 181,
  datactl_curl_option_socket_path = 10231,
  datactl_curl_option_keep_alive = 213,
  datactl_curl_option_suppress_proxy_headers = 265,
  datactl_curl_option_write_function = 20011,
  datactl_curl_option_read_function = 20012,
  datactl_curl_option_header_function = 20079,
  datactl_curl_option_seek_function = 20167,
  datactl_curl_option_body_size = 30120
};

// Results of transfers (`CURLcode`)
enum {
  datactl_curl_ok = 0,
  datactl_curl_bad_proxy = 5,
  datactl_curl_unknown_host = 6,
  datactl_curl_not_connected = 7,
  datactl_curl_no_encryption = 35,
  datactl_curl_no_response = 52,
  datactl_curl_bad_certificate = 60,
  datactl_curl_bad_certificates = 77
};

// `struct curl_waitfd`
typedef struct datactl_curl_descriptor {
  int descriptor;
  short events;
  short received;
} datactl_curl_descriptor;

// `struct CURLMsg`
typedef struct datactl_curl_message {
  int kind;
  datactl_curl_easy_ref easy;
  union {
    void *pointer;
    int result;
  } data;
} datactl_curl_message;

typedef struct datactl_curl_list datactl_curl_list;

typedef size_t (*datactl_curl_transfer)(char *buffer, size_t size, size_t count, void *context);
typedef int (*datactl_curl_seek)(void *context, int64_t offset, int origin);

typedef int (*datactl_curl_global_init)(long flags);
typedef datactl_curl_easy_ref (*datactl_curl_easy_init)(void);
typedef void (*datactl_curl_easy_function)(datactl_curl_easy_ref);
typedef int (*datactl_curl_easy_setopt)(datactl_curl_easy_ref, int option, ...);
typedef int (*datactl_curl_easy_getinfo)(datactl_curl_easy_ref, int info, ...);
typedef const char *(*datactl_curl_easy_strerror)(int result);
typedef datactl_curl_list *(*datactl_curl_list_append)(datactl_curl_list *, const char *text);
typedef void (*datactl_curl_list_free)(datactl_curl_list *);
typedef datactl_curl_multi_ref (*datactl_curl_multi_init)(void);
typedef int (*datactl_curl_multi_cleanup)(datactl_curl_multi_ref);
typedef int (*datactl_curl_multi_handle)(datactl_curl_multi_ref, datactl_curl_easy_ref);
typedef int (*datactl_curl_multi_perform)(datactl_curl_multi_ref, int *running);
typedef int (*datactl_curl_multi_poll)(
    datactl_curl_multi_ref, datactl_curl_descriptor *descriptors, unsigned int count,
    int milliseconds, int *ready);
typedef datactl_curl_message *(*datactl_curl_multi_read)(datactl_curl_multi_ref, int *remaining);

// Swift cannot call variadic functions.

static inline int datactl_curl_set_number(
    datactl_curl_easy_setopt set, datactl_curl_easy_ref easy, int option, long value) {
  return set(easy, option, value);
}

static inline int datactl_curl_set_offset(
    datactl_curl_easy_setopt set, datactl_curl_easy_ref easy, int option, int64_t value) {
  return set(easy, option, value);
}

static inline int datactl_curl_set_pointer(
    datactl_curl_easy_setopt set, datactl_curl_easy_ref easy, int option, const void *value) {
  return set(easy, option, value);
}

static inline int datactl_curl_set_transfer(
    datactl_curl_easy_setopt set, datactl_curl_easy_ref easy, int option,
    datactl_curl_transfer function) {
  return set(easy, option, function);
}

static inline int datactl_curl_set_seek(
    datactl_curl_easy_setopt set, datactl_curl_easy_ref easy, datactl_curl_seek function) {
  return set(easy, datactl_curl_option_seek_function, function);
}

// Returns the status of the response, or 0 if there is none.
static inline long datactl_curl_status(
    datactl_curl_easy_getinfo get, datactl_curl_easy_ref easy) {
  long status = 0;
  get(easy, datactl_curl_info_status, &status);
  return status;
}

#endif
