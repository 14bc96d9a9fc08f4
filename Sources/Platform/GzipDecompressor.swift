internal import CZlib

/// Decompresses data in the gzip format with zlib. The zlib library is loaded with `dlopen` when
/// compressed input is read.
@safe
package struct GzipDecompressor: ~Copyable {
  /// The reason why data cannot be decompressed.
  package enum Failure: Error, Hashable {
    case libraryMissing
    /// The zlib library cannot be loaded. The text is the message of the dynamic linker.
    case cannotLoad(String)
    case outOfMemory
    /// The data is not in the gzip format, or its checksum is wrong. The text is zlib's message.
    case invalidData(String)
  }

  #if canImport(Darwin)
    package static let fileName = "libz.1.dylib"
  #else
    package static let fileName = "libz.so.1"
  #endif

  /// The version of zlib, or nil if it cannot be opened.
  package static var version: String? {
    DynamicLibrary.version(of: [fileName], from: "zlibVersion")
  }

  /// The maximum number of bytes that one call of `decompress` appends.
  private static var pieceSize: Int { 64 << 10 }

  private let library: DynamicLibrary
  private let inflate: datactl_zlib_step
  private let reset: datactl_zlib_stream_function
  private let end: datactl_zlib_stream_function
  private let stream: UnsafeMutablePointer<datactl_zlib_stream>
  private var piece: [UInt8]

  /// Opens zlib and creates a decompressor (`inflateInit2`).
  package init(fileName: String = GzipDecompressor.fileName) throws(Failure) {
    let library: DynamicLibrary
    do throws(DynamicLibrary.LoadError) {
      library = try DynamicLibrary([fileName], binding: .lazy)
    } catch {
      if case .failed(let text) = error { throw .cannotLoad(text) }
      throw .libraryMissing
    }
    guard let initialize: datactl_zlib_init = try? unsafe library.find("inflateInit2_"),
      let inflate: datactl_zlib_step = try? unsafe library.find("inflate"),
      let reset: datactl_zlib_stream_function = try? unsafe library.find("inflateReset"),
      let end: datactl_zlib_stream_function = try? unsafe library.find("inflateEnd")
    else { throw .libraryMissing }
    let stream = UnsafeMutablePointer<datactl_zlib_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: datactl_zlib_stream())
    // zlib compares only the first digit of its version.
    let status = unsafe initialize(
      stream, Int32(datactl_zlib_gzip_window), "1",
      Int32(MemoryLayout<datactl_zlib_stream>.size))
    guard Int(status) == datactl_zlib_ok else {
      unsafe stream.deallocate()
      throw Int(status) == datactl_zlib_memory_error ? .outOfMemory : .libraryMissing
    }
    unsafe self.inflate = inflate
    unsafe self.reset = reset
    unsafe self.end = end
    unsafe self.stream = stream
    self.library = library
    piece = Array(repeating: 0, count: Self.pieceSize)
  }

  deinit {
    _ = unsafe end(stream)
    unsafe stream.deallocate()
  }

  /// The result of a call of `decompress`.
  package struct Progress {
    /// The number of input bytes that were read. The next call must begin with the first byte that
    /// was not read.
    package var used: Int
    /// The number of bytes that were appended to the output.
    package var count: Int
    /// Whether the end of the compressed data was reached, and its checksum is correct. To
    /// decompress further data, call `begin`.
    package var isAtEnd: Bool
  }

  /// Decompresses bytes (`inflate`), and appends at most `limit` bytes to the output. If a call
  /// appends `limit` bytes, zlib may have more output, so call this function again, even if no
  /// input is left.
  package mutating func decompress(
    _ input: Span<UInt8>, into output: inout [UInt8], atMost limit: Int
  ) throws(Failure) -> Progress {
    let size = min(limit, piece.count)
    let status = unsafe input.withUnsafeBytes { bytes in
      unsafe piece.withUnsafeMutableBufferPointer { piece in
        unsafe stream.pointee.next_in = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        unsafe stream.pointee.available_in = UInt32(bytes.count)
        unsafe stream.pointee.next_out = piece.baseAddress
        unsafe stream.pointee.available_out = UInt32(size)
        return unsafe inflate(stream, Int32(datactl_zlib_no_flush))
      }
    }
    let count = unsafe size - Int(stream.pointee.available_out)
    let used = unsafe input.count - Int(stream.pointee.available_in)
    switch Int(status) {
    case datactl_zlib_ok, datactl_zlib_buffer_error, datactl_zlib_stream_end: break
    case datactl_zlib_memory_error: throw .outOfMemory
    default:
      let message = unsafe stream.pointee.message.flatMap { unsafe String(validatingCString: $0) }
      throw .invalidData(message ?? "invalid data")
    }
    output += piece[..<count]
    return Progress(
      used: used, count: count, isAtEnd: Int(status) == datactl_zlib_stream_end)
  }

  /// Prepares the decompressor for further compressed data after the end of the previous data
  /// (`inflateReset`).
  package mutating func begin() {
    _ = unsafe reset(stream)
  }
}
