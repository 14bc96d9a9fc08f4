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
  static func forward(
    from client: Int32, to server: String, requestFilter: ([UInt8]) -> [UInt8]?,
    responseFilter: ([UInt8]) -> [UInt8]? = { $0 }
  ) {
    guard let upstream = try? connect(to: server) else { return }
    defer { close(upstream) }
    var polls = [client, upstream].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while unsafe poll(&polls, 2, -1) > 0 {
      if polls[0].revents != 0 {
        guard let request = read(client).flatMap(requestFilter) else { return }
        write(request, to: upstream)
      }
      if polls[1].revents != 0 {
        guard let response = read(upstream).flatMap(responseFilter) else { return }
        write(response, to: client)
      }
    }
  }
}
