package import DataModel
internal import Platform
package import RecordText
internal import Synchronization

/// A byte source that decompresses the gzip data of another source. The data may consist of several
/// gzip members, as in the output of `cat a.gz b.gz`.
package struct GzipSource<Source: ByteSource>: ByteSource {
  private static var pieceSize: Int { 64 << 10 }

  private var source: Source
  private let file: String
  /// The maximum number of decompressed bytes, or nil if there is none.
  private let limit: Int?
  private let decompressor: SharedDecompressor
  /// Compressed bytes, of which the first `start` have been decompressed.
  private var input: [UInt8] = []
  private var start = 0
  private var bytesRead = 0
  private var bytesReturned = 0
  /// Whether a gzip member has ended and no other member has begun. Only then may the input end.
  private var isBetweenParts = false
  /// Whether the decompressor may return more bytes without further input.
  private var hasMore = false
  private var isFinished = false

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - file: The file name for error messages.
  ///   - limit: The maximum number of decompressed bytes, or nil if there is none.
  package init(_ source: Source, file: String, atMost limit: Int? = nil) throws(DataError) {
    self.source = source
    self.file = file
    self.limit = limit
    do throws(GzipDecompressor.Failure) {
      decompressor = try SharedDecompressor()
    } catch {
      throw Self.error(error, file)
    }
  }

  package var convertedCount: Int? { bytesRead }

  package func hasBytes(within seconds: Double) throws(DataError) -> Bool {
    if hasMore || start < input.count || isFinished { return true }
    return try source.hasBytes(within: seconds)
  }

  package mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int
  {
    while !isFinished {
      if start == input.count, !hasMore { try readInput() }
      if isFinished { break }
      if isBetweenParts {
        guard input[start] == 0x1F else {
          throw Self.error(.invalidData("other data follows the compressed data"), file)
        }
        decompressor.begin()
        isBetweenParts = false
      }
      let progress: GzipDecompressor.Progress
      do throws(GzipDecompressor.Failure) {
        progress = try decompressor.decompress(
          input.span.extracting(start..<input.count), into: &buffer, atMost: count)
      } catch {
        throw Self.error(error, file)
      }
      start += progress.used
      isBetweenParts = progress.isAtEnd
      hasMore = !progress.isAtEnd && progress.count > 0
      bytesReturned += progress.count
      if let limit, bytesReturned > limit {
        throw DataError(
          Problem(
            .invalid, "the decompressed input is longer than \(limit) bytes",
            hint: "send it in several requests", file: file))
      }
      if progress.count > 0 { return progress.count }
    }
    return 0
  }

  private mutating func readInput() throws(DataError) {
    input.removeAll(keepingCapacity: true)
    start = 0
    let size = try source.read(into: &input, atMost: Self.pieceSize)
    bytesRead += size
    if size > 0 { return }
    guard isBetweenParts else {
      throw Self.error(.invalidData("the compressed data ends early"), file)
    }
    isFinished = true
  }

  private static func error(_ failure: GzipDecompressor.Failure, _ file: String) -> DataError {
    switch failure {
    case .libraryMissing:
      DataError(
        .libraryMissing, "reading gzip requires zlib, which is not installed",
        hint: "install the package zlib1g, or decompress the input first: gzip -dc FILE | datactl …"
      )
    case .cannotLoad(let text):
      DataError(.failed, "reading gzip requires zlib, which cannot be loaded: \(text)")
    case .outOfMemory: DataError(.failed, "not enough memory to decompress the input")
    case .invalidData(let message):
      DataError(
        Problem(.syntax, "cannot decompress the input with gzip: \(message)", file: file))
    }
  }
}

/// A decompressor that is used by several threads, but by only one at a time.
private final class SharedDecompressor: Sendable {
  private let decompressor: Mutex<GzipDecompressor>

  init() throws(GzipDecompressor.Failure) {
    decompressor = Mutex(try GzipDecompressor())
  }

  func begin() {
    decompressor.withLock { $0.begin() }
  }

  func decompress(
    _ input: Span<UInt8>, into output: inout [UInt8], atMost limit: Int
  ) throws(GzipDecompressor.Failure) -> GzipDecompressor.Progress {
    try decompressor.withLock { (decompressor) throws(GzipDecompressor.Failure) in
      try decompressor.decompress(input, into: &output, atMost: limit)
    }
  }
}
