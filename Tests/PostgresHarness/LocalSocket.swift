import Foundation

/// Unix domain sockets.
enum LocalSocket {
  /// Creates a socket at the path and listens on it.
  static func listen(at path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let result = unsafe withAddress(path) { address, length in
      unsafe bind(descriptor, address, length)
    }
    guard result == 0, Foundation.listen(descriptor, 64) == 0 else {
      throw PostgresServer.Unavailable(description: "\(path): no socket")
    }
    return descriptor
  }

  static func connect(to path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let result = unsafe withAddress(path) { address, length in
      unsafe Foundation.connect(descriptor, address, length)
    }
    guard result == 0 else {
      close(descriptor)
      throw PostgresServer.Unavailable(description: "\(path): no process listens")
    }
    return descriptor
  }

  /// Returns the bytes received, or nil at end of file.
  static func read(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe Foundation.read(descriptor, &bytes, bytes.count)
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
      unsafe target.copyBytes(from: Array(path.utf8).prefix(target.count - 1))
    }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

/// A TCP port of the loopback interface that the system gives to no other program while this object
/// exists.
///
/// A socket is bound to the port, but does not listen on it. A server that sets `SO_REUSEADDR` can.
package final class ReservedPort: Sendable {
  package let number: Int
  private let descriptor: Int32

  package init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var isReusable: Int32 = 1
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &isReusable, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(descriptor, pointer, length) == 0
          ? unsafe getsockname(descriptor, pointer, &length) : -1
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw PostgresServer.Unavailable(description: "no port is free")
    }
    number = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }
}

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

  func address(_ database: String, user: String = "tester") -> String {
    "postgres://\(user)@\(host)/\(database)"
  }

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
