// Written by `datactl schema export --format typescript`: write it anew instead of editing it.

/** A place, in degrees. */
export interface GeoPoint_ {
  lat: number;
  lon: number;
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

/** Its type would hide one of the library. */
export interface GeoPoint {
  geo_point_id: string;
  place: GeoPoint_ | null;
  new_task: string | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of geo_point, as save takes it. */
export interface NewGeoPoint {
  geo_point_id?: string;
  place?: GeoPoint_ | null;
  new_task?: string | null;
}

/** A change of a record of geo_point, as save takes it. */
export interface GeoPointChange {
  geo_point_id: string;
  place?: GeoPoint_ | null;
  new_task?: string | null;
  /** The revision that the record must still have. */
  revision?: number;
}

/** A record of new_task. */
export interface NewTask {
  new_task_id: string;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of new_task, as save takes it. */
export interface NewNewTask {
  new_task_id?: string;
}

/** A change of a record of new_task, as save takes it. */
export interface NewTaskChange {
  new_task_id: string;
  /** The revision that the record must still have. */
  revision?: number;
}

/** Its type would hide one that every program uses. */
export interface Task {
  task_id: string;
  encode: string | null;
  schema: string | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of task, as save takes it. */
export interface NewTask_ {
  task_id?: string;
  encode?: string | null;
  schema?: string | null;
}

/** A change of a record of task, as save takes it. */
export interface TaskChange {
  task_id: string;
  encode?: string | null;
  schema?: string | null;
  /** The revision that the record must still have. */
  revision?: number;
}

/**
 * Hostile: *\/ --> ``` </td> " ' \ | * _ [a](b) {{x}} %% 
 *  # ! & end.
 * # not a heading
 * - not a list
 * *\/ alert(1) /*
 */
export interface XYZ {
  /** \u0000\u001b[31mred\u001b[0m *\/ */
  x_y_z_id: string;
  /** A word of Swift's. */
  self: string | null;
  init: string | null;
  self_: string | null;
  class: string | null;
  default: string | null;
  a_b_c: number | null;
  todo_id: number | null;
  todo_i_d: number | null;
  address_2: string | null;
  end: "*/" | "a|b" | "`x`" | "\"" | "</b>" | "\n" | "\u2028" | null;
  /** a|b `c` <b>d</b> -- 1. x */
  code: string | null;
  whole: number;
  real: number | null;
  yes: boolean;
  at: string | null;
  place: GeoPoint_ | null;
  any: JSONValue;
  must: JSONValue;
  texts: ("a" | "\"" | "*/")[] | null;
  times: string[] | null;
  reals: number[] | null;
  task: string | null;
  tasks: string[];
  readonly created_at: string;
  readonly created_by: string | null;
  readonly modified_at: string;
  readonly modified_by: string | null;
  readonly revision: number;
}

/** A new record of x_y_z, as save takes it. */
export interface NewXYZ {
  x_y_z_id?: string;
  self?: string | null;
  init?: string | null;
  self_?: string | null;
  class?: string | null;
  default?: string | null;
  a_b_c?: number | null;
  todo_id?: number | null;
  todo_i_d?: number | null;
  address_2?: string | null;
  end?: "*/" | "a|b" | "`x`" | "\"" | "</b>" | "\n" | "\u2028" | null;
  code?: string | null;
  whole?: number;
  real?: number | null;
  yes?: boolean;
  at?: string | null;
  place?: GeoPoint_ | null;
  any?: JSONValue;
  must: JSONValue;
  texts?: ("a" | "\"" | "*/")[] | null;
  times?: string[] | null;
  reals?: number[] | null;
  task?: string | null;
  tasks?: string[];
}

/** A change of a record of x_y_z, as save takes it. */
export interface XYZChange {
  x_y_z_id: string;
  self?: string | null;
  init?: string | null;
  self_?: string | null;
  class?: string | null;
  default?: string | null;
  a_b_c?: number | null | NumberOperation;
  todo_id?: number | null | NumberOperation;
  todo_i_d?: number | null | NumberOperation;
  address_2?: string | null;
  end?: "*/" | "a|b" | "`x`" | "\"" | "</b>" | "\n" | "\u2028" | null;
  code?: string | null;
  whole?: number | NumberOperation;
  real?: number | null | NumberOperation;
  yes?: boolean;
  at?: string | null;
  place?: GeoPoint_ | null;
  any?: JSONValue;
  must?: JSONValue;
  texts?: ("a" | "\"" | "*/")[] | null | ListOperation<string>;
  times?: string[] | null | ListOperation<string>;
  reals?: number[] | null | ListOperation<number>;
  task?: string | null;
  tasks?: string[] | ListOperation<string>;
  /** The revision that the record must still have. */
  revision?: number;
}
