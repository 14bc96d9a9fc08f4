create table "geo_point" ("geo_point_id" text not null,
  "place.lat" real,
  "place.lon" real,
  "place.cell" integer,
  "new_task" text references "new_task" deferrable initially deferred,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("geo_point_id")) strict, without rowid;
create index "geo_point.place:cell" on "geo_point" ("place.cell");
create index "geo_point.new_task:reference" on "geo_point" ("new_task");

create table "new_task" ("new_task_id" text not null,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("new_task_id")) strict, without rowid;

create table "task" ("task_id" text not null,
  "encode" text,
  "schema" text,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("task_id")) strict, without rowid;

create table "x_y_z" ("x_y_z_id" text not null,
  "self" text,
  "init" text,
  "self_" text,
  "class" text,
  "default" text,
  "a_b_c" integer,
  "todo_id" integer,
  "todo_i_d" integer,
  "address_2" text,
  "end" text,
  "code" text,
  "whole" integer,
  "real" real,
  "yes" integer,
  "at" integer,
  "place.lat" real,
  "place.lon" real,
  "place.cell" integer,
  "any" text,
  "must" text,
  "texts" text,
  "times" text,
  "reals" text,
  "task" text references "task" deferrable initially deferred,
  "created_at" integer,
  "created_by" text,
  "modified_at" integer,
  "modified_by" text,
  "revision" integer,
  primary key ("x_y_z_id")) strict, without rowid;
create table "x_y_z.tasks" (source text not null references "x_y_z" deferrable initially deferred, position integer not null, target text not null references "task" deferrable initially deferred, primary key (source, position), unique (source, target)) strict, without rowid;
create index "x_y_z.tasks:reference" on "x_y_z.tasks" (target);
create index "x_y_z.place:cell" on "x_y_z" ("place.cell");
create index "x_y_z.task:reference" on "x_y_z" ("task");
