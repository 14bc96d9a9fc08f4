import ClientCore
import DataModel
import Synchronization

extension WholeStoreSummary {
  /// The lines that a command prints on stderr.
  ///
  /// - Parameter verb: What was done with the records, such as `dumped`.
  func lines(_ verb: String) -> [String] {
    var lines = ["\(records.counted("record")) of \(schemas.counted("schema")) \(verb)"]
    if !addedSchemas.isEmpty {
      lines.append(
        "Also \(verb), because the chosen schemas need them: "
          + addedSchemas.joined(separator: ", "))
    }
    if !omittedFunctions.isEmpty {
      lines.append(
        "Functions left out, because they use other schemas: "
          + omittedFunctions.joined(separator: ", "))
    }
    if usersWithoutPassword > 0 {
      let verb = usersWithoutPassword == 1 ? "needs" : "need"
      lines.append("\(usersWithoutPassword.counted("user")) \(verb) a new password")
    }
    return lines
  }
}

extension CommandContext {
  /// Calls the body with a monitor that shows how many records have been read, and that throws an
  /// error if the program must stop.
  func showingProgress<Result>(
    _ body: (@escaping StoreWalk.Monitor) async throws(DataError) -> Result
  ) async throws(DataError) -> Result {
    let progress = isQuiet ? nil : Progress(on: console, total: nil)
    defer { progress?.end() }
    let count = Atomic(0)
    return try await body { [console] records throws(DataError) in
      try console.checkInterruption()
      progress?.show(
        records: count.add(records, ordering: .relaxed).newValue, bytes: 0)
    }
  }
}
