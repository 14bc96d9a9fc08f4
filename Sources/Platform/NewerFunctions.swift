#if canImport(Glibc)
  internal import CGlibc

  // Functions that static libraries of the toolchain call, and that older versions of glibc do not
  // have. `make release` links these calls to the functions below, so that the program also starts
  // with glibc 2.34.

  /// Returns random bits (`arc4random`, glibc 2.36). libstdc++ calls it.
  @_cdecl("__wrap_arc4random")
  func randomBits() -> UInt32 { .random(in: .min ... .max) }

  /// Returns the length of a hypotenuse (`hypotf`, glibc 2.35). Swift's module `Glibc` calls it.
  @_cdecl("__wrap_hypotf")
  func hypotenuse(_ x: Float, _ y: Float) -> Float {
    guard !x.isInfinite, !y.isInfinite else { return .infinity }
    return Float((Double(x) * Double(x) + Double(y) * Double(y)).squareRoot())
  }

  /// Finds the table for unwinding the stack at an address (`_dl_find_object`, glibc 2.35). libgcc
  /// calls it for the stack trace of a crash.
  @_cdecl("__wrap__dl_find_object")
  func findObject(_ address: UnsafeMutableRawPointer?, _ result: UnsafeMutableRawPointer?) -> Int32
  {
    unsafe datactl_find_object(address, result)
  }
#endif
