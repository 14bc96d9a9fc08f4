internal import DataXML
internal import Platform
internal import PostgresStore
internal import SQLiteStore
internal import ServerClient

/// The versions of the shared libraries on this machine.
package enum LibraryVersions {
  /// Each library with its version, or nil if it cannot be opened.
  package static var all: [(library: String, version: String?)] {
    [
      ("SQLite", SQLiteStore.libraryVersion), ("libpq", LibPQ.version),
      ("libsodium", Sodium.version), ("libcurl", Curl.version), ("libxml2", LibXML.version),
      ("zlib", GzipDecompressor.version),
    ]
  }
}
