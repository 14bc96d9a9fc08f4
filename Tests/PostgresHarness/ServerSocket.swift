import Foundation

/// A socket under the name that a server's has, in a folder of its own: what stands there for a
/// server, or before one.
final class ServerSocket: Sendable {
  private let folder: URL
  private let listener: Int32

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "socket-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    listener = try LocalSocket.listen(at: folder.appending(path: PostgresServer.socketName).path)
  }

  var path: String { folder.appending(path: PostgresServer.socketName).path }

  /// The host in addresses.
  var host: String { folder.path.replacing("/", with: "%2F") }

  func address(_ database: String) -> String { "postgres://tester@\(host)/\(database)" }

  /// Has each client that comes be served in a thread of its own.
  func serve(_ client: @escaping @Sendable (Int32) -> Void) {
    let listener = listener
    Thread.detachNewThread {
      while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
        Thread.detachNewThread {
          client(descriptor)
          Foundation.close(descriptor)
        }
      }
    }
  }

  func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    Foundation.close(listener)
    try? FileManager.default.removeItem(at: folder)
  }
}

extension LocalSocket {
  /// Carries what a client and a server say to each other, until one of them ends or what they said
  /// is kept back.
  static func carry(
    from client: Int32, to server: String, said: ([UInt8]) -> [UInt8]?,
    answered: ([UInt8]) -> [UInt8]? = { $0 }
  ) {
    guard let upstream = try? connect(to: server) else { return }
    defer { close(upstream) }
    var places = [client, upstream].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while unsafe poll(&places, 2, -1) > 0 {
      if places[0].revents != 0 {
        guard let words = read(client).flatMap(said) else { return }
        write(words, to: upstream)
      }
      if places[1].revents != 0 {
        guard let answer = read(upstream).flatMap(answered) else { return }
        write(answer, to: client)
      }
    }
  }
}
