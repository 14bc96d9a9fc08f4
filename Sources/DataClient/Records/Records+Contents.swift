internal import ClientCore
internal import DataStore
public import FoundationEssentials
internal import Synchronization

/// The content of a file, as a sequence of pieces that are read during iteration.
///
/// Each further iteration reads the content from the store again. It throws an error if the file has
/// been changed or deleted meanwhile.
public struct FileContents: AsyncSequence, Sendable {
  /// The name, the media type, the size and the SHA-256 of the whole file.
  public let file: FileReference
  fileprivate let source: Source

  /// Returns an iterator over the pieces.
  public func makeAsyncIterator() -> Iterator {
    Iterator(file: file, source: source, state: source.takeFirst().map(Iterator.State.reading))
  }

  /// An iterator over the pieces of a content.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate enum State {
      case reading(any ContentStream)
      case ended
    }

    fileprivate let file: FileReference
    fileprivate let source: Source
    /// Nil if the content has not been requested yet.
    fileprivate var state: State?

    /// Reads the next bytes.
    ///
    /// - Returns: At least one byte, or nil at the end.
    /// - Throws: A ``DataError`` if the content cannot be read, or if the file is not the same any
    ///   more.
    public mutating func next() async throws -> [UInt8]? {
      let pieces: any ContentStream
      switch state {
      case .ended: return nil
      case .reading(let current): pieces = current
      case nil:
        let content = try await source.open()
        guard content.file == file else {
          throw DataError(.changed, "the file has been changed since it was read: \(file.name)")
        }
        pieces = content.pieces
        state = .reading(pieces)
      }
      guard let piece = try await pieces.next() else {
        state = .ended
        return nil
      }
      return piece
    }
  }

  /// Reads the whole content.
  ///
  /// - Returns: The bytes.
  /// - Throws: A ``DataError`` if the content cannot be read.
  public func bytes() async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await piece in self { bytes += piece }
    return bytes
  }

  /// Opens a content. The first time, it is already open, because its file has been read.
  fileprivate final class Source: Sendable {
    typealias Content = (file: FileReference, pieces: any ContentStream)

    private let first: Mutex<(any ContentStream)?>
    let open: @Sendable () async throws(DataError) -> Content

    init(
      _ first: any ContentStream, open: @escaping @Sendable () async throws(DataError) -> Content
    ) {
      self.first = Mutex(first)
      self.open = open
    }

    func takeFirst() -> (any ContentStream)? { first.withLock { $0.take() } }
  }
}

/// Methods that read and save the contents of files in the records.
extension Records {
  /// Returns the content of a file, or nil if the record does not exist or has no file in the field.
  ///
  /// ```swift
  /// if let photo = try await products.content("photo", of: "tea") {
  ///   for try await piece in photo { hash.update(piece) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - field: The name of the file field.
  ///   - id: The id of the record.
  ///   - range: The part of the content to read; nil for all of it.
  /// - Returns: The content, of which at most a few megabytes are in memory.
  /// - Throws: A ``DataError`` if the field does not exist or is no file field, or if the range is
  ///   outside the content.
  public func content(
    _ field: String, of id: String, range: Range<Int>? = nil
  ) async throws -> FileContents? {
    do throws(DataError) {
      @Sendable func open() async throws(DataError) -> FileContents.Source.Content {
        try await client.inLibraryWords { () throws(DataError) in
          try await openContent(field, id, range)
        }
      }
      let opened = try await open()
      return FileContents(
        file: opened.file, source: FileContents.Source(opened.pieces, open: open))
    } catch {
      guard error.isOfMissingRecords else { throw error }
      return nil
    }
  }

  private func openContent(
    _ field: String, _ id: String, _ range: Range<Int>?
  ) async throws(DataError) -> FileContents.Source.Content {
    let name = try schemaName()
    func open() async throws(DataError) -> FileContents.Source.Content {
      try await client.content(of: field, id, in: name, range: range)
    }
    guard let shared = client.pooledStore else { return try await open() }
    // The caller reads the content as slowly as it likes.
    if let reserved = try await shared.reserving(open) { return reserved }
    let (file, pieces) = try await open()
    return (file, client.copied(pieces))
  }

  /// Saves the content of a file in a field of an existing record.
  ///
  /// ```swift
  /// try await products.setContent("photo", of: "tea", from: URL(filePath: "tea.png"))
  /// ```
  ///
  /// - Parameters:
  ///   - field: The name of the file field.
  ///   - id: The id of the record.
  ///   - url: The URL of the file.
  ///   - name: The name to store; nil for the last part of the path.
  ///   - type: The media type if the extension of the name is unknown.
  /// - Returns: The reference to the file, as stored in the record.
  /// - Throws: A ``DataError`` if the file cannot be read, or if the record does not exist.
  @discardableResult
  public func setContent(
    _ field: String, of id: String, from url: URL, name: String? = nil, type: String? = nil
  ) async throws -> FileReference {
    guard url.isFileURL else {
      throw DataError(.usage, "not the URL of a file: \(url.absoluteString)")
    }
    let content = try CollectedContent(ofFile: url.path)
    return try await save(content, field, of: id, name: name ?? url.lastPathComponent, type)
  }

  /// Saves the content of a file, which a sequence produces, in a field of an existing record.
  ///
  /// The bytes are collected before the content is saved: few in memory, and many in a temporary
  /// file.
  ///
  /// - Parameters:
  ///   - field: The name of the file field.
  ///   - id: The id of the record.
  ///   - pieces: The bytes, in pieces such as `[UInt8]` or `Data`.
  ///   - name: The name of the file, without a folder.
  ///   - type: The media type if the extension of the name is unknown.
  /// - Returns: The reference to the file, as stored in the record.
  /// - Throws: A ``DataError`` if the record does not exist, or the error of the sequence.
  @discardableResult
  public func setContent<Pieces: AsyncSequence>(
    _ field: String, of id: String, from pieces: Pieces, name: String, type: String? = nil
  ) async throws -> FileReference where Pieces.Element: Sequence<UInt8> {
    var content = CollectedContent()
    for try await piece in pieces { try content.append(Array(piece).span) }
    return try await save(content, field, of: id, name: name, type)
  }

  private func save(
    _ content: CollectedContent, _ field: String, of id: String, name: String, _ type: String?
  ) async throws(DataError) -> FileReference {
    let file = try content.reference(name: name, type: type)
    try await client.inLibraryWords { () throws(DataError) in
      try await client.setContent(content, file, in: field, of: id, in: schemaName())
    }
    return file
  }
}
