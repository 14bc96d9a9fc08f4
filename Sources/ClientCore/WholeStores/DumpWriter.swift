import DataModel
import DataOutput
import Platform
import Synchronization

/// A sink that compresses its bytes with gzip.
final class GzipSink: ByteSink {
  private let sink: any ByteSink
  private let compressor: Mutex<GzipCompressor>

  init(_ sink: any ByteSink) throws(DataError) {
    guard let compressor = GzipCompressor() else {
      throw DataError(
        .libraryMissing, "a dump requires zlib, which is not installed",
        hint: "install the package zlib1g")
    }
    self.sink = sink
    self.compressor = Mutex(compressor)
  }

  func append(_ body: (inout [UInt8]) -> Void) throws(DataError) {
    var bytes: [UInt8] = []
    body(&bytes)
    try compress(bytes, before: .more)
  }

  /// Writes the end of the compressed data.
  func finish() throws(DataError) {
    try compress([], before: .nothing)
    try sink.flush()
  }

  func flush() {}

  func discardBuffer() -> Bool { false }

  private func compress(
    _ bytes: [UInt8], before rest: GzipCompressor.Rest
  ) throws(DataError) {
    var compressed: [UInt8] = []
    compressor.withLock { $0.compress(bytes.span, before: rest, into: &compressed) }
    try sink.write(compressed.span)
  }
}

/// Writes the members of a dump to a sink, as a tar archive.
final class DumpWriter: Sendable {
  private struct State {
    var manifest = DumpManifest()
    var digest = SHA256()
    /// The number of bytes of the current member that have been written.
    var written: Int64 = 0
  }

  private let sink: any ByteSink
  private let state = Mutex(State())

  init(to sink: any ByteSink) {
    self.sink = sink
  }

  /// Adds a member whose content the body writes.
  ///
  /// - Throws: `changed` if the content does not have the given size and, unless it is nil, the
  ///   given SHA-256, because the store has changed since they were computed.
  func add(
    _ name: String, size: Int64, sha256: String? = nil,
    _ body: (DumpWriter) async throws(DataError) -> Void
  ) async throws(DataError) {
    let header = TarHeader(name: name, size: size)
    try begin(header)
    try await body(self)
    try end(header, sha256: sha256)
  }

  /// Adds a member with the given content.
  func add(_ name: String, _ content: [UInt8]) throws(DataError) {
    let header = TarHeader(name: name, size: Int64(content.count))
    try begin(header)
    try write(content.span)
    try end(header)
  }

  /// Adds a member with the content that has been collected in a spooled text.
  func add(_ name: String, _ content: consuming SpooledText) throws(DataError) {
    let header = TarHeader(name: name, size: Int64(content.bytes.count))
    try begin(header)
    var piece: [UInt8] = []
    while try content.read(into: &piece, atMost: 64 << 10) > 0 {
      try write(piece.span)
      piece.removeAll(keepingCapacity: true)
    }
    try end(header)
  }

  private func begin(_ header: TarHeader) throws(DataError) {
    try sink.write(header.bytes)
    state.withLock {
      $0.digest = SHA256()
      $0.written = 0
    }
  }

  private func end(_ header: TarHeader, sha256: String? = nil) throws(DataError) {
    try state.withLock { state throws(DataError) in
      let found = state.digest.hexadecimal()
      guard state.written == header.size, sha256 == nil || sha256 == found else {
        throw DataError(
          .changed, "\(header.name): the records changed while they were read",
          hint: "run the command again when no other command writes to the store")
      }
      try state.manifest.add(header, sha256: found)
    }
    try sink.write(TarHeader.padding(after: header.size))
  }

  /// Writes a part of the content of a member.
  func write(_ bytes: Span<UInt8>) throws(DataError) {
    state.withLock {
      $0.digest.update(bytes)
      $0.written += Int64(bytes.count)
    }
    try sink.write(bytes)
  }

  /// Writes the manifest and the end of the archive.
  func finish(_ head: DumpManifest.Head) throws(DataError) {
    let manifest = state.withLock { $0.manifest }
    let text = head.text
    let size = text.count + manifest.lines.count + DumpManifest.end.count
    let header = TarHeader(name: DumpManifest.name, size: Int64(size))
    try begin(header)
    try write(text.span)
    var offset = 0
    while offset < manifest.lines.count {
      let piece = try manifest.piece(at: offset)
      try write(piece.span)
      offset += piece.count
    }
    let end = DumpManifest.end
    try write(end.span)
    try self.end(header)
    try sink.write(TarHeader.end)
  }
}

extension ByteSink {
  fileprivate func write(_ bytes: [UInt8]) throws(DataError) { try write(bytes.span) }
}
