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

extension Client {
  /// Copies the whole store to another one, and compares the two.
  ///
  /// The schemas, the records with their system fields, the stored functions and the contents of
  /// files are those of one moment. They are written in one transaction: if it fails, the other
  /// store does not change. Sessions and the log of schema changes are not copied.
  ///
  /// ```swift
  /// for digest in try await client.copy(to: "postgres://db.example/shop") {
  ///   print(digest.schema, digest.records, digest.sha256)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - target: The address of the other store, which must not exist yet or have no schemas.
  ///   - schemas: The schemas to copy, with those that they need; nil for all schemas.
  ///   - passwords: Whether the hashes of passwords are copied.
  /// - Returns: A digest for each schema, and one for the stored functions.
  /// - Throws: A ``DataError`` if the caller is not an administrator, if the other store has
  ///   schemas, or if one of the stores is on a server.
  @discardableResult
  public func copy(
    to target: String, only schemas: [String]? = nil, passwords: PasswordHashes = .included
  ) async throws -> [SchemaDigest] {
    let choice = try StoreChoice.find(option: target, in: environment)
    let other = try await Client.open(
      choice, for: .writing, in: environment, executor: .ownThread())
    let result: Result<WholeStoreSummary, DataError>
    do throws(DataError) {
      let summary = try await copy(
        to: end == .commit ? other : other.dryRun(), only: schemas, passwords: passwords)
      if end == .commit { try await other.verify(summary) }
      result = .success(summary)
    } catch {
      result = .failure(error)
    }
    await other.close()
    let summary = try result.get()
    return summary.digests + [summary.functions].compactMap(\.self)
  }

  /// Copies the whole store to another one that does not exist or has no schemas, in one
  /// transaction: schemas, records with their system fields, functions and contents of files. `verify`
  /// then compares the two.
  ///
  /// - Parameters:
  ///   - target: The other store. It must have been opened with an executor on a thread of its own
  ///     (`StoreExecutor.ownThread`), because writing it waits for this store.
  ///   - names: The schemas to copy; nil for all schemas.
  ///   - passwords: Whether the hashes of passwords are copied.
  package func copy(
    to target: Client, only names: [String]? = nil,
    passwords: PasswordHashes = .included, wait: WriteWait = WriteWait(),
    monitor: @escaping StoreWalk.Monitor = { _ in }
  ) async throws(DataError) -> WholeStoreSummary {
    guard !isSameStore(as: target) else {
      throw DataError(.usage, "both addresses are those of the same store: \(address)")
    }
    let pipe = try CopyPipe()
    let walk = try await walk(only: names) { records throws(DataError) in
      try pipe.checkIsNeeded()
      try monitor(records)
    }
    _ = try await target.catalogWithoutSchemas(to: "copy")
    let schemas = walk.catalog.schemas
    typealias Reading = (result: Result<WholeStoreSummary, DataError>, isCause: Bool)
    let reading = Task.detached { () -> Reading in
      defer { pipe.closeWriting() }
      do throws(DataError) {
        return (
          .success(
            try await walk.write(to: WalkStreamWriter(sink: pipe), passwords: passwords)),
          false
        )
      } catch {
        return (.failure(error), pipe.isNeeded)
      }
    }
    var restored: WholeStoreSummary?
    var failure: DataError?
    do throws(DataError) {
      // This function does not read the pipe itself: the walk may need its thread.
      restored = try await target.write(
        RestoredRecords(
          WalkStreamReader(pipe, file: "\(address)"), of: schemas, unread: schemas,
          passwords: passwords, chunkSize: await target.store.preferredChunkSize,
          monitor: { _ throws(DataError) in try monitor(0) }), of: schemas, wait: wait)
    } catch {
      failure = error
      pipe.stop()
    }
    let read = await reading.value
    // If the walk failed, the write failed as a consequence, and the other way round.
    if read.isCause { _ = try read.result.get() }
    if let failure { throw failure }
    var summary = try read.result.get()
    summary.usersWithoutPassword = restored?.usersWithoutPassword ?? 0
    return summary
  }

  private func isSameStore(as other: Client) -> Bool {
    if location == other.location { return true }
    guard case .file(let path) = address.kind, case .file(let otherPath) = other.address.kind,
      let file = try? FileStatus(path), let otherFile = try? FileStatus(otherPath)
    else { return false }
    return file.isSameFile(as: otherFile)
  }

  /// Throws an error unless the records of this store have the digests of a copied one.
  package func verify(_ copied: WholeStoreSummary) async throws(DataError) {
    let walk = try await walk()
    for expected in copied.digests + [copied.functions].compactMap(\.self) {
      let schema = try walk.catalog.schema(expected.schema)
      guard try await walk.digest(of: schema) != expected else { continue }
      throw DataError(
        Problem(
          .storeDamaged, "\(address): the copied records differ from the original ones",
          hint: "another program may have changed them: copy to another store",
          schema: expected.schema))
    }
  }
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
