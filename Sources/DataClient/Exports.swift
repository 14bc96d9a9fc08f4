/// The words of the model belong to the library: who imports it sees schemas, values and errors.
@_exported public import DataModel
@_exported public import DataText
