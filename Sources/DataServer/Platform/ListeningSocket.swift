import DataModel
import Platform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A socket on which a server accepts connections. The owner must call `close` when the socket is
/// no longer needed.
struct ListeningSocket: Sendable {
  let descriptor: Int32
  /// The address, with the port that the system has chosen if the given port was 0.
  let address: ListenAddress

  /// Opens a socket and begins to listen (`socket`, `bind`, `listen`).
  init(_ address: ListenAddress) throws(DataError) {
    do throws(SystemCallError) {
      switch address {
      case .unix(let path): self = try Self.unix(path)
      case .tcp(let host, let port): self = try Self.tcp(host, port)
      }
    } catch {
      let reason =
        error.number == EADDRINUSE ? "another program already uses the address" : error.text
      throw DataError(.fileFailed, "cannot listen on \(address.text): \(reason)")
    }
  }

  private init(descriptor: Int32, address: ListenAddress) {
    self.descriptor = descriptor
    self.address = address
  }

  /// Returns the same socket with another descriptor (`fcntl`).
  func duplicate() throws(DataError) -> ListeningSocket {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else {
      throw DataError(
        .failed, "cannot listen on \(address.text): \(SystemCallError.last.text)")
    }
    return ListeningSocket(descriptor: copy, address: address)
  }

  /// Closes the socket. The file of a Unix socket is deleted (`unlink`).
  func close() {
    Descriptor.closeFile(descriptor)
    if case .unix(let path) = address { unsafe unlink(path) }
  }

  private static func tcp(_ host: String, _ port: UInt16) throws(SystemCallError) -> ListeningSocket
  {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    unsafe hints.ai_family = host == "localhost" ? AF_INET : AF_UNSPEC
    unsafe hints.ai_socktype = streamType
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, "\(port)", &hints, &list) == 0, let info = unsafe list else {
      throw SystemCallError(number: EADDRNOTAVAIL)
    }
    defer { unsafe freeaddrinfo(list) }
    let descriptor = unsafe try opened(info.pointee.ai_family)
    do throws(SystemCallError) {
      var one: Int32 = 1
      let size = socklen_t(MemoryLayout<Int32>.size)
      _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
      if unsafe info.pointee.ai_family == AF_INET6 {
        _ = unsafe setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, size)
      }
      guard unsafe bind(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0,
        listen(descriptor, SOMAXCONN) == 0
      else { throw .last }
      return ListeningSocket(
        descriptor: descriptor, address: .tcp(host: host, port: try chosenPort(descriptor)))
    } catch {
      Descriptor.closeFile(descriptor)
      throw error
    }
  }

  /// Opens a Unix socket. A socket file that no program listens on any more is replaced.
  private static func unix(_ path: String) throws(SystemCallError) -> ListeningSocket {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      unsafe bytes.copyBytes(from: path.utf8)
    }
    let descriptor = try opened(AF_UNIX)
    do throws(SystemCallError) {
      if try isStaleSocket(path, address) { unsafe unlink(path) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let status = unsafe withUnsafePointer(to: address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          unsafe bind(descriptor, pointer, size)
        }
      }
      // No program can connect before `listen`, so the permissions are set in time.
      guard status == 0, unsafe chmod(path, 0o660) == 0, listen(descriptor, SOMAXCONN) == 0 else {
        throw .last
      }
      return ListeningSocket(descriptor: descriptor, address: .unix(path: path))
    } catch {
      Descriptor.closeFile(descriptor)
      throw error
    }
  }

  /// Returns whether the file is a socket on which no program listens.
  private static func isStaleSocket(
    _ path: String, _ address: sockaddr_un
  ) throws(SystemCallError) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
      return false
    }
    let probe = try opened(AF_UNIX)
    defer { Descriptor.closeFile(probe) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe connect(probe, pointer, size)
      }
    }
    return result != 0 && errno == ECONNREFUSED
  }

  private static var streamType: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  /// Opens a socket that is non-blocking and not inherited by other programs.
  private static func opened(_ family: Int32) throws(SystemCallError) -> Int32 {
    let descriptor = socket(family, streamType, 0)
    guard descriptor >= 0 else { throw .last }
    guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
      fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0
    else {
      Descriptor.closeFile(descriptor)
      throw .last
    }
    return descriptor
  }

  private static func chosenPort(_ descriptor: Int32) throws(SystemCallError) -> UInt16 {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe getsockname(descriptor, pointer, &size)
      }
    }
    guard status == 0 else { throw .last }
    // The port is at the same offset in `sockaddr_in` and `sockaddr_in6`.
    return unsafe withUnsafeBytes(of: &storage) { bytes in
      unsafe UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
    }
  }
}

/// Operations on the sockets of connections.
package enum ConnectionSocket {
  /// Returns the address of a client: an IP address, or `unix`.
  static func address(_ pointer: UnsafeRawPointer?) -> String {
    guard let pointer = unsafe pointer?.assumingMemoryBound(to: sockaddr.self) else {
      return "unix"
    }
    let size: Int
    switch Int32(unsafe pointer.pointee.sa_family) {
    case AF_INET: size = MemoryLayout<sockaddr_in>.size
    case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
    default: return "unix"
    }
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard
      unsafe getnameinfo(
        pointer, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
    else { return "unknown" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns the network of a client's address: the first 64 bits of an IPv6 address, because a
  /// client usually has all addresses that begin with them. Other addresses are returned as they
  /// are.
  package static func network(of address: String) -> String {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard unsafe inet_pton(AF_INET6, String(address.prefix { $0 != "%" }), &bytes) == 1 else {
      return address
    }
    // An IPv4 client of a socket that accepts both versions
    if bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) {
      return bytes[12...].map { "\($0)" }.joined(separator: ".")
    }
    let groups = stride(from: 0, to: 8, by: 2).map { index in
      String(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]), radix: 16)
    }
    return "\(groups.joined(separator: ":"))::/64"
  }

  /// Returns which of the clients have closed their connections (`poll`).
  static func closed(_ descriptors: [Int32]) -> [Bool] {
    #if canImport(Darwin)
      let hangUp = Int16(POLLHUP)
    #else
      // `POLLRDHUP` is not imported.
      let hangUp: Int16 = 0x2000
    #endif
    var requests = descriptors.map { pollfd(fd: $0, events: hangUp, revents: 0) }
    let count = unsafe requests.withUnsafeMutableBufferPointer { requests in
      unsafe poll(requests.baseAddress, nfds_t(requests.count), 0)
    }
    guard count > 0 else { return descriptors.map { _ in false } }
    return requests.map { $0.revents & (hangUp | Int16(POLLHUP) | Int16(POLLERR)) != 0 }
  }

  /// Sends a short text, or nothing if it would have to wait (`send`).
  static func send(_ text: String, on descriptor: Int32) {
    let bytes = Array(text.utf8)
    // The socket is non-blocking. The process ignores `SIGPIPE`.
    _ = unsafe write(descriptor, bytes, bytes.count)
  }

  /// Ends a connection (`shutdown`). The event loop then closes it.
  static func end(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
