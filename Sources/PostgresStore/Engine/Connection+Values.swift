extension Connection {
  /// Calls a closure with pointers to the bytes of values; nil for null.
  @unsafe
  func withPointers(
    to values: [WireValue], _ body: ([UnsafePointer<CChar>?]) -> Int32
  ) -> Int32 {
    var bytes: [UInt8] = []
    var offsets: [Int?] = []
    for value in values {
      offsets.append(value.bytes == nil ? nil : bytes.count)
      if let own = value.bytes { bytes += own }
      // The NUL gives an empty text an address, too: libpq reads a null pointer as null.
      bytes.append(0)
    }
    return unsafe bytes.withUnsafeBytes { bytes in
      let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
      return unsafe body(
        offsets.map { offset in unsafe offset.flatMap { unsafe start?.advanced(by: $0) } })
    }
  }
}
