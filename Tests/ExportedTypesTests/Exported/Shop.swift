// swift-format-ignore-file
// Written by `datactl schema export --format swift`: write it anew instead of editing it.

import DataClient

/// Where a parcel goes.
struct Address: Codable, Sendable {
  var addressID: RecordID
  var customer: Reference
  var street: String
  var city: String
  var country: String? = "CH"
  var place: GeoPoint?
}

/// A shelf of the shop; shelves stand in shelves.
struct Category: Codable, Sendable {
  var categoryID: RecordID
  var title: String
  var parent: Reference?
}

/// Makes a purchase cheaper.
struct Coupon: Codable, Sendable {
  var couponID: RecordID
  var code: String
  var percent: Int64
  var validUntil: Timestamp?
}

/// Somebody who buys, and can log in.
struct Customer: Codable, Sendable {
  var username: RecordID
  var password: String?
  var name: String
  var email: String
  var newsletter: Bool? = false
  var born: Timestamp?
}

/// Money for a purchase.
struct Payment: Codable, Sendable {
  var paymentID: RecordID
  var purchase: Reference
  var amount: Double
  var method: String?
  var paidAt: Timestamp?
}

/// What can be bought.
struct Product: Codable, Sendable {
  var productID: RecordID
  /// As it stands on the label.
  var label: String
  var description: String?
  var price: Double
  var stock: Int64 = 0
  var photo: FileReference?
  var tags: [String]?
  var categories: [Reference] = []
  var supplier: Reference?
}

/// What somebody bought at once.
struct Purchase: Codable, Sendable {
  var purchaseID: RecordID
  var customer: Reference
  var deliverTo: Reference?
  var coupon: Reference?
  var state: String = "open"
  var boughtAt: Timestamp
  var note: String?
}

/// A product of a purchase.
struct PurchaseLine: Codable, Sendable {
  var purchaseLineID: RecordID
  var purchase: Reference
  var product: Reference
  var count: Int64 = 1
  /// As it was on that day.
  var price: Double
}

/// What a customer says of a product.
struct Review: Codable, Sendable {
  var reviewID: RecordID
  var product: Reference
  var author: Reference?
  var stars: Int64
  var text: String?
  var photos: [String]?
}

/// A parcel on its way.
struct Shipment: Codable, Sendable {
  var shipmentID: RecordID
  var purchase: Reference
  var warehouse: Reference?
  var lines: [Reference] = []
  var tracking: String?
  var sentAt: Timestamp?
}

/// Who delivers products.
struct Supplier: Codable, Sendable {
  var supplierID: RecordID
  var name: String
  var terms: JSONValue?
}

/// Where products lie.
struct Warehouse: Codable, Sendable {
  var warehouseID: RecordID
  var name: String
  var place: GeoPoint
  var products: [Reference] = []
}
