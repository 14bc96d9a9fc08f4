/// Importing the library also gives access to opening stores, and to schemas, values and errors.
@_exported public import ClientCore
