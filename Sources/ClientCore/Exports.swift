/// Importing this module also gives access to the types of the model: schemas, values and errors.
@_exported public import DataModel
@_exported public import DataText
