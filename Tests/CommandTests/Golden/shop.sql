create table "address" ("address_id" text not null,
  "customer" text references "customer" deferrable initially deferred,
  "street" text,
  "city" text,
  "country" text,
  "place.lat" real,
  "place.lon" real,
  "place.cell" integer,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("address_id")) strict, without rowid;
create index "address.customer:reference" on "address" ("customer");
create index "address.place:cell" on "address" ("place.cell");

create table "category" ("category_id" text not null,
  "title" text,
  "parent" text references "category" deferrable initially deferred,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("category_id")) strict, without rowid;
create index "category.parent:reference" on "category" ("parent");

create table "coupon" ("coupon_id" text not null,
  "code" text,
  "percent" integer,
  "valid_until" integer,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("coupon_id")) strict, without rowid;
create unique index "coupon.code:unique" on "coupon" ("code");

create table "customer" ("username" text not null,
  "password" text,
  "name" text,
  "email" text,
  "newsletter" integer,
  "born" integer,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("username")) strict, without rowid;
create unique index "customer.email:unique" on "customer" ("email");

create table "payment" ("payment_id" text not null,
  "purchase" text references "purchase" deferrable initially deferred,
  "amount" real,
  "method" text,
  "paid_at" integer,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("payment_id")) strict, without rowid;
create unique index "payment.purchase:unique" on "payment" ("purchase");
create index "payment.purchase:reference" on "payment" ("purchase");

create table "product" ("product_id" text not null,
  "title" text,
  "description" text,
  "price" real,
  "stock" integer,
  "photo" text,
  "tags" text,
  "supplier" text references "supplier" deferrable initially deferred,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("product_id")) strict, without rowid;
create table "product.categories" (source text not null references "product" deferrable initially deferred, position integer not null, target text not null references "category" deferrable initially deferred, primary key (source, position), unique (source, target)) strict, without rowid;
create index "product.categories:reference" on "product.categories" (target);
create index "product.supplier:reference" on "product" ("supplier");
create index "product.price.-title" on "product" ("price", "title" desc, "product_id" desc);

create table "purchase" ("purchase_id" text not null,
  "customer" text references "customer" deferrable initially deferred,
  "deliver_to" text references "address" deferrable initially deferred,
  "coupon" text references "coupon" deferrable initially deferred,
  "state" text,
  "bought_at" integer,
  "note" text,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("purchase_id")) strict, without rowid;
create index "purchase.customer:reference" on "purchase" ("customer");
create index "purchase.deliver_to:reference" on "purchase" ("deliver_to");
create index "purchase.coupon:reference" on "purchase" ("coupon");
create index "purchase.customer.-bought_at" on "purchase" ("customer", "bought_at" desc, "purchase_id" desc);
create index "purchase.state.bought_at" on "purchase" ("state", "bought_at", "purchase_id");

create table "purchase_line" ("purchase_line_id" text not null,
  "purchase" text references "purchase" deferrable initially deferred,
  "product" text references "product" deferrable initially deferred,
  "count" integer,
  "price" real,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("purchase_line_id")) strict, without rowid;
create index "purchase_line.purchase:reference" on "purchase_line" ("purchase");
create index "purchase_line.product:reference" on "purchase_line" ("product");

create table "review" ("review_id" text not null,
  "product" text references "product" deferrable initially deferred,
  "author" text references "customer" deferrable initially deferred,
  "stars" integer,
  "text" text,
  "photos" text,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("review_id")) strict, without rowid;
create index "review.product:reference" on "review" ("product");
create index "review.author:reference" on "review" ("author");
create index "review.product.-stars" on "review" ("product", "stars" desc, "review_id" desc);

create table "shipment" ("shipment_id" text not null,
  "purchase" text references "purchase" deferrable initially deferred,
  "warehouse" text references "warehouse" deferrable initially deferred,
  "tracking" text,
  "sent_at" integer,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("shipment_id")) strict, without rowid;
create table "shipment.lines" (source text not null references "shipment" deferrable initially deferred, position integer not null, target text not null references "purchase_line" deferrable initially deferred, primary key (source, position), unique (source, target)) strict, without rowid;
create index "shipment.lines:reference" on "shipment.lines" (target);
create index "shipment.purchase:reference" on "shipment" ("purchase");
create index "shipment.warehouse:reference" on "shipment" ("warehouse");

create table "supplier" ("supplier_id" text not null,
  "name" text,
  "terms" text,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("supplier_id")) strict, without rowid;
create unique index "supplier.name:unique" on "supplier" ("name");

create table "warehouse" ("warehouse_id" text not null,
  "name" text,
  "place.lat" real,
  "place.lon" real,
  "place.cell" integer,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("warehouse_id")) strict, without rowid;
create table "warehouse.products" (source text not null references "warehouse" deferrable initially deferred, position integer not null, target text not null references "product" deferrable initially deferred, primary key (source, position), unique (source, target)) strict, without rowid;
create index "warehouse.products:reference" on "warehouse.products" (target);
create index "warehouse.place:cell" on "warehouse" ("place.cell");
