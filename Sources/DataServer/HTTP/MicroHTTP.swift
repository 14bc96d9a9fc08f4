internal import CMicroHTTP
internal import DataModel
internal import Platform

/// The functions of libmicrohttpd. The library is loaded with `dlopen` when a server is started.
@safe struct MicroHTTP: Sendable {
  #if canImport(Darwin)
    static let fileName = "libmicrohttpd.dylib"
  #else
    static let fileName = "libmicrohttpd.so.12"
  #endif

  /// The version of the library, or nil if it cannot be opened.
  static var version: String? {
    DynamicLibrary.version(of: [fileName], from: "MHD_get_version")
  }

  private static let library = OptionalLibrary(
    "libmicrohttpd", use: "the server requires", package: "libmicrohttpd12")

  /// The addresses of libmicrohttpd's variadic functions. Swift cannot call such functions, so C
  /// functions of the module `CMicroHTTP` call them.
  private let start: UInt
  private let information: UInt

  let stop: datactl_mhd_stop_daemon
  let quiesce: datactl_mhd_quiesce_daemon
  let suspend: datactl_mhd_connection_function
  let resume: datactl_mhd_connection_function
  private let forEachHeader: datactl_mhd_headers
  let bufferResponse: datactl_mhd_buffer_response
  let streamResponse: datactl_mhd_stream_response
  let addHeader: datactl_mhd_add_header
  let queue: datactl_mhd_queue_response
  let destroy: datactl_mhd_destroy_response
  /// Whether the library can reject requests that programs may understand differently. Versions
  /// before 1.0 cannot.
  let isStrict: Bool

  /// Opens the library, which stays open for the lifetime of the process. If this fails, throws an
  /// error that contains the name of the package to install.
  init(fileName: String = MicroHTTP.fileName) throws(DataError) {
    do throws(DynamicLibrary.LoadError) {
      let library = try DynamicLibrary([fileName], binding: .immediate)
      try self.init(library)
      library.keepOpen()
    } catch {
      let (message, hint) = Self.library.message(error)
      throw DataError(hint == nil ? .failed : .libraryMissing, message, hint: hint)
    }
  }

  private init(_ library: borrowing DynamicLibrary) throws(DynamicLibrary.LoadError) {
    let start: datactl_mhd_start_daemon = unsafe try library.find("MHD_start_daemon")
    let information: datactl_mhd_connection_info =
      unsafe try library.find("MHD_get_connection_info")
    self.start = UInt(bitPattern: start)
    self.information = UInt(bitPattern: information)
    unsafe stop = try library.find("MHD_stop_daemon")
    unsafe quiesce = try library.find("MHD_quiesce_daemon")
    unsafe suspend = try library.find("MHD_suspend_connection")
    unsafe resume = try library.find("MHD_resume_connection")
    let version: datactl_mhd_version = unsafe try library.find("MHD_get_version")
    isStrict = unsafe version().map { unsafe String(cString: $0) }?.hasPrefix("0.") == false
    unsafe forEachHeader = try library.find("MHD_get_connection_values_n")
    unsafe bufferResponse = try library.find("MHD_create_response_from_buffer")
    unsafe streamResponse = try library.find("MHD_create_response_from_callback")
    unsafe addHeader = try library.find("MHD_add_response_header")
    unsafe queue = try library.find("MHD_queue_response")
    unsafe destroy = try library.find("MHD_destroy_response")
  }
}

extension MicroHTTP {
  /// Starts the event loops of a daemon (`MHD_start_daemon`). Returns nil if this fails.
  func start(
    _ flags: Int, _ options: [datactl_mhd_option], _ context: UnsafeMutableRawPointer,
    accepting policy: datactl_mhd_accept_policy, handling handler: datactl_mhd_handler
  ) -> OpaquePointer? {
    guard let start = unsafe datactl_mhd_start_daemon(bitPattern: start) else { return nil }
    return unsafe options.withUnsafeBufferPointer { options in
      unsafe datactl_mhd_start(
        start, UInt32(flags), policy, handler, context, options.baseAddress)
    }
  }

  /// Returns the descriptor of a connection's socket (`MHD_get_connection_info`).
  func descriptor(of connection: OpaquePointer) -> Int32 {
    guard let function = unsafe datactl_mhd_connection_info(bitPattern: information) else {
      return -1
    }
    return unsafe datactl_mhd_descriptor(function, connection)
  }

  /// Calls a closure with the name and the value of each header of a connection's current request
  /// (`MHD_get_connection_values_n`).
  func readHeaders(
    of connection: OpaquePointer,
    _ body: @escaping (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
  ) {
    typealias Body = (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
    var body = unsafe body
    unsafe withUnsafeMutablePointer(to: &body) { pointer in
      _ = unsafe forEachHeader(
        connection, Int32(datactl_mhd_header_kind),
        { context, _, name, nameSize, value, valueSize in
          guard let context = unsafe context else { return Int32(datactl_mhd_no) }
          unsafe context.assumingMemoryBound(to: Body.self).pointee(
            UnsafeRawBufferPointer(start: name, count: nameSize),
            UnsafeRawBufferPointer(start: value, count: valueSize))
          return Int32(datactl_mhd_yes)
        }, pointer)
    }
  }

  /// Returns the size of the header of a connection's current request in bytes.
  func headerSize(of connection: OpaquePointer) -> Int {
    guard let function = unsafe datactl_mhd_connection_info(bitPattern: information) else {
      return 0
    }
    return unsafe datactl_mhd_size_of_header(function, connection)
  }

  /// Returns the address of the client as `sockaddr`, or nil if it is unknown.
  func address(of connection: OpaquePointer) -> UnsafeRawPointer? {
    guard let function = unsafe datactl_mhd_connection_info(bitPattern: information) else {
      return nil
    }
    return unsafe datactl_mhd_address(function, connection)
  }
}
