extension Connection {
  /// Lends the addresses of values.
  @unsafe
  func withPointers(
    to values: [WireValue], _ body: ([UnsafePointer<CChar>?]) -> Int32
  ) -> Int32 {
    var bytes: [UInt8] = []
    var places: [Int?] = []
    for value in values {
      places.append(value.bytes == nil ? nil : bytes.count)
      if let own = value.bytes { bytes += own }
      // An empty text has an address, too: null has none.
      bytes.append(0)
    }
    return unsafe bytes.withUnsafeBytes { bytes in
      let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
      return unsafe body(
        places.map { place in unsafe place.flatMap { unsafe start?.advanced(by: $0) } })
    }
  }
}
