import Foundation

/// A Unix domain socket with the file name of a PostgreSQL server's socket, in a temporary folder.
///
/// Fake servers and proxies listen on it.
final class ServerSocket: Sendable {
  private let folder: URL
  private let listener: Int32

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "socket-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    listener = try LocalSocket.listen(at: folder.appending(path: PostgresServer.socketName).path)
  }

  var path: String { folder.appending(path: PostgresServer.socketName).path }

  /// The host part of addresses.
  var host: String { folder.path.replacing("/", with: "%2F") }

  func address(_ database: String) -> String { "postgres://tester@\(host)/\(database)" }

  /// Serves each client that connects on a thread of its own.
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
  /// Forwards data between a client and a server until one of them closes the connection, or a
  /// filter returns nil.
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
