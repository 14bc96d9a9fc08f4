import Testing

/// Marks the test for one of the numbered promises that datactl makes to scripts. Each promise has
/// exactly one test, and the fake program breaks the promise whose number it is given.
struct ContractRule: TestTrait {
  let number: Int
}

extension Trait where Self == ContractRule {
  /// The test checks the promise with this number.
  static func contract(_ number: Int) -> Self {
    Self(number: number)
  }
}
