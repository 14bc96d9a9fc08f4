/// The media types of files, according to their extensions.
package enum MediaType {
  /// The media type for a file whose type is not known.
  package static let unknown = "application/octet-stream"

  /// Returns the media type of a file, or nil if its extension is not known.
  package static func of(fileName: String) -> String? {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    return types[fileName[fileName.index(after: dot)...].lowercased()]
  }

  private static let types = [
    "avif": "image/avif", "css": "text/css", "csv": "text/csv", "gif": "image/gif",
    "gz": "application/gzip", "htm": "text/html", "html": "text/html", "jpeg": "image/jpeg",
    "jpg": "image/jpeg", "js": "text/javascript", "json": "application/json",
    "md": "text/markdown", "mp3": "audio/mpeg", "mp4": "video/mp4",
    "ndjson": "application/x-ndjson",
    "ogg": "audio/ogg", "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml",
    "tar": "application/x-tar", "txt": "text/plain", "wav": "audio/wav", "webm": "video/webm",
    "webp": "image/webp", "xml": "application/xml", "zip": "application/zip",
  ]
}
