import JSONText

/// A geographic point, in degrees.
public struct GeoPoint: Sendable, Hashable {
  /// The reason why two numbers, or a string, do not represent a geographic point.
  public enum ParseError: Error, Hashable, Sendable {
    /// The latitude is not between -90 and 90.
    case latitude
    /// The longitude is not between -180 and 180.
    case longitude
    /// The text does not have the form `LAT,LON`.
    case notAPoint
  }

  /// The latitude in degrees, positive north of the equator.
  public let latitude: Double

  /// The longitude in degrees, positive east of Greenwich.
  public let longitude: Double

  /// Creates a point, or throws if a coordinate is out of range.
  public init(latitude: Double, longitude: Double) throws(ParseError) {
    guard latitude.magnitude <= 90 else { throw .latitude }
    guard longitude.magnitude <= 180 else { throw .longitude }
    self.latitude = latitude == 0 ? 0 : latitude
    self.longitude = longitude == 0 ? 0 : longitude
  }

  /// Parses `LAT,LON`: two JSON numbers separated by a comma, with optional spaces around it.
  package init(parsing text: Span<UInt8>) throws(ParseError) {
    guard let comma = text.indices.first(where: { text[$0] == UInt8(ascii: ",") }) else {
      throw .notAPoint
    }
    var end = comma
    while end > 0, text[end - 1] == UInt8(ascii: " ") { end -= 1 }
    var start = comma + 1
    while start < text.count, text[start] == UInt8(ascii: " ") { start += 1 }
    let latitude = try Self.degrees(text.extracting(0..<end), ifTooLarge: .latitude)
    let longitude = try Self.degrees(text.extracting(start..<text.count), ifTooLarge: .longitude)
    try self.init(latitude: latitude, longitude: longitude)
  }

  private static func degrees(
    _ text: Span<UInt8>, ifTooLarge rangeError: ParseError
  ) throws(ParseError) -> Double {
    guard NumberText.isJSONNumber(text) else { throw .notAPoint }
    do throws(NumberText.ParseError) {
      return try NumberText.double(text)
    } catch {
      switch error {
      case .beyondLargest: throw rangeError
      case .notANumber, .fraction, .beyond64Bits, .becomesZero: throw .notAPoint
      }
    }
  }
}
