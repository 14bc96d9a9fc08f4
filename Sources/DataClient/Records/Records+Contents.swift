internal import ClientCore
internal import DataStore
public import FoundationEssentials

/// The content of a file, as a sequence of pieces that are read during iteration.
public struct FileContents: AsyncSequence, Sendable {
  /// The name, the media type, the size and the SHA-256 of the whole file.
  public let file: FileReference
  fileprivate let pieces: any ContentStream

  /// Returns an iterator over the pieces. The content can be read only once.
  public func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces) }

  /// An iterator over the pieces of a content.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let pieces: any ContentStream

    /// Reads the next bytes.
    ///
    /// - Returns: At least one byte, or nil at the end.
    /// - Throws: A ``DataError`` if the content cannot be read.
    public mutating func next() async throws -> [UInt8]? { try await pieces.next() }
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
      let content = try await client.content(of: field, id, in: schemaName(), range: range)
      return FileContents(file: content.file, pieces: content.pieces)
    } catch {
      guard error.isOfMissingRecords else { throw error }
      return nil
    }
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
    try await client.setContent(content, file, in: field, of: id, in: schemaName())
    return file
  }
}
