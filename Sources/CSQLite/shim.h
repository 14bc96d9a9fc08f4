#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/* What Swift cannot import: variadic functions, macros with casts, methods of C structs. */

static const int csqlite_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;
static const int csqlite_constraint_primary_key = SQLITE_CONSTRAINT_PRIMARYKEY;
static const int csqlite_io_short_read = SQLITE_IOERR_SHORT_READ;

/* Switches SQLite's memory statistics off; fails if SQLite is already initialized. */
static inline int csqlite_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Switches one option of a connection on (1) or off (0): sqlite3_db_config. */
static inline int csqlite_configure(sqlite3 *database, int option, int value) {
  int now = 0;
  return sqlite3_db_config(database, option, value, &now);
}

/* Binds text without a copy; it must remain valid until the statement is reset or bound again. */
static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_text(
      statement, index, bytes ? (const char *)bytes : "", count, SQLITE_STATIC);
}

/* Binds a copy of text. */
static inline int csqlite_bind_text_copy(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_text(
      statement, index, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT);
}

/* Binds a copy of bytes as a blob. */
static inline int csqlite_bind_blob_copy(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/* Binds an object that only the program's own SQL functions can read, and its destructor. */
static inline int csqlite_bind_object(
    sqlite3_stmt *statement, int index, void *object, void (*release)(void *)) {
  return sqlite3_bind_pointer(statement, index, object, "object", release);
}

/* Returns the object that was bound, or null. */
static inline void *csqlite_object(sqlite3_value *value) {
  return sqlite3_value_pointer(value, "object");
}

/* Sets a copy of a NUL-terminated text as the result of an SQL function. */
static inline void csqlite_result_text(sqlite3_context *context, const char *text) {
  sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* Reads the 100 bytes of the database header with xRead, without locks and without the journal. */
static inline int csqlite_read_header(sqlite3 *database, void *header) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (file == 0 || file->pMethods == 0) return SQLITE_CANTOPEN;
  return file->pMethods->xRead(file, header, 100, 0);
}

#endif
