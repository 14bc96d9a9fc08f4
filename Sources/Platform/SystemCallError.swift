#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The error of a failed system call, with its `errno`.
package struct SystemCallError: Error, Equatable {
  package let number: Int32

  package init(number: Int32) {
    self.number = number
  }

  /// The error of the system call that failed most recently in this thread (`errno`).
  package static var last: SystemCallError { SystemCallError(number: errno) }

  /// The error for a string from the system that cannot be decoded because it is not valid UTF-8
  /// (`EILSEQ`).
  static var notUTF8: SystemCallError { SystemCallError(number: EILSEQ) }

  /// The error for a file that is too large to be read (`EFBIG`).
  package static var tooLarge: SystemCallError { SystemCallError(number: EFBIG) }

  /// The error for a file that does not exist (`ENOENT`).
  package static var noSuchFile: SystemCallError { SystemCallError(number: ENOENT) }
  /// The error for a folder that is opened as a file (`EISDIR`).
  package static var fileIsFolder: SystemCallError { SystemCallError(number: EISDIR) }

  package var isMissing: Bool { number == ENOENT || number == ENOTDIR }
  package var exists: Bool { number == EEXIST }
  /// Whether the call failed because the user lacks a permission or the file system is read-only.
  package var isNotPermitted: Bool { number == EACCES || number == EPERM || number == EROFS }
  /// Whether the call failed because the disk is full or a quota is exceeded.
  package var isFull: Bool { number == ENOSPC || number == EDQUOT }
  /// Whether a file cannot be run, because it is neither a program nor a script with `#!`.
  package var isUnknownFormat: Bool { number == ENOEXEC }
  package var isNotUTF8: Bool { number == EILSEQ }
  package var isBrokenPipe: Bool { number == EPIPE }
  package var isInterruption: Bool { number == EINTR }
  /// Whether the call failed because the descriptor is non-blocking and the call would have
  /// blocked.
  package var wouldBlock: Bool { number == EAGAIN || number == EWOULDBLOCK }

  /// The error message of the system (`strerror`).
  package var text: String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
  }
}
