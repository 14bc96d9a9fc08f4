import Foundation

/// Stands between a client and a server, and cuts the connection where it is told to, once.
package final class CuttingProxy: Sendable {
  /// Where a connection is cut.
  package enum Cut: Sendable {
    /// Before the server hears a statement that holds these words.
    case before(String)
    /// When the server has answered it, before the client hears that.
    case behind(String)
  }

  private let folder: URL
  private let listener: Int32
  private let server: String
  private let cut: Mutexed<Cut?>

  package init(before server: PostgresServer, cutting cut: Cut) throws {
    self.server = server.socket
    self.cut = Mutexed(cut)
    folder = FileManager.default.temporaryDirectory.appending(path: "cut-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    listener = try LocalSocket.listen(
      at: folder.appending(path: PostgresServer.socketName).path)
    Thread.detachNewThread { self.accept() }
  }

  /// Whether it has cut a connection.
  package var hasCut: Bool { cut.value == nil }

  /// The address by which clients come through here.
  package func address(_ database: String) -> String {
    "postgres://tester@\(folder.path.replacing("/", with: "%2F"))/\(database)"
  }

  package func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    Foundation.close(listener)
    try? FileManager.default.removeItem(at: folder)
  }

  private func accept() {
    while case let client = Foundation.accept(listener, nil, nil), client >= 0 {
      guard let upstream = try? LocalSocket.connect(to: server) else {
        Foundation.close(client)
        continue
      }
      Thread.detachNewThread { self.forward(from: client, to: upstream) }
    }
  }

  /// Carries what the client says to the server, and back what the server answers.
  private func forward(from client: Int32, to upstream: Int32) {
    var places = [
      pollfd(fd: client, events: Int16(POLLIN), revents: 0),
      pollfd(fd: upstream, events: Int16(POLLIN), revents: 0),
    ]
    var isDeaf = false
    while unsafe poll(&places, 2, -1) > 0 {
      if places[0].revents != 0 {
        guard let said = LocalSocket.read(client) else { break }
        let words = String(decoding: said, as: UTF8.self)
        if case .before(let text) = cut.value, words.contains(text) {
          cut.value = nil
          break
        }
        if case .behind(let text) = cut.value, words.contains(text) {
          cut.value = nil
          isDeaf = true
        }
        LocalSocket.write(said, to: upstream)
      }
      if places[1].revents != 0 {
        guard let answer = LocalSocket.read(upstream), !isDeaf else { break }
        LocalSocket.write(answer, to: client)
      }
    }
    Foundation.close(client)
    Foundation.close(upstream)
  }
}

/// A value that threads share.
final class Mutexed<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value

  init(_ value: Value) {
    stored = value
  }

  var value: Value {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }

  func change(_ body: (inout Value) -> Void) {
    lock.withLock { body(&stored) }
  }
}
