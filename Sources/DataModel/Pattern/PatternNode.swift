/// A part of a pattern, as it was written.
indirect enum PatternNode {
  /// One scalar.
  case scalar(UInt32)
  /// A scalar of the set with this number.
  case set(Int)
  /// The parts one after the other.
  case sequence([PatternNode])
  /// One of the parts.
  case choice([PatternNode])
  /// The part many times, `most` being nil where there is no end, as said at a place in the source.
  case repeated(PatternNode, least: Int, most: Int?, place: Int)
}
