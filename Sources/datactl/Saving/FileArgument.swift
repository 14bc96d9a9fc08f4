import ClientCore
import DataModel
import DataOutput
import Platform

/// The content of a file to store in a file field. The file is read once to compute its digest, and
/// again when the store saves the content.
struct FileArgument {
  let reference: FileReference
  let content: FileContent

  /// Reads a file, and computes its digest. Stdin can be read only once, so its content is copied
  /// to a temporary file.
  init(of path: String, with context: CommandContext) throws(DataError) {
    let input = try context.input(path, for: "the content of a file")
    let copy = input.remaining == nil || path == "-" ? try AnonymousTempFile() : nil
    var digest = SHA256()
    var size: Int64 = 0
    var piece: [UInt8] = []
    while try input.read(into: &piece, atMost: 64 << 10) > 0 {
      digest.update(piece.span)
      size += Int64(piece.count)
      try copy?.write(piece.span)
      piece.removeAll(keepingCapacity: true)
    }
    let name =
      path == "-"
      ? context.served?.fileName ?? "stdin" : String(path.split(separator: "/").last ?? "file")
    guard FileReference.isName(name) else {
      throw DataError(
        .invalid, "not a valid file name: \(Excerpt.quoted(name))",
        hint: "rename the file")
    }
    var type = MediaType.of(fileName: name)
    if type == nil, path == "-", let sent = context.served?.fileType {
      guard FileReference.isMediaType(sent.utf8.span) else {
        throw DataError(.invalid, "not a media type: \(Excerpt.quoted(sent))")
      }
      type = sent
    }
    reference = FileReference(
      name: name, type: type ?? MediaType.unknown, size: size, sha256: digest.hexadecimal())
    content = .stream { () throws(DataError) in
      if let copy { return Self.pieces(of: try copy.input()) }
      return Self.pieces(of: try context.input(path, for: "the content of a file"))
    }
  }

  private static func pieces(of input: InputStream) -> FilePieces {
    { () throws(DataError) in
      var piece: [UInt8] = []
      return try input.read(into: &piece, atMost: 64 << 10) > 0 ? piece : nil
    }
  }
}
