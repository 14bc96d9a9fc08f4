// Written by `datactl schema export --format typescript`: write it anew instead of editing it.

/** A place, in degrees. */
export interface GeoPoint {
  lat: number;
  lon: number;
}

/** A file; its bytes stand in `data`, in base64, where they come along. */
export interface FileReference {
  name: string;
  type?: string;
  size?: number;
  sha256?: string;
  data?: string;
}

export type JSONValue =
  null | boolean | number | string | JSONValue[] | { [name: string]: JSONValue };

/** Adds to a number that is there. */
export interface NumberOperation {
  $add: number;
}

/** Takes elements out of a list that is there, then appends others. */
export interface ListOperation<Element> {
  $remove?: Element[];
  $append?: Element[];
}

/** Where a parcel goes. */
export interface Address {
  address_id: string;
  customer: string;
  street: string;
  city: string;
  country: string | null;
  place: GeoPoint | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of address, as save takes it. */
export interface NewAddress {
  address_id?: string;
  customer: string;
  street: string;
  city: string;
  country?: string | null;
  place?: GeoPoint | null;
}

/** A change of a record of address, as save takes it. */
export interface AddressChange {
  address_id: string;
  customer?: string;
  street?: string;
  city?: string;
  country?: string | null;
  place?: GeoPoint | null;
  /** The revision that the record must still have. */
  revision?: number;
}

/** A shelf of the shop; shelves stand in shelves. */
export interface Category {
  category_id: string;
  title: string;
  parent: string | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of category, as save takes it. */
export interface NewCategory {
  category_id?: string;
  title: string;
  parent?: string | null;
}

/** A change of a record of category, as save takes it. */
export interface CategoryChange {
  category_id: string;
  title?: string;
  parent?: string | null;
  /** The revision that the record must still have. */
  revision?: number;
}

/** Makes a purchase cheaper. */
export interface Coupon {
  coupon_id: string;
  code: string;
  percent: number;
  valid_until: string | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of coupon, as save takes it. */
export interface NewCoupon {
  coupon_id?: string;
  code: string;
  percent: number;
  valid_until?: string | null;
}

/** A change of a record of coupon, as save takes it. */
export interface CouponChange {
  coupon_id: string;
  code?: string;
  percent?: number | NumberOperation;
  valid_until?: string | null;
  /** The revision that the record must still have. */
  revision?: number;
}

/** Somebody who buys, and can log in. */
export interface Customer {
  username: string;
  name: string;
  email: string;
  newsletter: boolean | null;
  born: string | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of customer, as save takes it. */
export interface NewCustomer {
  username: string;
  password: string;
  name: string;
  email: string;
  newsletter?: boolean | null;
  born?: string | null;
}

/** A change of a record of customer, as save takes it. */
export interface CustomerChange {
  username: string;
  password?: string;
  name?: string;
  email?: string;
  newsletter?: boolean | null;
  born?: string | null;
  /** The revision that the record must still have. */
  revision?: number;
}

/** Money for a purchase. */
export interface Payment {
  payment_id: string;
  purchase: string;
  amount: number;
  method: "card" | "invoice" | "cash" | null;
  paid_at: string | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of payment, as save takes it. */
export interface NewPayment {
  payment_id?: string;
  purchase: string;
  amount: number;
  method?: "card" | "invoice" | "cash" | null;
  paid_at?: string | null;
}

/** A change of a record of payment, as save takes it. */
export interface PaymentChange {
  payment_id: string;
  purchase?: string;
  amount?: number | NumberOperation;
  method?: "card" | "invoice" | "cash" | null;
  paid_at?: string | null;
  /** The revision that the record must still have. */
  revision?: number;
}

/** What can be bought. */
export interface Product {
  product_id: string;
  /** As it stands on the label. */
  title: string;
  description: string | null;
  price: number;
  stock: number;
  photo: FileReference | null;
  tags: string[] | null;
  categories: string[];
  supplier: string | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of product, as save takes it. */
export interface NewProduct {
  product_id?: string;
  title: string;
  description?: string | null;
  price: number;
  stock?: number;
  photo?: FileReference | null;
  tags?: string[] | null;
  categories?: string[];
  supplier?: string | null;
}

/** A change of a record of product, as save takes it. */
export interface ProductChange {
  product_id: string;
  title?: string;
  description?: string | null;
  price?: number | NumberOperation;
  stock?: number | NumberOperation;
  photo?: FileReference | null;
  tags?: string[] | null | ListOperation<string>;
  categories?: string[] | ListOperation<string>;
  supplier?: string | null;
  /** The revision that the record must still have. */
  revision?: number;
}

/** What somebody bought at once. */
export interface Purchase {
  purchase_id: string;
  customer: string;
  deliver_to: string | null;
  coupon: string | null;
  state: "open" | "paid" | "sent" | "done";
  bought_at: string;
  note: string | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of purchase, as save takes it. */
export interface NewPurchase {
  purchase_id?: string;
  customer: string;
  deliver_to?: string | null;
  coupon?: string | null;
  state?: "open" | "paid" | "sent" | "done";
  bought_at: string;
  note?: string | null;
}

/** A change of a record of purchase, as save takes it. */
export interface PurchaseChange {
  purchase_id: string;
  customer?: string;
  deliver_to?: string | null;
  coupon?: string | null;
  state?: "open" | "paid" | "sent" | "done";
  bought_at?: string;
  note?: string | null;
  /** The revision that the record must still have. */
  revision?: number;
}

/** A product of a purchase. */
export interface PurchaseLine {
  purchase_line_id: string;
  purchase: string;
  product: string;
  count: number;
  /** As it was on that day. */
  price: number;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of purchase_line, as save takes it. */
export interface NewPurchaseLine {
  purchase_line_id?: string;
  purchase: string;
  product: string;
  count?: number;
  price: number;
}

/** A change of a record of purchase_line, as save takes it. */
export interface PurchaseLineChange {
  purchase_line_id: string;
  purchase?: string;
  product?: string;
  count?: number | NumberOperation;
  price?: number | NumberOperation;
  /** The revision that the record must still have. */
  revision?: number;
}

/** What a customer says of a product. */
export interface Review {
  review_id: string;
  product: string;
  author: string | null;
  stars: number;
  text: string | null;
  photos: string[] | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of review, as save takes it. */
export interface NewReview {
  review_id?: string;
  product: string;
  author?: string | null;
  stars: number;
  text?: string | null;
  photos?: string[] | null;
}

/** A change of a record of review, as save takes it. */
export interface ReviewChange {
  review_id: string;
  product?: string;
  author?: string | null;
  stars?: number | NumberOperation;
  text?: string | null;
  photos?: string[] | null | ListOperation<string>;
  /** The revision that the record must still have. */
  revision?: number;
}

/** A parcel on its way. */
export interface Shipment {
  shipment_id: string;
  purchase: string;
  warehouse: string | null;
  lines: string[];
  tracking: string | null;
  sent_at: string | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of shipment, as save takes it. */
export interface NewShipment {
  shipment_id?: string;
  purchase: string;
  warehouse?: string | null;
  lines?: string[];
  tracking?: string | null;
  sent_at?: string | null;
}

/** A change of a record of shipment, as save takes it. */
export interface ShipmentChange {
  shipment_id: string;
  purchase?: string;
  warehouse?: string | null;
  lines?: string[] | ListOperation<string>;
  tracking?: string | null;
  sent_at?: string | null;
  /** The revision that the record must still have. */
  revision?: number;
}

/** Who delivers products. */
export interface Supplier {
  supplier_id: string;
  name: string;
  terms: JSONValue;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of supplier, as save takes it. */
export interface NewSupplier {
  supplier_id?: string;
  name: string;
  terms?: JSONValue;
}

/** A change of a record of supplier, as save takes it. */
export interface SupplierChange {
  supplier_id: string;
  name?: string;
  terms?: JSONValue;
  /** The revision that the record must still have. */
  revision?: number;
}

/** Where products lie. */
export interface Warehouse {
  warehouse_id: string;
  name: string;
  place: GeoPoint;
  products: string[];
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of warehouse, as save takes it. */
export interface NewWarehouse {
  warehouse_id?: string;
  name: string;
  place: GeoPoint;
  products?: string[];
}

/** A change of a record of warehouse, as save takes it. */
export interface WarehouseChange {
  warehouse_id: string;
  name?: string;
  place?: GeoPoint;
  products?: string[] | ListOperation<string>;
  /** The revision that the record must still have. */
  revision?: number;
}
