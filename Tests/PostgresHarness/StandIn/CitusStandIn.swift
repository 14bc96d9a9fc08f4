import Foundation

/// A fake Citus, which test machines do not have: a database of the test server that reports the
/// extension, reached through a proxy that rejects the statements that Citus documents as
/// unsupported.
///
/// It distributes nothing. It shows that a store recognizes Citus, has its tables distributed, and
/// sends no statement that is known to be rejected. It does not show that Citus would return the
/// right results, or return them fast.
package final class FakeCitus: Sendable {
  package static let shared = Result { try FakeCitus() }

  /// The database that reports the extension.
  package let database: String
  private let socket: ServerSocket
  private let tables = MutexBox<[String: String]>([:])

  private init() throws {
    let server = try PostgresServer.shared.get()
    database = try server.newDatabase()
    try server.run(Self.setupSQL, in: database)
    socket = try ServerSocket()
    // The socket listens until the tests end, and only its file remains.
    let (tables, upstream) = (tables, server.socket)
    socket.serve { client in
      var messages = ClientMessages(DistributedTables(shared: tables))
      LocalSocket.forward(from: client, to: upstream) { messages.process($0) }
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
    try PostgresServer.shared.get().run(setupSQL, in: database)
  }

  /// Returns the reason why a statement is rejected, given the distribution column of each table.
  package static func rejectionReason(of statement: String, _ tables: [String: String]) -> String? {
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
  private var isStarted = false
  private var tables: DistributedTables

  init(_ tables: DistributedTables) {
    self.tables = tables
  }

  /// Adds received bytes, and returns the bytes to send to the server.
  mutating func process(_ received: [UInt8]) -> [UInt8] {
    bytes += received
    var forwarded: [UInt8] = []
    var start = 0
    while true {
      // The startup message has no type byte.
      let headerSize = isStarted ? 1 : 0
      guard bytes.count >= start + headerSize + 4 else { break }
      let end = start + headerSize + Int(bytes.integer(at: start + headerSize, as: UInt32.self))
      guard bytes.count >= end else { break }
      let body = bytes[(start + headerSize + 4)..<end]
      if isStarted, bytes[start] == UInt8(ascii: "P") {
        forwarded += parseMessage(body)
      } else {
        if !isStarted { tables.database = Self.database(of: body) }
        if isStarted, bytes[start] == UInt8(ascii: "B") { tables.track(Self.values(of: body)) }
        forwarded += bytes[start..<end]
      }
      isStarted = true
      start = end
    }
    bytes.removeSubrange(..<start)
    return forwarded
  }

  /// Returns a Parse message: the original one, or one whose statement raises the reason for the
  /// rejection.
  private mutating func parseMessage(_ body: ArraySlice<UInt8>) -> [UInt8] {
    let name = body.prefix { $0 != 0 } + [0]
    let text = body.dropFirst(name.count).prefix { $0 != 0 }
    let types = body.dropFirst(name.count + text.count + 1)
    let statement = String(decoding: text, as: UTF8.self)
    var query = Array(text)
    do {
      try CitusRules { [tables] in tables.column(of: $0) }.check(statement)
      tables.track(statement)
    } catch {
      query = Array("select stand_in.refuse('\(error.reason)')".utf8)
    }
    let message = name + query + [0] + types
    return [UInt8(ascii: "P")] + UInt32(message.count + 4).bigEndianBytes + message
  }

  /// Returns the database that the startup message names.
  private static func database(of body: ArraySlice<UInt8>) -> String {
    let parameters = body.dropFirst(4).split(separator: 0).map {
      String(decoding: $0, as: UTF8.self)
    }
    return parameters.firstIndex(of: "database").map { parameters[$0 + 1] } ?? ""
  }

  /// Returns the values of a Bind message.
  private static func values(of body: ArraySlice<UInt8>) -> [String] {
    let bytes = Array(body)
    var offset = bytes.prefix { $0 != 0 }.count + 1
    offset += bytes[offset...].prefix { $0 != 0 }.count + 1
    offset += 2 + 2 * Int(bytes.integer(at: offset, as: UInt16.self))
    let count = Int(bytes.integer(at: offset, as: UInt16.self))
    offset += 2
    var values: [String] = []
    for _ in 0..<count {
      let length = Int(Int32(bitPattern: bytes.integer(at: offset, as: UInt32.self)))
      offset += 4
      values.append(
        length < 0 ? "" : String(decoding: bytes[offset..<(offset + length)], as: UTF8.self))
      offset += max(length, 0)
    }
    return values
  }
}

extension [UInt8] {
  fileprivate func integer<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type)
    -> Number
  {
    self[offset..<(offset + Number.bitWidth / 8)].reduce(0) { $0 << 8 | Number($1) }
  }
}

extension UInt32 {
  fileprivate var bigEndianBytes: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * $0)) }
  }
}
