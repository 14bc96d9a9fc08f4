package import DataModel
package import DataOutput
import DataStore
import SchemaText
import Synchronization

/// What a command has read from a store or written to one.
package struct WholeStoreSummary: Hashable, Sendable {
  package var digests: [SchemaDigest] = []
  package var functions: SchemaDigest?
  /// The schemas that were added to the chosen ones, because these need them.
  package var addedSchemas: [String] = []
  /// The functions that were left out, because they use schemas that were not chosen.
  package var omittedFunctions: [String] = []
  /// The number of users who cannot log in until they get a new password.
  package var usersWithoutPassword = 0

  package var records: Int { digests.reduce(0) { $0 + $1.records } }
  package var schemas: Int { digests.count }

  /// Names what the sender of a stream has added and left out.
  mutating func add(_ head: WalkHead, _ schemas: [Schema], chosen names: [String]?) {
    omittedFunctions = head.omittedFunctions
    if let names { addedSchemas = schemas.map(\.name).filter { !names.contains($0) } }
  }
}

extension Client {
  /// Writes a dump of the store to a sink: a tar archive, compressed with gzip, that contains the
  /// schemas, the records, the functions and the contents of files. The same store has the same
  /// dump.
  ///
  /// - Parameters:
  ///   - names: The schemas to dump; nil for all schemas.
  ///   - alarm: A file descriptor that becomes readable when the program must stop.
  package func dump(
    only names: [String]? = nil, to sink: any ByteSink, alarm: Int32? = nil,
    monitor: @escaping StoreWalk.Monitor
  ) async throws(DataError) -> WholeStoreSummary {
    let compressed = try GzipSink(sink)
    let writer = DumpWriter(to: compressed)
    let summary: WholeStoreSummary
    switch executor {
    case .store:
      summary = try await walk(only: names, monitor: monitor).write(to: writer)
    case .server:
      summary = try await receivingWalk(
        only: names, passwords: .omitted, alarm: alarm, monitor: monitor
      ) { reader, _ throws(DataError) in
        try await OwnThread().run { () throws(DataError) in
          try Self.dump(reader, only: names, to: writer, monitor: monitor)
        }
      }
    }
    try compressed.finish()
    return summary
  }

  /// Writes the members of a stream as a dump. What cannot be restored is an error.
  private static func dump(
    _ reader: WalkStreamReader, only names: [String]?, to writer: DumpWriter,
    monitor: @escaping StoreWalk.Monitor
  ) throws(DataError) -> WholeStoreSummary {
    let head = try reader.head()
    let members = DumpingReader(reader, to: writer)
    let schemas = try schemas(in: members)
    var summary = try read(members, of: schemas, monitor: monitor)
    summary.add(head, schemas, chosen: names)
    summary.usersWithoutPassword = 0
    let all = summary.digests + [summary.functions].compactMap(\.self)
    try writer.finish(
      DumpManifest.Head(store: head.store, newestChange: all.compactMap(\.newestChange).max()))
    return summary
  }

  /// Reads the records and contents of a stream to its end, which verifies them.
  private static func read(
    _ members: some MemberReader, of schemas: [Schema], monitor: @escaping StoreWalk.Monitor
  ) throws(DataError) -> WholeStoreSummary {
    var records = RestoredRecords(
      members, of: schemas, passwords: .omitted, chunkSize: nil, monitor: monitor)
    while let operation = try records.next() {
      switch operation {
      case .save(let chunk, _): try records.applied(chunk, outcomes: [])
      case .content(let content, _): try content.discard()
      case .saveTrees, .delete, .read: preconditionFailure("a dump contains no such operation")
      }
    }
    return records.summary
  }

  /// Returns the digests of the named schemas, or of all schemas and the functions.
  ///
  /// - Parameter alarm: A file descriptor that becomes readable when the program must stop.
  package func digests(
    of names: [String]?, alarm: Int32? = nil, monitor: @escaping StoreWalk.Monitor
  ) async throws(DataError) -> WholeStoreSummary {
    var summary: WholeStoreSummary
    switch executor {
    case .store:
      let walk = try await walk(monitor: monitor)
      guard let names else {
        var files: FileIndex?
        return try await walk.digests(files: &files).summary
      }
      summary = WholeStoreSummary()
      for name in names {
        summary.digests.append(try await walk.digest(of: walk.catalog.schema(name)))
      }
    case .server:
      summary = try await receivingWalk(
        only: names, passwords: .omitted, alarm: alarm, monitor: monitor
      ) { reader, _ throws(DataError) in
        try await OwnThread().run { () throws(DataError) in
          _ = try reader.head()
          return try Self.read(reader, of: try Self.schemas(in: reader), monitor: monitor)
        }
      }
      summary.usersWithoutPassword = 0
      guard let names else { return summary }
      // A server also sends the schemas that the chosen ones need.
      let all = summary.digests
      summary.digests = names.flatMap { name in all.filter { $0.schema == name } }
      summary.functions = nil
    }
    return summary
  }
}

extension FileContent {
  /// Reads the content to its end, which verifies it.
  fileprivate func discard() throws(DataError) {
    guard case .stream(let open) = self else { return }
    let next = try open()
    while try next() != nil {}
  }
}

