#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which file it is, whatever paths and links lead to it.
package enum FileIdentity: Hashable, Sendable {
  case file(device: UInt64, number: UInt64)
  /// There is none yet; it would stand under this path, which has no links in it.
  case absent(path: String)
}

extension Platform {
  /// Where a path leads.
  enum Destination: Equatable {
    /// To a file that can be replaced, or to nothing yet: its path without links.
    case file(path: String)
    /// To a device, a pipe or a terminal, which can only be written to.
    case other
  }

  /// The identity of an open regular file; nothing else can be harmed by being read and written.
  static func identity(of descriptor: Int32) -> FileIdentity? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    return identity(status)
  }

  static func identity(of path: String) -> FileIdentity? {
    var status = stat()
    if unsafe stat(path, &status) == 0 { return identity(status) }
    guard let resolved = try? resolved(path) else { return nil }
    return .absent(path: resolved)
  }

  private static func identity(_ status: stat) -> FileIdentity? {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    return .file(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      number: UInt64(truncatingIfNeeded: status.st_ino))
  }

  static func destination(of path: String) throws(Fault) -> Destination {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw .last }
      return .file(path: try resolved(path))
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw Fault(number: EISDIR)
    case S_IFREG: return .file(path: try resolved(path))
    default: return .other
    }
  }

  /// The path without links of a file that need not be there yet.
  private static func resolved(_ path: String) throws(Fault) -> String {
    var path = path
    for _ in 0..<40 {
      if let found = try realPath(path) { return found }
      guard errno == ENOENT else { throw .last }
      let (folder, name) = parts(of: path)
      if let target = linkTarget(path) {
        path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
        continue
      }
      guard !name.isEmpty else { throw Fault(number: EISDIR) }
      guard let found = try realPath(folder) else { throw .last }
      return found == "/" ? "/\(name)" : "\(found)/\(name)"
    }
    throw Fault(number: ELOOP)
  }

  private static func realPath(_ path: String) throws(Fault) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return try unsafe text(found)
  }

  private static func linkTarget(_ path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe target.withUnsafeMutableBufferPointer { target -> Int in
      guard let base = target.baseAddress else { return -1 }
      return unsafe readlink(path, base, target.count)
    }
    guard count > 0 else { return nil }
    return String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The folder and the name of an absolute path.
  private static func parts(of path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }

  /// Makes a file that was not there, beside a file that it is to replace and whose rights it gets.
  static func makeFile(beside path: String) throws(Fault) -> (descriptor: Int32, path: String) {
    let (folder, name) = parts(of: path)
    var words: [UInt64] = [0]
    for _ in 0..<100 {
      fillWithRandomWords(&words)
      let temporary = "\(folder)/.\(name).\(String(words[0], radix: 36))"
      let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor < 0 && errno == EEXIST { continue }
      guard descriptor >= 0 else { throw .last }
      var status = stat()
      // Where the rights cannot be the same, those of a new file are right.
      if unsafe stat(path, &status) == 0 { _ = fchmod(descriptor, status.st_mode & 0o777) }
      return (descriptor, temporary)
    }
    throw Fault(number: EEXIST)
  }

  /// Makes what was written durable.
  static func sync(_ descriptor: Int32) throws(Fault) {
    guard fsync(descriptor) == 0 else { throw .last }
  }

  /// Gives a file the name of another, which it replaces.
  static func rename(_ path: String, to other: String) throws(Fault) {
    #if canImport(Darwin)
      let result = unsafe Darwin.rename(path, other)
    #else
      let result = unsafe Glibc.rename(path, other)
    #endif
    guard result == 0 else { throw .last }
  }

  static func removeFile(_ path: String) {
    // A temporary file that cannot be removed harms nobody.
    _ = unsafe unlink(path)
  }
}
