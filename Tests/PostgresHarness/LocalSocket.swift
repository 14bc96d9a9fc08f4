import Foundation

/// Sockets that have a name in the file system.
enum LocalSocket {
  /// Listens at a path.
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
      throw PostgresServer.Unavailable(description: "\(path): nobody listens")
    }
    return descriptor
  }

  /// What came; nil at the end.
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
