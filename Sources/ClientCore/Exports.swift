/// Re-exported, so that modules that import this one can also use the public types of the data
/// model, such as schemas, values and errors.
@_exported public import DataModel
@_exported public import JSONText
@_exported public import Maps
