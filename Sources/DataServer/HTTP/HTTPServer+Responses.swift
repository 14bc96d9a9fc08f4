internal import CMicroHTTP

/// Sends responses with libmicrohttpd.
extension HTTPServer {
  /// Queues a response (`MHD_queue_response`). Returns false if the connection must be closed.
  func queue(
    _ response: HTTPResponse, of exchange: Exchange, on connection: OpaquePointer
  ) -> Bool {
    let handle: OpaquePointer?
    switch response.body {
    case .bytes(let bytes) where response.isCompressed:
      let store = ByteStore(.kept)
      guard (try? store.append(bytes.span)) != nil else { return false }
      store.finish()
      unsafe handle = stream(store, size: nil, response, exchange)
    case .bytes(let bytes):
      unsafe handle = bytes.withUnsafeBytes { bytes in
        unsafe library.bufferResponse(
          bytes.count, bytes.baseAddress, Int32(datactl_mhd_copied_memory))
      }
    case .store(let store, let count):
      unsafe handle = stream(store, size: response.isCompressed ? nil : count, response, exchange)
    }
    guard let handle = unsafe handle else { return false }
    defer { unsafe library.destroy(handle) }
    var headers = response.headers
    if response.closesConnection { headers.append(("Connection", "close")) }
    for header in headers {
      // libmicrohttpd does not add a header with a control character, which would be invalid.
      _ = unsafe library.addHeader(handle, header.name, header.value)
    }
    return unsafe library.queue(connection, UInt32(response.status), handle) != datactl_mhd_no
  }

  /// Creates a response whose body is read from a `ByteStore`
  /// (`MHD_create_response_from_callback`).
  ///
  /// - Parameter size: The number of bytes to send, or nil if it is not known.
  private func stream(
    _ store: ByteStore, size: Int?, _ response: HTTPResponse, _ exchange: Exchange
  ) -> OpaquePointer? {
    let compressor = response.isCompressed ? ResponseCompressor(store) : nil
    guard !response.isCompressed || compressor != nil else { return nil }
    let reader = ResponseReader(store, compressor, of: exchange)
    let context = unsafe Unmanaged.passRetained(reader).toOpaque()
    // A body of unknown size is read into the memory of the connection, not into a block.
    return unsafe library.streamResponse(
      size.map(UInt64.init) ?? .max, size == nil ? 4 << 10 : 64 << 10, Self.readBody, context,
      Self.freeBody)
  }

  /// The context of the callback that reads the body of a response.
  private final class ResponseReader {
    let store: ByteStore
    let compressor: ResponseCompressor?
    let exchange: Exchange

    init(_ store: ByteStore, _ compressor: ResponseCompressor?, of exchange: Exchange) {
      self.store = store
      self.compressor = compressor
      self.exchange = exchange
    }
  }

  private static let readBody: datactl_mhd_content_reader = { context, position, buffer, size in
    guard let context = unsafe context, let buffer = unsafe buffer else {
      return datactl_mhd_end_with_error
    }
    let body = unsafe Unmanaged<ResponseReader>.fromOpaque(context).takeUnretainedValue()
    return unsafe body.exchange.read(
      body.store, body.compressor, at: Int(position),
      into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
  }

  private static let freeBody: datactl_mhd_free = { context in
    if let context = unsafe context {
      unsafe Unmanaged<ResponseReader>.fromOpaque(context).release()
    }
  }
}
