internal import CZlib

/// Compresses data to the gzip format with zlib.
@safe
package struct GzipCompressor: ~Copyable {
  /// What follows the bytes that are passed to `compress`: more bytes, more bytes after a pause, or
  /// nothing. This determines whether zlib may hold back a part of its output until more bytes
  /// arrive (the flush mode).
  package enum Rest {
    case more
    /// More bytes follow, but perhaps much later. zlib holds back no output, so the receiver can
    /// already decompress everything so far.
    case pause
    case nothing
  }

  private let library: DynamicLibrary
  private let deflate: datactl_zlib_step
  private let end: datactl_zlib_stream_function
  private let stream: UnsafeMutablePointer<datactl_zlib_stream>
  private var piece = [UInt8](repeating: 0, count: 64 << 10)

  /// Opens zlib and creates a compressor (`deflateInit2`). Returns nil if the library cannot be
  /// loaded, or if there is not enough memory.
  package init?() {
    guard let library = try? DynamicLibrary([GzipDecompressor.fileName], binding: .lazy),
      let initialize: datactl_zlib_deflate_init = try? unsafe library.find("deflateInit2_"),
      let deflate: datactl_zlib_step = try? unsafe library.find("deflate"),
      let end: datactl_zlib_stream_function = try? unsafe library.find("deflateEnd")
    else { return nil }
    let stream = UnsafeMutablePointer<datactl_zlib_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: datactl_zlib_stream())
    // zlib compares only the first digit of its version.
    let status = unsafe initialize(
      stream, Int32(datactl_zlib_fastest), Int32(datactl_zlib_deflated),
      Int32(datactl_zlib_gzip_window), Int32(datactl_zlib_memory),
      Int32(datactl_zlib_default_strategy), "1", Int32(MemoryLayout<datactl_zlib_stream>.size))
    guard Int(status) == datactl_zlib_ok else {
      unsafe stream.deallocate()
      return nil
    }
    unsafe self.deflate = deflate
    unsafe self.end = end
    unsafe self.stream = stream
    self.library = library
  }

  deinit {
    _ = unsafe end(stream)
    unsafe stream.deallocate()
  }

  /// Compresses bytes (`deflate`), and appends the result to the output. If `rest` is `more`, zlib
  /// may hold back a part of the result until the next call.
  package mutating func compress(
    _ input: Span<UInt8>, before rest: Rest, into output: inout [UInt8]
  ) {
    let flush =
      switch rest {
      case .more: datactl_zlib_no_flush
      case .pause: datactl_zlib_sync_flush
      case .nothing: datactl_zlib_finish
      }
    unsafe input.withUnsafeBytes { bytes in
      unsafe stream.pointee.next_in = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
      unsafe stream.pointee.available_in = UInt32(bytes.count)
      var count = 0
      repeat {
        unsafe piece.withUnsafeMutableBufferPointer { piece in
          unsafe stream.pointee.next_out = piece.baseAddress
          unsafe stream.pointee.available_out = UInt32(piece.count)
          _ = unsafe deflate(stream, Int32(flush))
          unsafe count = piece.count - Int(stream.pointee.available_out)
        }
        output += piece[..<count]
        // zlib may have more output only if it has filled the piece.
      } while count == piece.count
    }
  }
}
