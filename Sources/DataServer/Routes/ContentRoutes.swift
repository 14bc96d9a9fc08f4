internal import ClientCore
internal import DataAPI
internal import DataModel
internal import DataStore

extension Route {
  static let contents: [Route] = []
}
