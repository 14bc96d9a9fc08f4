#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/* What Swift cannot import: variadic functions, macros that cast, and methods behind pointers. */

static const int csqlite_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;
static const int csqlite_constraint_primary_key = SQLITE_CONSTRAINT_PRIMARYKEY;
static const int csqlite_io_short_read = SQLITE_IOERR_SHORT_READ;

/* Has SQLite keep no count of the memory that it holds, if it holds none yet. */
static inline int csqlite_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Switches one option of a connection on (1) or off (0). */
static inline int csqlite_configure(sqlite3 *database, int option, int value) {
  int now = 0;
  return sqlite3_db_config(database, option, value, &now);
}

/* Binds bytes that stay where they are until the statement is reset or bound again. */
static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int place, const void *bytes, int count) {
  return sqlite3_bind_text(
      statement, place, bytes ? (const char *)bytes : "", count, SQLITE_STATIC);
}

/* Binds a copy of the bytes. */
static inline int csqlite_bind_text_copy(
    sqlite3_stmt *statement, int place, const void *bytes, int count) {
  return sqlite3_bind_text(
      statement, place, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT);
}

/* Binds a copy of the bytes as they are, without an encoding. */
static inline int csqlite_bind_blob_copy(
    sqlite3_stmt *statement, int place, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, place, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/* Binds an object that only functions of the program can take, and how to let go of it. */
static inline int csqlite_bind_object(
    sqlite3_stmt *statement, int place, void *object, void (*release)(void *)) {
  return sqlite3_bind_pointer(statement, place, object, "object", release);
}

/* The object that was bound, or null. */
static inline void *csqlite_object(sqlite3_value *value) {
  return sqlite3_value_pointer(value, "object");
}

/* Gives a text of the program's own as a function's result. */
static inline void csqlite_result_words(sqlite3_context *context, const char *words) {
  sqlite3_result_text(context, words, -1, SQLITE_TRANSIENT);
}

/* Reads the 100 bytes of the file's header: without a lock, without its journal, without a trace. */
static inline int csqlite_read_header(sqlite3 *database, void *header) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (file == 0 || file->pMethods == 0) return SQLITE_CANTOPEN;
  return file->pMethods->xRead(file, header, 100, 0);
}

#endif
