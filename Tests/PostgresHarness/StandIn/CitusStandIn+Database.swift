extension FakeCitus {
  /// The SQL that makes a PostgreSQL database report that Citus is installed: the extension's row,
  /// a `create_distributed_table` function, and event triggers that check each change of a
  /// distributed table.
  static let setupSQL = """
    set allow_system_table_mods = on;
    insert into pg_catalog.pg_extension (oid, extname, extowner, extnamespace, extrelocatable, \
    extversion) values (99001, 'citus', 10, 11, false, '13.0-1');
    create schema stand_in;
    create table stand_in.spread (relation oid primary key, attribute int2 not null, \
    type oid not null, collation_ oid not null);
    create function stand_in.refuse(reason text) returns void language plpgsql as $$
    begin
      raise exception 'the stand-in refuses: %', reason using errcode = '0A000';
    end $$;
    create function stand_in.look_at(relation_ oid) returns void language plpgsql as $$
    declare
      place int2;
    begin
      select attribute into place from stand_in.spread where relation = relation_;
      if place is null then return; end if;
      if exists (select 1 from pg_index where indrelid = relation_ and (indisunique or \
      indisexclusion) and not place = any (indkey[0:indnkeyatts - 1])) then
        perform stand_in.refuse('a unique index without the distribution column');
      end if;
      if exists (select 1 from pg_trigger where tgrelid = relation_ and not tgisinternal) then
        perform stand_in.refuse('a trigger on a distributed table');
      end if;
      if exists (select 1 from pg_constraint where contype = 'f' and \
      relation_ in (conrelid, confrelid)) then
        perform stand_in.refuse('a foreign key of a distributed table');
      end if;
      if not exists (select 1 from pg_attribute as a join stand_in.spread as s on \
      a.attrelid = s.relation and a.attnum = s.attribute and a.atttypid = s.type \
      where s.relation = relation_ and not a.attisdropped) then
        perform stand_in.refuse('the distribution column is dropped or changed');
      end if;
    end $$;
    create function pg_catalog.create_distributed_table(table_name regclass, \
    distribution_column text, distribution_type text default 'hash', \
    colocate_with text default 'default', shard_count int default null) returns void \
    language plpgsql as $$
    begin
      if (select relpersistence from pg_class where oid = table_name) = 't' then
        perform stand_in.refuse('a temporary table is distributed');
      end if;
      insert into stand_in.spread select attrelid, attnum, atttypid, attcollation \
      from pg_attribute where attrelid = table_name and attname = distribution_column \
      and attnum > 0;
      if not found then perform stand_in.refuse('there is no such distribution column'); end if;
      if colocate_with not in ('default', 'none') and not exists (select 1 \
      from stand_in.spread as own join stand_in.spread as other using (type, collation_) \
      where own.relation = table_name and other.relation = colocate_with::regclass) then
        perform stand_in.refuse('the distribution columns differ in their types');
      end if;
      perform stand_in.look_at(table_name);
    end $$;
    create function stand_in.look() returns event_trigger language plpgsql as $$
    declare
      command record;
    begin
      for command in select distinct coalesce(i.indrelid, t.tgrelid, c.objid) as relation \
      from pg_event_trigger_ddl_commands() as c left join pg_index as i on i.indexrelid = c.objid \
      left join pg_trigger as t on t.oid = c.objid and c.object_type = 'trigger' loop
        perform stand_in.look_at(command.relation);
      end loop;
    end $$;
    create function stand_in.forget() returns event_trigger language plpgsql as $$
    begin
      delete from stand_in.spread using pg_event_trigger_dropped_objects() as gone \
      where relation = gone.objid and gone.object_type = 'table';
    end $$;
    create event trigger look on ddl_command_end execute function stand_in.look();
    create event trigger forget on sql_drop execute function stand_in.forget();
    """
}
