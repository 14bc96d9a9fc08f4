public struct Pattern: Hashable, Sendable {
  public let source: String
  func matches(_ text: Span<UInt8>) -> Bool { true }
}
