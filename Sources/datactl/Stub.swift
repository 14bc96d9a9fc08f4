import DataModel

extension Command {
  package func run(with invocation: Invocation) async throws { throw DataError(.failed, "stub") }
}
