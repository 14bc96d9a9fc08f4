/// Copies the headers of a request, and checks that libmicrohttpd has parsed all bytes of them.
///
/// libmicrohttpd 0.9 parses the lines as C strings, in the buffer in which they were received. NUL
/// therefore ends the target, a value, or even the whole header early, and a line that begins with
/// a space becomes part of another name. A proxy may understand such a request differently. The
/// missing bytes show in the addresses of the strings: each string must begin where the line before
/// it has ended.
struct HeaderReader {
  private(set) var headers: [(name: String, value: String)] = []
  private var isContiguous: Bool
  /// The address at which the next line begins.
  private var next: UInt

  /// - Parameter targetSize: The size of the target in bytes, of which `path` is the beginning.
  init(
    method: UnsafePointer<CChar>, path: UnsafePointer<CChar>, targetSize: Int,
    version: UnsafePointer<CChar>
  ) {
    let endOfMethod = unsafe Self.end(of: method)
    let endOfTarget = UInt(bitPattern: path) + UInt(targetSize)
    isContiguous =
      UInt(bitPattern: path) == endOfMethod + 1 && UInt(bitPattern: version) == endOfTarget + 1
    next = unsafe Self.end(of: version) + 2
  }

  /// Returns the address after the last byte of a C string.
  private static func end(of text: UnsafePointer<CChar>) -> UInt {
    let size = unsafe String(cString: text).utf8.count
    return UInt(bitPattern: text) + UInt(size)
  }

  /// Copies a header. A name is in lowercase. Bytes that are not UTF-8 are replaced.
  mutating func add(
    _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) {
    unsafe headers.append(
      (String(decoding: name, as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self)))
    let start = UInt(bitPattern: name.baseAddress)
    let startOfValue = UInt(bitPattern: value.baseAddress)
    isContiguous =
      isContiguous && start == next && startOfValue > start + UInt(name.count)
    next = startOfValue + UInt(value.count) + 2
  }

  /// Returns whether the lines, and the empty line after them, are all bytes of the header.
  func hasRead(_ size: Int, from method: UnsafePointer<CChar>) -> Bool {
    isContiguous && next + 2 == UInt(bitPattern: method) + UInt(size)
  }
}
