#ifndef DATACTL_CPOSTGRES_SHIM_H
#define DATACTL_CPOSTGRES_SHIM_H

#include <stddef.h>

// The types of the libpq functions that datactl calls. The library itself is loaded with `dlopen`
// when the first PostgreSQL address is used.

typedef struct datactl_pq_connection *datactl_pq_connection_ref;
typedef struct datactl_pq_result *datactl_pq_result_ref;
typedef struct datactl_pq_cancel *datactl_pq_cancel_ref;

typedef struct datactl_pq_option {
  const char *keyword;
  const char *variable;
  const char *compiled;
  const char *value;
  const char *label;
  const char *display;
  int size;
} datactl_pq_option;

enum {
  datactl_pq_status_ok = 0,
  datactl_pq_status_bad = 1,

  datactl_pq_polling_failed = 0,
  datactl_pq_polling_reading = 1,
  datactl_pq_polling_writing = 2,
  datactl_pq_polling_ok = 3,

  datactl_pq_command_ok = 1,
  datactl_pq_tuples_ok = 2,
  datactl_pq_copy_in = 4,
  datactl_pq_pipeline_sync = 10,
  datactl_pq_pipeline_aborted = 11,

  datactl_pq_verbose = 2,

  datactl_pq_severity = 'V',
  datactl_pq_sqlstate = 'C',
  datactl_pq_primary_message = 'M',
  datactl_pq_detail = 'D',
  datactl_pq_context = 'W',
  datactl_pq_constraint = 'n'
};

typedef datactl_pq_option *(*datactl_pq_conninfo_parse)(const char *address, char **message);
typedef datactl_pq_option *(*datactl_pq_conninfo)(datactl_pq_connection_ref);
typedef void (*datactl_pq_free_options)(datactl_pq_option *);
typedef void (*datactl_pq_free_memory)(void *);

typedef datactl_pq_connection_ref (*datactl_pq_connect_start)(
    const char *const *keywords, const char *const *values, int expands);
typedef int (*datactl_pq_connection_int)(datactl_pq_connection_ref);
typedef void (*datactl_pq_connection_void)(datactl_pq_connection_ref);
typedef const char *(*datactl_pq_connection_string)(datactl_pq_connection_ref);
typedef const char *(*datactl_pq_parameter)(datactl_pq_connection_ref, const char *name);

typedef int (*datactl_pq_send)(
    datactl_pq_connection_ref, const char *command, int count, const unsigned int *types,
    const char *const *values, const int *lengths, const int *formats, int result_format);
typedef datactl_pq_result_ref (*datactl_pq_get_result)(datactl_pq_connection_ref);
typedef int (*datactl_pq_put_copy_data)(datactl_pq_connection_ref, const char *bytes, int count);
typedef int (*datactl_pq_put_copy_end)(datactl_pq_connection_ref, const char *message);

typedef datactl_pq_cancel_ref (*datactl_pq_get_cancel)(datactl_pq_connection_ref);
typedef int (*datactl_pq_do_cancel)(datactl_pq_cancel_ref, char *message, int size);
typedef void (*datactl_pq_free_cancel)(datactl_pq_cancel_ref);

typedef void (*datactl_pq_clear)(datactl_pq_result_ref);
typedef int (*datactl_pq_result_int)(datactl_pq_result_ref);
typedef const char *(*datactl_pq_error_field)(datactl_pq_result_ref, int field);
typedef const char *(*datactl_pq_result_string)(datactl_pq_result_ref);
typedef const char *(*datactl_pq_column_name)(datactl_pq_result_ref, int column);
typedef unsigned int (*datactl_pq_column_type)(datactl_pq_result_ref, int column);
typedef const char *(*datactl_pq_value)(datactl_pq_result_ref, int row, int column);
typedef int (*datactl_pq_value_int)(datactl_pq_result_ref, int row, int column);

typedef int (*datactl_pq_set_verbosity)(datactl_pq_connection_ref, int verbosity);
typedef void (*datactl_pq_notice_receiver)(void *context, datactl_pq_result_ref notice);
typedef datactl_pq_notice_receiver (*datactl_pq_set_notice_receiver)(
    datactl_pq_connection_ref, datactl_pq_notice_receiver, void *context);

#endif
