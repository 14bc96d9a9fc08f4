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
final class DumpWriter {
  private let sink: any ByteSink
  private var manifest = DumpManifest()
  private var digest = SHA256()
  private var written: Int64 = 0

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
    try sink.write(header.bytes)
    digest = SHA256()
    written = 0
    try await body(self)
    let found = digest.hexadecimal()
    guard written == size, sha256 == nil || sha256 == found else {
      throw DataError(
        .changed, "\(name): the records changed while they were read",
        hint: "run the command again when no other command writes to the store")
    }
    try sink.write(TarHeader.padding(after: size))
    try manifest.add(header, sha256: found)
  }

  /// Adds a member with the given content.
  func add(_ name: String, _ content: [UInt8]) async throws(DataError) {
    try await add(name, size: Int64(content.count)) { writer throws(DataError) in
      try writer.write(content.span)
    }
  }

  /// Writes a part of the content of a member.
  func write(_ bytes: Span<UInt8>) throws(DataError) {
    digest.update(bytes)
    written += Int64(bytes.count)
    try sink.write(bytes)
  }

  /// Writes the manifest and the end of the archive.
  func finish(_ head: DumpManifest.Head) async throws(DataError) {
    let manifest = manifest
    let text = head.text
    let size = text.count + manifest.lines.count + DumpManifest.end.count
    try await add(DumpManifest.name, size: Int64(size)) { writer throws(DataError) in
      try writer.write(text.span)
      var offset = 0
      while offset < manifest.lines.count {
        let piece = try manifest.piece(at: offset)
        try writer.write(piece.span)
        offset += piece.count
      }
      let end = DumpManifest.end
      try writer.write(end.span)
    }
    try sink.write(TarHeader.end)
  }
}

extension ByteSink {
  fileprivate func write(_ bytes: [UInt8]) throws(DataError) { try write(bytes.span) }
}
