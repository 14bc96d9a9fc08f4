enum UTF8Check {
  static func scalarCount(of text: Span<UInt8>) -> Int {
    var n = 0
    for i in text.indices where text[i] & 0xC0 != 0x80 { n += 1 }
    return n
  }
}
public struct GeoPoint: Hashable, Sendable {
  public let latitude: Double
  public let longitude: Double
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude == 0 ? 0 : latitude
    self.longitude = longitude == 0 ? 0 : longitude
  }
}
package enum IDs {
  package static func isValid(_ t: Span<UInt8>) -> Bool { t.count >= 1 && t.count <= 255 }
}
package struct IDGenerator: Sendable {
  package init() {}
  package mutating func next(into output: inout [UInt8]) {
    var s = ""
    for _ in 0..<36 { s += String(UInt8.random(in: 0...15), radix: 16) }
    output += Array(s.utf8)
  }
}
package enum SHA256 {
  package static func hex(of bytes: Span<UInt8>) -> String { String(repeating: "0", count: 64) }
}
public struct Pattern: Hashable, Sendable {
  public let source: String
  func matches(_ text: Span<UInt8>) -> Bool { true }
}
