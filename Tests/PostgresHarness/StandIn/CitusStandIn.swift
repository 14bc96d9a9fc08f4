import Foundation

/// A fake Citus, which test machines do not have: a database of the test server that reports the
/// extension, reached through a proxy that rejects the statements that Citus documents as
/// unsupported.
///
/// It distributes nothing. It shows that a store recognizes Citus, has its tables distributed, and
/// sends no statement that is known to be rejected. It does not show that Citus would return the
/// right results, or return them fast.
package final class CitusStandIn: Sendable {
  package static let shared = Result { try CitusStandIn() }

  /// The database that reports the extension.
  package let database: String
  private let socket: ServerSocket
  private let tables = Mutexed<[String: String]>([:])

  private init() throws {
    let server = try PostgresServer.shared.get()
    database = try server.newDatabase()
    try server.run(Self.making, in: database)
    socket = try ServerSocket()
    // The socket listens until the tests end, and only its file remains.
    let (tables, upstream) = (tables, server.socket)
    socket.serve { client in
      var messages = ClientMessages(SpreadTables(shared: tables))
      LocalSocket.carry(from: client, to: upstream) { messages.take($0) }
    }
  }

  /// The address of a database through the proxy: by default the one that tests share.
  package func address(_ database: String? = nil) -> String {
    socket.address(database ?? self.database)
  }

  /// Creates another database that reports the extension.
  package func newDatabase() throws -> String {
    let database = try PostgresServer.shared.get().newDatabase()
    try Self.addExtension(to: database)
    return database
  }

  /// Makes a database of the test server report the extension.
  package static func addExtension(to database: String) throws {
    try PostgresServer.shared.get().run(making, in: database)
  }

  /// Returns the reason why a statement is rejected, given the distribution column of each table.
  package static func refusal(of statement: String, _ tables: [String: String]) -> String? {
    do {
      try CitusRules { tables[$0] }.check(statement)
      return nil
    } catch {
      return error.reason
    }
  }
}

/// The message stream of a client, in which each rejected statement is replaced.
struct ClientMessages {
  private var bytes: [UInt8] = []
  private var hasBegun = false
  private var tables: SpreadTables

  init(_ tables: SpreadTables) {
    self.tables = tables
  }

  /// Adds received bytes, and returns the bytes to send to the server.
  mutating func take(_ said: [UInt8]) -> [UInt8] {
    bytes += said
    var passed: [UInt8] = []
    var start = 0
    while true {
      // The startup message has no type byte.
      let head = hasBegun ? 1 : 0
      guard bytes.count >= start + head + 4 else { break }
      let end = start + head + Int(bytes.integer(at: start + head, as: UInt32.self))
      guard bytes.count >= end else { break }
      let body = bytes[(start + head + 4)..<end]
      if hasBegun, bytes[start] == UInt8(ascii: "P") {
        passed += parsing(body)
      } else {
        if !hasBegun { tables.database = Self.database(of: body) }
        if hasBegun, bytes[start] == UInt8(ascii: "B") { tables.hear(Self.values(of: body)) }
        passed += bytes[start..<end]
      }
      hasBegun = true
      start = end
    }
    bytes.removeSubrange(..<start)
    return passed
  }

  /// Returns a Parse message: the original one, or one whose statement raises the reason for the
  /// rejection.
  private mutating func parsing(_ body: ArraySlice<UInt8>) -> [UInt8] {
    let name = body.prefix { $0 != 0 } + [0]
    let text = body.dropFirst(name.count).prefix { $0 != 0 }
    let types = body.dropFirst(name.count + text.count + 1)
    let statement = String(decoding: text, as: UTF8.self)
    var words = Array(text)
    do {
      try CitusRules { [tables] in tables.column(of: $0) }.check(statement)
      tables.hear(statement)
    } catch {
      words = Array("select stand_in.refuse('\(error.reason)')".utf8)
    }
    let message = name + words + [0] + types
    return [UInt8(ascii: "P")] + UInt32(message.count + 4).bigEndianBytes + message
  }

  /// Returns the database that the startup message names.
  private static func database(of body: ArraySlice<UInt8>) -> String {
    let words = body.dropFirst(4).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    return words.firstIndex(of: "database").map { words[$0 + 1] } ?? ""
  }

  /// Returns the values of a Bind message.
  private static func values(of body: ArraySlice<UInt8>) -> [String] {
    let bytes = Array(body)
    var place = bytes.prefix { $0 != 0 }.count + 1
    place += bytes[place...].prefix { $0 != 0 }.count + 1
    place += 2 + 2 * Int(bytes.integer(at: place, as: UInt16.self))
    let count = Int(bytes.integer(at: place, as: UInt16.self))
    place += 2
    var values: [String] = []
    for _ in 0..<count {
      let length = Int(Int32(bitPattern: bytes.integer(at: place, as: UInt32.self)))
      place += 4
      values.append(
        length < 0 ? "" : String(decoding: bytes[place..<(place + length)], as: UTF8.self))
      place += max(length, 0)
    }
    return values
  }
}

extension [UInt8] {
  fileprivate func integer<Number: FixedWidthInteger>(at place: Int, as type: Number.Type) -> Number
  {
    self[place..<(place + Number.bitWidth / 8)].reduce(0) { $0 << 8 | Number($1) }
  }
}

extension UInt32 {
  fileprivate var bigEndianBytes: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * $0)) }
  }
}
