package import DataModel
package import DataStore
internal import Platform

/// Whether a copy of a store contains the hashes of its users' passwords.
public enum PasswordHashes: Hashable, Sendable {
  /// The hashes are copied, so that users log in with the same passwords.
  case included
  /// The hashes are not copied. Users cannot log in until they get a new password.
  case omitted
}

/// How much of a copy is committed at once.
package struct CopyPartSize: Sendable {
  /// The number of records after which a part is committed. It is also committed after a second.
  let records: Int
  /// The number of bytes of text that are written at once, or nil for the default of the store.
  let chunk: Int?

  package init(records: Int = 100_000, chunk: Int? = nil) {
    self.records = records
    self.chunk = chunk
  }
}

extension Client {
  /// Copies the whole store to another one, and compares the two.
  ///
  /// The schemas, the records with their system fields, the stored functions and the contents of
  /// files are those of one moment. This store can also be on a server, which sends no hashes of
  /// passwords. Sessions and the log of schema changes are not copied.
  ///
  /// The records are committed in parts. Until the last one, the other store is marked as an
  /// unfinished copy, which cannot be opened. If the call fails, call it again with the same stores:
  /// it then copies only what is missing or has changed meanwhile.
  ///
  /// ```swift
  /// for digest in try await client.copy(to: "postgres://db.example/shop") {
  ///   print(digest.schema, digest.records, digest.sha256)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - target: The address of the other store, which must not exist yet, have no schemas, or be an
  ///     unfinished copy of this store.
  ///   - schemas: The schemas to copy, with those that they need; nil for all schemas.
  ///   - passwords: Whether the hashes of passwords are copied. A server never sends them.
  /// - Returns: A digest for each schema, and one for the stored functions.
  /// - Throws: A ``DataError`` if the caller is not an administrator, if the other store has
  ///   schemas, or if it is on a server.
  @discardableResult
  public func copy(
    to target: String, only schemas: [String]? = nil, passwords: PasswordHashes = .included
  ) async throws -> [SchemaDigest] {
    let choice = try StoreChoice.find(option: target, in: environment)
    let other = try await Client.open(
      choice, for: .writing, in: environment, executor: .ownThread(), unfinishedCopies: .accepted)
    let result: Result<WholeStoreSummary, DataError>
    do throws(DataError) {
      result = .success(
        try await copy(
          to: end == .commit ? other : other.dryRun(), only: schemas, passwords: passwords))
    } catch {
      result = .failure(error)
    }
    await other.close()
    let summary = try result.get()
    return summary.digests + [summary.functions].compactMap(\.self)
  }

  /// Copies the whole store to another one that does not exist, has no schemas, or is an unfinished
  /// copy of this one, and compares the two. A schema whose records differ is copied once more.
  ///
  /// - Parameters:
  ///   - target: The other store. It must have been opened with an executor on a thread of its own
  ///     (`StoreExecutor.ownThread`), because writing it waits for this store, and with
  ///     `UnfinishedCopies.accepted`.
  ///   - names: The schemas to copy; nil for all schemas.
  ///   - passwords: Whether the hashes of passwords are copied.
  ///   - partSize: How much is committed at once.
  ///   - alarm: A file descriptor that becomes readable when the program must stop.
  package func copy(
    to target: Client, only names: [String]? = nil,
    passwords: PasswordHashes = .included, inPartsOf partSize: CopyPartSize = CopyPartSize(),
    wait: WriteWait = WriteWait(), alarm: Int32? = nil,
    monitor: @escaping StoreWalk.Monitor = { _ in }
  ) async throws(DataError) -> WholeStoreSummary {
    guard !isSameStore(as: target) else {
      throw DataError(.usage, "both addresses are those of the same store: \(address)")
    }
    let store = try target.store
    let checkInterruption: StoreWalk.Monitor = { _ throws(DataError) in try monitor(0) }
    var replaced: Set<String> = []
    while true {
      let (summary, run) = try await receivingWalk(
        only: names, passwords: passwords, alarm: alarm, monitor: checkInterruption
      ) { [replaced] reader, passwords throws(DataError) in
        let (head, schemas) = try await OwnThread().run { () throws(DataError) in
          (try reader.head(), try Client.schemas(in: reader))
        }
        let mark = CopyMark(
          of: head.store, at: "\(address)", includesPasswords: passwords == .included)
        var summary = try await target.receive(
          reader, of: schemas, as: mark, replacing: replaced, inPartsOf: partSize, wait: wait,
          monitor: monitor)
        summary.add(head, schemas, chosen: names)
        return (summary, mark.run)
      }
      guard target.end == .commit else { return summary }
      let differing = try await target.schemas(differingFrom: summary, checkInterruption)
      guard let first = differing.first else {
        try await store.endCopy(run: run, wait: wait)
        return summary
      }
      guard replaced.isEmpty else {
        throw DataError(
          Problem(
            .storeDamaged, "\(target.address): the copied records differ from the original ones",
            hint: "another program may have changed them: copy to another store", schema: first))
      }
      replaced = Set(differing)
    }
  }

