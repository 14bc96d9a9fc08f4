#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Functions that generate random numbers, and that erase secrets from memory.
package enum SecureBytes {
  /// Fills an array with cryptographically secure random numbers (`getentropy`, or
  /// `SystemRandomNumberGenerator` if that fails).
  package static func fillWithRandomWords(_ words: inout [UInt64]) {
    // `getentropy` returns at most 256 bytes per call.
    for start in stride(from: 0, to: words.count, by: 32) {
      let count = min(32, words.count - start)
      let isFilled = unsafe words.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return false }
        return unsafe getentropy(base + start * 8, count * 8) == 0
      }
      if isFilled { continue }
      var generator = SystemRandomNumberGenerator()
      for index in start..<start + count { words[index] = generator.next() }
    }
  }

  /// Overwrites bytes with zeros. Uses a C function whose call the compiler does not remove
  /// (`explicit_bzero` or `memset_s`).
  package static func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      #if canImport(Darwin)
        _ = unsafe memset_s(start, buffer.count, 0, buffer.count)
      #else
        unsafe explicit_bzero(start, buffer.count)
      #endif
    }
  }
}
