import CSQLite
import Foundation
import PostgresHarness
import TestSupport
import Testing

/// An engine whose stores other tools can open.
enum OpenEngine: CaseIterable {
  case sqlite
  case postgres

  /// The engines of the current tier. `make check` starts no server.
  static let inTier: [Self] = TestTier.current == .check ? [.sqlite] : allCases

  /// A database object on a table that datactl did not create.
  enum Addition: CaseIterable {
    case index
    case trigger
    case view

    var name: String {
      switch self {
      case .index: "partly"
      case .trigger: "noticed"
      case .view: "titles"
      }
    }
  }

  var engine: Engine {
    switch self {
    case .sqlite: .sqlite
    case .postgres: .postgres
    }
  }

  /// Adds an object that datactl did not create to the table of a schema with a field `title`.
  func add(_ addition: Addition, to schema: String, in location: StoreLocation) throws {
    let table = name(schema, in: location)
    switch (addition, self) {
    case (.index, _):
      try run("create index partly on \(table) (title) where title > ''", in: location)
    case (.trigger, .sqlite):
      try run(
        "create trigger noticed before update on \(table) begin select 1; end", in: location)
    case (.trigger, .postgres):
      try run(
        """
        create trigger noticed before update on \(table) for each row \
        execute function suppress_redundant_updates_trigger()
        """, in: location)
    case (.view, _):
      try run(
        "create view \(name("titles", in: location)) as select title from \(table)", in: location)
    }
  }

  /// Drops an object that datactl did not create from a schema's table. Fails if it does not exist.
  func remove(_ addition: Addition, from schema: String, in location: StoreLocation) throws {
    let added = name(addition.name, in: location)
    switch (addition, self) {
    case (.index, _): try run("drop index \(added)", in: location)
    case (.trigger, .sqlite): try run("drop trigger noticed", in: location)
    case (.trigger, .postgres):
      try run("drop trigger noticed on \(name(schema, in: location))", in: location)
    case (.view, _): try run("drop view \(added)", in: location)
    }
  }

  /// Returns the quoted name of an object in the namespace of a store.
  private func name(_ name: String, in location: StoreLocation) -> String {
    switch self {
    case .sqlite: "\"\(name)\""
    case .postgres: "\"\(location.namespace)\".\"\(name)\""
    }
  }

  private func run(_ statement: String, in location: StoreLocation) throws {
    switch self {
    case .sqlite:
      var database: OpaquePointer?
      defer { unsafe sqlite3_close_v2(database) }
      let path = location.folder.path("store.db")
      try #require(unsafe sqlite3_open(path, &database) == SQLITE_OK)
      let code = unsafe sqlite3_exec(database, statement, nil, nil, nil)
      try #require(code == SQLITE_OK, "\(statement)")
    case .postgres: try PostgresServer.shared.get().run(statement)
    }
  }
}
