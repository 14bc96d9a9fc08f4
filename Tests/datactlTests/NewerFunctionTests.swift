import Glibc
import Platform
import Testing

@_silgen_name("__wrap_arc4random") private func randomBits() -> UInt32
@_silgen_name("__wrap_hypotf") private func hypotenuse(_ x: Float, _ y: Float) -> Float
@_silgen_name("__wrap__dl_find_object") private func findObject(
  _ address: UnsafeMutableRawPointer?, _ result: UnsafeMutableRawPointer?
) -> Int32

@Suite("Functions of newer versions of glibc")
struct NewerFunctionTests {
  @Test("returns other random bits in each call")
  func random() {
    #expect(Set((0..<8).map { _ in randomBits() }).count > 1)
  }

  @Test("returns the length of a hypotenuse, also if a square is out of range")
  func lengths() {
    #expect(hypotenuse(3, 4) == 5)
    #expect(hypotenuse(3e30, -4e30) == 5e30)
    #expect(hypotenuse(3e-30, 4e-30) == 5e-30)
    #expect(hypotenuse(.nan, -.infinity) == .infinity)
    #expect(hypotenuse(1, .nan).isNaN)
  }

  @Test("finds the same table for unwinding as glibc in each library, and none elsewhere")
  func tables() throws {
    typealias Find =
      @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32
    let handle = unsafe try #require(dlopen(nil, RTLD_NOW))
    let glibc = unsafe try #require(dlsym(handle, "_dl_find_object"))
    let find = unsafe unsafeBitCast(glibc, to: Find.self)
    for name in ["malloc", "sqrt", "sqlite3_open_v2"] {
      let address = unsafe try #require(dlsym(handle, name))
      // `struct dl_find_object`: its fifth member is the table.
      var expected = [UInt](repeating: 0, count: 16)
      var found = expected
      let statuses = unsafe [find(address, &expected), findObject(address, &found)]
      #expect(statuses == [0, 0])
      #expect(found[4] == expected[4])
      #expect(found[4] != 0)
    }
    var found = [UInt](repeating: 0, count: 16)
    let status = unsafe findObject(nil, &found)
    #expect(status == -1)
  }
}