  /// Writes the records of a stream to this store in parts, and marks it as an unfinished copy. In a
  /// dry run, everything is written in one transaction.
  ///
  /// - Parameter replaced: The names of schemas whose records are all written again.
  private func receive(
    _ reader: WalkStreamReader, of schemas: [Schema], as mark: CopyMark,
    replacing replaced: Set<String>, inPartsOf partSize: CopyPartSize, wait: WriteWait,
    monitor: @escaping StoreWalk.Monitor
  ) async throws(DataError) -> WholeStoreSummary {
    let passwords: PasswordHashes = mark.includesPasswords ? .included : .omitted
    let preferredChunkSize = await (try store).preferredChunkSize
    let chunkSize = partSize.chunk ?? preferredChunkSize
    func records(_ continuation: RestoredRecords.Continuation) -> RestoredRecords {
      RestoredRecords(
        reader, of: schemas, passwords: passwords, chunkSize: chunkSize, continuing: continuation,
        monitor: monitor)
    }
    let earlier = try await store.copyMark()
    guard earlier != nil || end == .commit else {
      return try await write(records(.init()), of: schemas, to: "copy", wait: wait)
    }
    try await checkIsAdministrator("copy a whole store")
    let stored = try await store.catalog()
    if let earlier, !earlier.isOfSameStore(as: mark) {
      throw DataError(
        .exists, "\(address): the store is an unfinished copy of \(earlier.source)",
        hint: "copy to a store that does not exist yet")
    }
    if earlier == nil { try checkHasNoSchemas(stored, to: "copy") }
    let kept = stored.catalog.schemas.filter { schema in
      schemas.contains(schema) && !replaced.contains(schema.name)
        && (schema.passwordSlot == nil || earlier?.includesPasswords == mark.includesPasswords)
    }
    let dropped = stored.catalog.schemas.filter { !kept.contains($0) }
    let created = schemas.filter { !kept.contains($0) }
    var plan = try await request(
      for: SchemaPlan(
        dropped.map(SchemaPlan.Stage.dropSchema) + created.map(SchemaPlan.Stage.create),
        catalogVersion: stored.version), end: end, wait: wait)
    plan.consents = Set(dropped.map(\.name))
    plan.review = { _, _, _ in [] }
    plan.copyMark = mark
    let all = schemas + [.function]
    var request = WriteRequest(
      to: all, versions: stored.versions(concerning: all), plan: plan, stamp: plan.stamp,
      wait: wait, end: end, commitEvery: partSize.records)
    request.copy = CopyStage(run: mark.run, isContinued: earlier != nil)
    var records = records(
      earlier == nil
        ? .init()
        : .init(schemas: Set((kept + [.function]).map(\.name)), replaced: replaced))
    if end == .commit { try makeFolder() }
    try await store.write(request, from: &records)
    return records.summary
  }

  /// Returns the names of the schemas whose records do not have the digests of the copied ones.
  private func schemas(
    differingFrom copied: WholeStoreSummary, _ monitor: @escaping StoreWalk.Monitor
  ) async throws(DataError) -> [String] {
    let walk = try await walk(monitor: monitor)
    var names: [String] = []
    for expected in copied.digests + [copied.functions].compactMap(\.self) {
      let schema = try walk.catalog.schema(expected.schema)
      if try await walk.digest(of: schema).sha256 != expected.sha256 { names.append(schema.name) }
    }
    return names
  }

  /// Reads the whole store as a stream, and calls a closure with a reader of the stream, and with
  /// whether it can contain hashes of passwords. The closure must read on a thread of its own, because
  /// the store that sends the stream may need the thread of the caller.
  func receivingWalk<Result: Sendable>(
    only names: [String]?, passwords: PasswordHashes, alarm: Int32?,
    monitor: @escaping StoreWalk.Monitor,
    _ body: (WalkStreamReader, PasswordHashes) async throws(DataError) -> Result
  ) async throws(DataError) -> Result {
    let pipe = try CopyPipe(alarm: alarm)
    let reader: WalkStreamReader
    let send: @Sendable () async throws(DataError) -> Void
    let received: PasswordHashes
    switch executor {
    case .store:
      let walk = try await walk(only: names) { records throws(DataError) in
        try pipe.checkIsNeeded()
        try monitor(records)
      }
      reader = WalkStreamReader(pipe, file: "\(address)", checking: .none)
      received = passwords
      send = { () throws(DataError) in try await walk.write(to: pipe, passwords: passwords) }
    case .server(let server):
      reader = WalkStreamReader(pipe, file: "\(address)", checking: .digests)
      received = .omitted
      send = { () throws(DataError) in
        try await self.receiveWalk(only: names, by: pipe, from: server)
      }
    }
    typealias Sending = (result: Swift.Result<Void, DataError>, isCause: Bool)
    let sending = Task.detached { () -> Sending in
      defer { pipe.closeWriting() }
      do throws(DataError) {
        return (.success(try await send()), false)
      } catch {
        return (.failure(error), pipe.isNeeded)
      }
    }
    let result: Swift.Result<Result, DataError>
    do throws(DataError) {
      result = .success(try await body(reader, received))
    } catch {
      result = .failure(error)
      pipe.stop()
      sending.cancel()
    }
    let sent = await sending.value
    // If the source failed, the reader failed as a consequence, and the other way round.
    if sent.isCause { try sent.result.get() }
    return try result.get()
  }

  private func isSameStore(as other: Client) -> Bool {
    if location == other.location { return true }
    guard case .file(let path) = address.kind, case .file(let otherPath) = other.address.kind,
      let file = try? FileStatus(path), let otherFile = try? FileStatus(otherPath)
    else { return false }
    return file.isSameFile(as: otherFile)
  }
}

/// Runs closures that read a stream, and wait for it, on a thread of their own.
actor OwnThread {
  private nonisolated let executor = StoreExecutor.ownThread()

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.unowned }

  func run<Result: Sendable>(
    _ body: @Sendable () throws(DataError) -> Result
  ) throws(DataError) -> Result { try body() }
}

extension StoreExecutor {
  /// Returns an executor that runs jobs on a thread of its own, so that they may wait for each other
  /// and for other stores.
  package static func ownThread() -> StoreExecutor {
    StoreExecutor { work in
      // Without a further thread, the jobs use those of the pool.
      if DetachedThread.run(work) != 0 { Task.detached { work() } }
    }
  }
}
