internal import ClientCore
internal import DataAPI

extension Route {
  private static let batching = CommandRoute(command: ["batch"], access: .writing)

  static let batches: [Route] = [
    Route(
      "POST", "batch", .writes, "Execute operations in one transaction.", running: batching,
      body: .operations
    ) { request in
      try await request.run(batching, operands: [.init("FILE", "-")])?.response
    }
  ]
}
