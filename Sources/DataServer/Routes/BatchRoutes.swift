internal import ClientCore
internal import DataAPI

extension Route {
  static let batches: [Route] = [
    Route("POST", "batch", .writes) { request in
      try await request.run(
        CommandRoute(command: ["batch"], access: .writing), operands: [.init("FILE", "-")])?
        .response
    }
  ]
}