/// Reads the members of a stream, and adds each to a dump when it has been read completely. It is
/// collected first, because a dump contains the size of a member before its content.
private final class DumpingReader: MemberReader {
  private let reader: WalkStreamReader
  private let writer: DumpWriter
  private let member = Mutex((name: "", content: SpooledText()))

  init(_ reader: WalkStreamReader, to writer: DumpWriter) {
    self.reader = reader
    self.writer = writer
  }

  var file: String { reader.file }

  func error(_ message: String, hint: String?) -> DataError { reader.error(message, hint: hint) }

  func nextName() throws(DataError) -> String { try reader.nextName() }

  func begin(_ name: String) throws(DataError) -> Int64? {
    member.withLock { $0 = (name, SpooledText()) }
    return try reader.begin(name)
  }

  func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
    let start = buffer.count
    let size = try reader.read(into: &buffer, atMost: count)
    let bytes = Array(buffer[start...])
    try member.withLock { member throws(DataError) in try member.content.append(bytes) }
    return size
  }

  func end() throws(DataError) -> String {
    let sha256 = try reader.end()
    try member.withLock { member throws(DataError) in
      try writer.add(member.name, member.content)
    }
    return sha256
  }

  func finish() throws(DataError) { try reader.finish() }
}

extension StoreWalk {
  /// Writes all of the store as the members of a dump.
  ///
  /// The store is read twice, because a dump contains the size of each member before its content.
  func write(to writer: DumpWriter) async throws(DataError) -> WholeStoreSummary {
    var files: FileIndex? = FileIndex()
    let (summary, functions) = try await digests(files: &files)
    for schema in catalog.schemas {
      try writer.add("schemas/\(schema.name).json", Array(SchemaFile.text(schema).utf8))
    }
    for (schema, digest) in zip(catalog.schemas, summary.digests) {
      try await add(schema, "records/\(schema.name).ndjson", digest, to: writer)
    }
    try await add(.function, "functions.ndjson", functions, to: writer)
    try await forEachContent(of: files.take()?.reader()) { file throws(DataError) in
      try await writer.add("files/\(file.sha256)", size: file.size) { writer throws(DataError) in
        try await content(of: file) { piece throws(DataError) in try writer.write(piece) }
      }
    }
    try writer.finish(
      DumpManifest.Head(
        store: try await storeID(),
        newestChange: (summary.digests + [functions]).compactMap(\.newestChange).max()))
    return summary
  }

  /// Writes all of the store to a stream, in one pass.
  package func write(
    to sink: any ByteSink, passwords: PasswordHashes
  ) async throws(DataError) {
    let writer = WalkStreamWriter(sink: sink)
    var files: FileIndex? = FileIndex()
    let omitted = try await omittedFunctions()
    try await writer.add(
      WalkHead.name, WalkHead(store: try await storeID(), omittedFunctions: omitted).text)
    for schema in catalog.schemas {
      try await writer.add("schemas/\(schema.name).json", Array(SchemaFile.text(schema).utf8))
    }
    for schema in catalog.schemas + [.function] {
      let name = schema.isBuiltIn ? "functions.ndjson" : "records/\(schema.name).ndjson"
      try await writer.add(name) { writer throws(DataError) in
        let digest = try await records(of: schema, passwords: passwords, files: &files) {
          text throws(DataError) in try writer.write(text)
        }
        return digest.sha256
      }
    }
    try await forEachContent(of: files.take()?.reader()) { file throws(DataError) in
      try await writer.add("files/\(file.sha256)") { writer throws(DataError) in
        try await content(of: file) { piece throws(DataError) in try writer.write(piece) }
        return file.sha256
      }
    }
    try writer.finish()
  }

  /// Calls a closure with a file for each content, in the order of their SHA-256.
  private func forEachContent(
    of files: FileIndex.Reader?, _ body: (FileIndex.Entry) async throws(DataError) -> Void
  ) async throws(DataError) {
    var reader = files
    while let file = try reader?.next()?.first { try await body(file) }
  }

  /// Returns the digests of all records and of the functions.
  ///
  /// - Parameter files: If not nil, the files of the records are added to it.
  func digests(
    files: inout FileIndex?
  ) async throws(DataError) -> (summary: WholeStoreSummary, functions: SchemaDigest) {
    var summary = WholeStoreSummary(addedSchemas: addedSchemas)
    summary.omittedFunctions = try await omittedFunctions()
    for schema in catalog.schemas {
      summary.digests.append(try await records(of: schema, files: &files))
    }
    let functions = try await digest(of: .function)
    summary.functions = functions
    return (summary, functions)
  }

  /// Adds the records of a schema, which must have the given digest.
  private func add(
    _ schema: Schema, _ name: String, _ digest: SchemaDigest, to writer: DumpWriter
  ) async throws(DataError) {
    try await writer.add(name, size: digest.bytes, sha256: digest.sha256) {
      writer throws(DataError) in
      var files: FileIndex?
      _ = try await records(of: schema, files: &files) { text throws(DataError) in
        try writer.write(text)
      }
    }
  }
}
