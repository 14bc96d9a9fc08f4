import ClientCore
import CommandSyntax
import DataAPI
import DataModel
import ServerClient

/// Asks a server to complete a command line whose store is on this server.
struct RemoteCompletion {
  /// The time in seconds after which the completion fails, because the user is waiting for it.
  private static let timeLimit = 1.0

  let client: RemoteClient

  /// Returns the candidates that the server prints for a command line. Throws an error if the
  /// server does not respond in time.
  func text(for line: CompletionLine) throws(DataError) -> [UInt8] {
    let inputs = SentCompletion.inputs(for: line)
    let body = RequestBody()
    body.end =
      Frame(.command, CommandDocument(inputs, store: client.address.description).json).encoded
    var request = ServerRequest(
      "POST", "/\(ServedCommand.completion.path)",
      headers: [(name: "Content-Type", value: Frame.requestType)], body: body)
    request.timeLimit = Self.timeLimit
    let server = try client.connect()
    let response = try server.send(request, repeating: .never)
    guard response.status == 200, response.mediaType == Frame.responseType else {
      throw server.error(of: response)
    }
    var decoder = FrameDecoder()
    decoder.append(response.body.span)
    var text: [UInt8] = []
    while let frame = try decoder.next() {
      switch frame.kind {
      case .output: text += frame.bytes
      case .end where try CommandEnd(parsing: frame.bytes.span) == .done(committed: nil):
        return text
      case .command, .path, .content, .message, .folder, .file, .publish, .end:
        throw .invalidFrame("unexpected kind")
      }
    }
    throw .invalidFrame("there is no end")
  }
}
