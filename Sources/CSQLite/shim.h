#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <errno.h>
#include <sqlite3.h>

/* Wrappers for what Swift cannot import: variadic functions, macros with casts, and functions that
   C structs point to. */

static const int csqlite_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;
static const int csqlite_constraint_primary_key = SQLITE_CONSTRAINT_PRIMARYKEY;
static const int csqlite_io_short_read = SQLITE_IOERR_SHORT_READ;
static const int csqlite_io_write = SQLITE_IOERR_WRITE;

/* Disables SQLite's memory statistics (sqlite3_config). Fails if SQLite is already initialized. */
static inline int csqlite_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Opens a database (sqlite3_open_v2). Sets *number to the error number of the last system call that
   failed, or to 0. If SQLite opens a file for reading because it cannot open it for writing, it
   reports no error. */
static inline int csqlite_open(const char *name, sqlite3 **database, int flags, int *number) {
  errno = 0;
  int code = sqlite3_open_v2(name, database, flags, 0);
  *number = errno;
  return code;
}

/* Enables (1) or disables (0) an option of a connection (sqlite3_db_config). */
static inline int csqlite_configure(sqlite3 *database, int option, int value) {
  int now = 0;
  return sqlite3_db_config(database, option, value, &now);
}

/* Binds text without copying it. The text must remain valid until the statement is reset or another
   value is bound. */
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

/* Binds an object and its destructor. Only the program's own SQL functions can read the object
   (sqlite3_bind_pointer). */
static inline int csqlite_bind_object(
    sqlite3_stmt *statement, int index, void *object, void (*release)(void *)) {
  return sqlite3_bind_pointer(statement, index, object, "object", release);
}

/* Returns the object that was bound with csqlite_bind_object, or NULL if the value is not such an
   object. */
static inline void *csqlite_object(sqlite3_value *value) {
  return sqlite3_value_pointer(value, "object");
}

/* Sets the result of an SQL function to a copy of a NUL-terminated text. */
static inline void csqlite_result_text(sqlite3_context *context, const char *text) {
  sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* Sets the result of an SQL function to a copy of bytes. */
static inline void csqlite_result_blob(sqlite3_context *context, const void *bytes, int count) {
  sqlite3_result_blob(context, bytes, count, SQLITE_TRANSIENT);
}

/* Returns the error number of the last failed system call on the journal, the WAL or the database
   file, or 0 (SQLITE_FCNTL_LAST_ERRNO). */
static inline int csqlite_last_error_number(sqlite3 *database) {
  const int pointers[] = {SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER};
  for (int index = 0; index < 2; index++) {
    sqlite3_file *file = 0;
    int number = 0;
    if (sqlite3_file_control(database, "main", pointers[index], &file) != SQLITE_OK) continue;
    if (file == 0 || file->pMethods == 0 || file->pMethods->xFileControl == 0) continue;
    int code = file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number);
    if (code == SQLITE_OK && number != 0) return number;
  }
  return 0;
}

/* Reads the 100-byte header of the database file with xRead. No lock is acquired, and changes in
   the journal are not considered. */
static inline int csqlite_read_header(sqlite3 *database, void *header) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (file == 0 || file->pMethods == 0) return SQLITE_CANTOPEN;
  return file->pMethods->xRead(file, header, 100, 0);
}

#endif
