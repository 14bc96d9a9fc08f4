internal import DataAPI
package import DataModel
internal import DataOutput
package import DataStore
internal import Platform
internal import ServerClient

/// The content of a file, which is collected before it is saved: a little in memory, and much in a
/// temporary file.
package struct CollectedContent: Sendable {
  fileprivate var bytes = SpooledBytes()
  private var digest = SHA256()

  package init() {}

  /// Reads the content of a file.
  package init(ofFile path: String) throws(DataError) {
    func reading<Value: ~Copyable>(
      _ body: () throws(SystemCallError) -> Value
    ) throws(DataError) -> Value {
      do throws(SystemCallError) {
        return try body()
      } catch {
        throw DataError(Problem(.fileFailed, error.text, file: path))
      }
    }
    let file = try reading { () throws(SystemCallError) in try OpenFile(path, for: .reading) }
    var piece: [UInt8] = []
    repeat {
      piece.removeAll(keepingCapacity: true)
      _ = try reading { () throws(SystemCallError) in
        try Descriptor.readBytes(file.descriptor, into: &piece, atMost: 256 << 10)
      }
      try append(piece.span)
    } while !piece.isEmpty
  }

  package mutating func append(_ piece: Span<UInt8>) throws(DataError) {
    digest.update(piece)
    do throws(TempFileError) {
      try bytes.append(piece)
    } catch {
      throw DataError(.fileFailed, error.text, hint: error.hint)
    }
  }

  /// Returns the reference to a file with this content.
  ///
  /// - Parameters:
  ///   - name: The name of the file, without a folder.
  ///   - type: The media type if the extension of the name is unknown.
  /// - Throws: An error if the name or the media type is invalid.
  package func reference(name: String, type: String?) throws(DataError) -> FileReference {
    guard FileReference.isName(name) else {
      throw DataError(.invalid, "not a valid file name: \(Excerpt.quoted(name))")
    }
    let type = MediaType.of(fileName: name) ?? type ?? MediaType.unknown
    guard FileReference.isMediaType(type.utf8.span) else {
      throw DataError(.invalid, "not a media type: \(Excerpt.quoted(type))")
    }
    return FileReference(
      name: name, type: type, size: Int64(bytes.count), sha256: digest.hexadecimal())
  }

  fileprivate var content: FileContent {
    .stream { () throws(DataError) in
      var position = 0
      return { () throws(DataError) in
        var piece: [UInt8] = []
        do throws(TempFileError) {
          position += try bytes.read(at: position, into: &piece, atMost: 64 << 10)
        } catch {
          throw DataError(.fileFailed, error.text, hint: error.hint)
        }
        return piece.isEmpty ? nil : piece
      }
    }
  }
}

extension Client {
  /// Saves the content of a file in a field of an existing record.
  package func setContent(
    _ content: CollectedContent, _ file: FileReference, in field: String, of id: String,
    in name: String
  ) async throws(DataError) {
    switch executor {
    case .store(let store):
      let stored = try await store.catalog()
      let schema = try stored.catalog.schema(name)
      var changes = RowChanges(for: schema)
      changes.beginRecord(line: 0)
      changes.set(schema.keySlot, text: id.utf8.span)
      changes.set(try schema.fileSlot(named: field), file: file, content: content.content)
      if let error = DataError(changes.endRecord()) { throw error }
      var save = RecordSave(
        SingleChunkSource(changes), of: schema, by: SavePolicy(mode: .update),
        WriteRequest(
          to: [schema], versions: stored.versions(concerning: schema), stamp: try await stamp(),
          end: end),
        in: stored.catalog, listener: SilentListener())
      try await run(&save)
    case .server(let server):
      // The server would also save the content as the value of a text field.
      _ = try await catalog(from: server).stored.catalog.schema(name).fileSlot(named: field)
      try await setContent(content.bytes, file, at: path(of: field, id, name), in: server)
    }
  }

  /// Returns the file in a field of a record, and its content.
  ///
  /// - Parameter range: The bytes to return; nil for all bytes.
  /// - Throws: An error if the record does not exist, or if it has no file in the field.
  package func content(
    of field: String, _ id: String, in name: String, range: Range<Int>? = nil
  ) async throws(DataError) -> (file: FileReference, pieces: any ContentStream) {
    if let range, range.isEmpty || range.lowerBound < 0 {
      throw DataError(.usage, "not a range of a content: \(range)")
    }
    let reader: any StoreReader
    switch executor {
    case .store(let store):
      // The reference and the content are read from one snapshot.
      reader = try await store.snapshot()
    case .server(let server):
      return try await content(at: path(of: field, id, name), range, from: server)
    }
    let schema = try await reader.catalog().catalog.schema(name)
    let slot = try schema.fileSlot(named: field)
    let found = try await reader.find([id], in: schema, slots: [schema.keySlot, slot])
    guard found.missing.isEmpty else { throw DataError(.recordNotFound(id: id, of: schema)) }
    guard case .file(let file) = found.rows.value(found.rows[0, slot], of: .file),
      let pieces = try await reader.content(of: slot, id: id, in: schema)
    else {
      throw DataError(
        Problem(.notFound, "the record has no file in \(field)", schema: schema.name, id: id))
    }
    guard let range else { return (file, pieces) }
    guard range.lowerBound < file.size else {
      throw DataError(.usage, "the content has \(file.size) bytes")
    }
    return (file, ContentPart(of: pieces, in: range))
  }

  private func path(of field: String, _ id: String, _ schema: String) -> String {
    let names = [schema, id, field].map(PercentEncoding.encode).joined(separator: "/")
    return "/records/\(names)/content"
  }
}

extension Schema {
  fileprivate func fileSlot(named field: String) throws(DataError) -> Int {
    let slot = try printedSlot(named: field)
    guard type(of: slot) == .file else {
      throw DataError(.usage, "\(name).\(field) is \(type(of: slot).name), not file")
    }
    return slot
  }
}

/// The pieces of a content that are in a range.
private actor ContentPart: ContentStream {
  private let pieces: any ContentStream
  private let range: Range<Int>
  private var offset = 0

  init(of pieces: any ContentStream, in range: Range<Int>) {
    self.pieces = pieces
    self.range = range
  }

  func next() async throws(DataError) -> [UInt8]? {
    while offset < range.upperBound, let piece = try await pieces.next() {
      let wanted = range.clamped(to: offset..<offset + piece.count)
      let part = piece[(wanted.lowerBound - offset)..<(wanted.upperBound - offset)]
      offset += piece.count
      if !part.isEmpty { return Array(part) }
    }
    return nil
  }
}
