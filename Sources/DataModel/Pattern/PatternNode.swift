/// A node of a pattern's syntax tree.
indirect enum PatternNode {
  /// A single scalar.
  case scalar(UInt32)
  /// A scalar of the set with this index.
  case set(Int)
  /// The parts in sequence.
  case sequence([PatternNode])
  /// Any one of the parts.
  case choice([PatternNode])
  /// The part repeated; `maximum` is nil if unlimited, and `offset` is the offset of the quantifier in
  /// the source.
  case repeated(PatternNode, minimum: Int, maximum: Int?, offset: Int)
}
