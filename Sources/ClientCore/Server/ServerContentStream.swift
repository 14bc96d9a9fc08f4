internal import DataAPI
internal import DataModel
internal import DataStore
internal import ServerClient

/// The content of a file in a response of a server, which is read while it arrives.
actor ServerContentStream: ContentStream {
  private let response: ResponseStream
  private let file: FileReference
  private let range: Range<Int>?
  private let server: ServerExecutor
  private var digest = SHA256()
  private var count = 0

  /// - Parameter range: The part of the content that was requested, or nil for all of it.
  init(
    _ response: ResponseStream, of file: FileReference, _ range: Range<Int>?,
    from server: ServerExecutor
  ) {
    self.response = response
    self.file = file
    self.range = range
    self.server = server
  }

  func next() async throws(DataError) -> [UInt8]? {
    guard let bytes = try await response.nextBytes() else {
      try check()
      return nil
    }
    count += bytes.count
    if range == nil { digest.update(bytes.span) }
    return bytes
  }

  /// Throws an error if the content that has been received is not that of the file.
  private func check() throws(DataError) {
    let size = Int(file.size)
    guard count == range?.clamped(to: 0..<size).count ?? size else {
      throw server.responses.invalidResponse("it contains \(count) bytes of a content of \(size)")
    }
    guard range != nil || digest.hexadecimal() == file.sha256 else {
      throw server.responses.invalidResponse("the content does not have the SHA-256 of the file")
    }
  }
}

extension FileReference {
  /// Creates the reference that the headers of a response with a content describe. Returns nil if
  /// one of them is missing or invalid.
  init?(of header: ServerResponse) {
    let size = header["content-range"]?.split(separator: "/").last ?? header["content-length"]?[...]
    let prefix = "attachment; filename*=UTF-8''"
    guard let tag = header["etag"], tag.utf8.count == 66, tag.hasPrefix("\""), tag.hasSuffix("\""),
      let disposition = header["content-disposition"], disposition.hasPrefix(prefix),
      let name = try? PercentEncoding.decode(disposition.utf8.dropFirst(prefix.count), as: .path),
      FileReference.isName(name), let type = header["content-type"],
      FileReference.isMediaType(type.utf8.span), let size, let size = Int64(size), size >= 0
    else { return nil }
    self.init(name: name, type: type, size: size, sha256: String(tag.dropFirst().dropLast()))
  }
}
