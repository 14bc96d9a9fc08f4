--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: datactl; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA datactl;


--
-- Name: _cosine(double precision); Type: FUNCTION; Schema: datactl; Owner: -
--

CREATE FUNCTION datactl._cosine(degrees double precision) RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ declare upper double precision := abs(degrees); cosine double precision; begin if upper > 90 then upper := 180 - upper; end if; if upper <= 45 then cosine := "datactl"."_cosine_series"(upper); else cosine := "datactl"."_sine_series"(90 - upper); end if; if abs(degrees) > 90 then return -cosine; end if; return cosine; end $$;


--
-- Name: _cosine_series(double precision); Type: FUNCTION; Schema: datactl; Owner: -
--

CREATE FUNCTION datactl._cosine_series(degrees double precision) RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ declare angle double precision; square double precision; begin if degrees < 1e-9 then return 1::float8; end if; angle := degrees * 0.017453292519943295::float8; square := angle * angle; return 1 + square * (((((((((-1.0::float8 / 6402373705728000::float8) * square + 1.0::float8 / 20922789888000::float8) * square + -1.0::float8 / 87178291200::float8) * square + 1.0::float8 / 479001600::float8) * square + -1.0::float8 / 3628800::float8) * square + 1.0::float8 / 40320::float8) * square + -1.0::float8 / 720::float8) * square + 1.0::float8 / 24::float8) * square + -1.0::float8 / 2::float8); end $$;


--
-- Name: _sine(double precision); Type: FUNCTION; Schema: datactl; Owner: -
--

CREATE FUNCTION datactl._sine(degrees double precision) RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ declare upper double precision := abs(degrees); sine double precision; begin if upper > 90 then upper := 180 - upper; end if; if upper <= 45 then sine := "datactl"."_sine_series"(upper); else sine := "datactl"."_cosine_series"(90 - upper); end if; if degrees < 0 then return -sine; end if; return sine; end $$;


--
-- Name: _sine_series(double precision); Type: FUNCTION; Schema: datactl; Owner: -
--

CREATE FUNCTION datactl._sine_series(degrees double precision) RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ declare angle double precision; square double precision; begin if degrees < 1e-100 then return 0::float8; end if; angle := degrees * 0.017453292519943295::float8; if degrees < 1e-9 then return angle; end if; square := angle * angle; return angle + angle * (square * (((((((((-1.0::float8 / 121645100408832000::float8) * square + 1.0::float8 / 355687428096000::float8) * square + -1.0::float8 / 1307674368000::float8) * square + 1.0::float8 / 6227020800::float8) * square + -1.0::float8 / 39916800::float8) * square + 1.0::float8 / 362880::float8) * square + -1.0::float8 / 5040::float8) * square + 1.0::float8 / 120::float8) * square + -1.0::float8 / 6::float8)); end $$;


--
-- Name: _squared_chord(double precision, double precision, double precision, double precision, double precision); Type: FUNCTION; Schema: datactl; Owner: -
--

CREATE FUNCTION datactl._squared_chord(latitude double precision, longitude double precision, x double precision, y double precision, z double precision) RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE STRICT COST 300 PARALLEL SAFE
    AS $$ declare radius double precision := "datactl"."_cosine"(latitude); dx double precision := radius * "datactl"."_cosine"(longitude) - x; dy double precision := 0::float8; dz double precision := "datactl"."_sine"(latitude) - z; begin if longitude <> 0 and radius <> 0 then dy := radius * "datactl"."_sine"(longitude); end if; dy := dy - y; if abs(dx) < 1e-150 then dx := 0::float8; end if; if abs(dy) < 1e-150 then dy := 0::float8; end if; if abs(dz) < 1e-150 then dz := 0::float8; end if; return dx * dx + dy * dy + dz * dz; end $$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: _changes; Type: TABLE; Schema: datactl; Owner: -
--

CREATE TABLE datactl._changes (
    number bigint NOT NULL,
    "time" timestamp with time zone NOT NULL,
    "user" text,
    program text NOT NULL,
    steps text NOT NULL
);


--
-- Name: _file; Type: TABLE; Schema: datactl; Owner: -
--

CREATE TABLE datactl._file (
    schema text NOT NULL COLLATE pg_catalog."C",
    record text NOT NULL COLLATE pg_catalog."C",
    field text NOT NULL COLLATE pg_catalog."C",
    piece bigint NOT NULL,
    bytes bytea NOT NULL
);


--
-- Name: _meta; Type: TABLE; Schema: datactl; Owner: -
--

CREATE TABLE datactl._meta (
    format bigint NOT NULL,
    catalog_version bigint NOT NULL
);


--
-- Name: _schema; Type: TABLE; Schema: datactl; Owner: -
--

CREATE TABLE datactl._schema (
    name text NOT NULL COLLATE pg_catalog."C",
    definition text NOT NULL
);


--
-- Name: _session; Type: TABLE; Schema: datactl; Owner: -
--

CREATE TABLE datactl._session (
    token_hash bytea NOT NULL,
    "user" text NOT NULL COLLATE pg_catalog."C",
    created timestamp with time zone NOT NULL,
    expires timestamp with time zone NOT NULL
);


--
-- Name: friend; Type: TABLE; Schema: datactl; Owner: -
--

CREATE TABLE datactl.friend (
    friend_id text NOT NULL COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    created_at timestamp with time zone,
    created_by text COLLATE pg_catalog."C",
    modified_at timestamp with time zone,
    modified_by text COLLATE pg_catalog."C",
    revision bigint
);


--
-- Name: function; Type: TABLE; Schema: datactl; Owner: -
--

CREATE TABLE datactl.function (
    function_id text NOT NULL COLLATE pg_catalog."C",
    function_name text COLLATE pg_catalog."C",
    function_type text COLLATE pg_catalog."C",
    item_type text COLLATE pg_catalog."C",
    function json,
    extra json,
    created_at timestamp with time zone,
    created_by text COLLATE pg_catalog."C",
    modified_at timestamp with time zone,
    modified_by text COLLATE pg_catalog."C",
    revision bigint
);


--
-- Name: item; Type: TABLE; Schema: datactl; Owner: -
--

CREATE TABLE datactl.item (
    item_id text NOT NULL COLLATE pg_catalog."C",
    title text COLLATE pg_catalog."C",
    sku text COLLATE pg_catalog."C",
    price double precision,
    amount bigint,
    owner text COLLATE pg_catalog."C",
    old text COLLATE pg_catalog."C",
    created_at timestamp with time zone,
    created_by text COLLATE pg_catalog."C",
    modified_at timestamp with time zone,
    modified_by text COLLATE pg_catalog."C",
    revision bigint
);


--
-- Name: sample; Type: TABLE; Schema: datactl; Owner: -
--

CREATE TABLE datactl.sample (
    sample_id text NOT NULL COLLATE pg_catalog."C",
    text text COLLATE pg_catalog."C",
    whole bigint,
    "real" double precision,
    yes boolean,
    at timestamp with time zone,
    "place.lat" double precision,
    "place.lon" double precision,
    "place.cell" bigint,
    "any" json,
    photo text COLLATE pg_catalog."C",
    friend text COLLATE pg_catalog."C",
    texts jsonb,
    wholes jsonb,
    reals jsonb,
    yeses jsonb,
    times jsonb,
    created_at timestamp with time zone,
    created_by text COLLATE pg_catalog."C",
    modified_at timestamp with time zone,
    modified_by text COLLATE pg_catalog."C",
    revision bigint
);


--
-- Name: sample.friends; Type: TABLE; Schema: datactl; Owner: -
--

CREATE TABLE datactl."sample.friends" (
    source text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    target text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: user; Type: TABLE; Schema: datactl; Owner: -
--

CREATE TABLE datactl."user" (
    username text NOT NULL COLLATE pg_catalog."C",
    password text COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    roles jsonb,
    created_at timestamp with time zone,
    created_by text COLLATE pg_catalog."C",
    modified_at timestamp with time zone,
    modified_by text COLLATE pg_catalog."C",
    revision bigint
);


--
-- Data for Name: _changes; Type: TABLE DATA; Schema: datactl; Owner: -
--

COPY datactl._changes (number, "time", "user", program, steps) FROM stdin;
1	2026-11-22 02:16:18.244855+00	\N	datactl 0.1.0	[{"step":"create_schema","schema":"user","text":"create schema user"}]
2	2026-11-22 02:16:18.99299+00	\N	datactl 0.1.0	[{"step":"create_schema","schema":"friend","text":"create schema friend"}]
3	2026-11-22 02:16:19.180427+00	\N	datactl 0.1.0	[{"step":"create_schema","schema":"sample","text":"create schema sample"}]
4	2026-11-22 02:16:19.360245+00	\N	datactl 0.1.0	[{"step":"create_schema","schema":"item","text":"create schema item"}]
5	2026-11-22 02:16:19.653485+00	\N	datactl 0.1.0	[{"step":"rename_field","schema":"item","field":"amount","from":"stock","to":"amount","text":"rename field item.stock to item.amount","prints":["get, list and save of item print amount in place of stock, and save reads it","--where, --order, --fields and --expand take amount in place of stock"]}]
\.


--
-- Data for Name: _file; Type: TABLE DATA; Schema: datactl; Owner: -
--

COPY datactl._file (schema, record, field, piece, bytes) FROM stdin;
sample	full	photo	0	\\x000102ff
\.


--
-- Data for Name: _meta; Type: TABLE DATA; Schema: datactl; Owner: -
--

COPY datactl._meta (format, catalog_version) FROM stdin;
1	5
\.


--
-- Data for Name: _schema; Type: TABLE DATA; Schema: datactl; Owner: -
--

COPY datactl._schema (name, definition) FROM stdin;
user	{\n  "schema": "user",\n  "kind": "user",\n  "fields": {\n    "username": {"type": "id"},\n    "password": {"type": "password"},\n    "name": {"type": "text"},\n    "roles": {"type": "[text]"}\n  }\n}\n
friend	{\n  "schema": "friend",\n  "fields": {\n    "friend_id": {"type": "id"},\n    "name": {"type": "text"}\n  }\n}\n
sample	{\n  "schema": "sample",\n  "fields": {\n    "sample_id": {"type": "id"},\n    "text": {"type": "text"},\n    "whole": {"type": "integer"},\n    "real": {"type": "number"},\n    "yes": {"type": "boolean"},\n    "at": {"type": "datetime"},\n    "place": {"type": "geopoint"},\n    "any": {"type": "json"},\n    "photo": {"type": "file"},\n    "friend": {"type": "relation", "to": "friend"},\n    "friends": {"type": "relation", "to": "friend", "many": true},\n    "texts": {"type": "[text]"},\n    "wholes": {"type": "[integer]"},\n    "reals": {"type": "[number]"},\n    "yeses": {"type": "[boolean]"},\n    "times": {"type": "[datetime]"}\n  }\n}\n
item	{\n  "schema": "item",\n  "fields": {\n    "item_id": {"type": "id"},\n    "title": {"type": "text", "required": true, "max": 200},\n    "sku": {"type": "text", "unique": true},\n    "price": {"type": "number", "min": 0},\n    "amount": {"type": "integer", "default": 0},\n    "owner": {"type": "relation", "to": "user", "on_delete": "deny"},\n    "old": {"type": "text"}\n  },\n  "indexes": [["price"], ["owner", "-amount"]],\n  "properties": {"assignee": "owner"}\n}\n
\.


--
-- Data for Name: _session; Type: TABLE DATA; Schema: datactl; Owner: -
--

COPY datactl._session (token_hash, "user", created, expires) FROM stdin;
\.


--
-- Data for Name: friend; Type: TABLE DATA; Schema: datactl; Owner: -
--

COPY datactl.friend (friend_id, name, created_at, created_by, modified_at, modified_by, revision) FROM stdin;
f1	One	2026-11-22 02:16:19.081409+00	\N	2026-11-22 02:16:19.081409+00	\N	1
f2	Two	2026-11-22 02:16:19.081409+00	\N	2026-11-22 02:16:19.081409+00	\N	1
\.


--
-- Data for Name: function; Type: TABLE DATA; Schema: datactl; Owner: -
--

COPY datactl.function (function_id, function_name, function_type, item_type, function, extra, created_at, created_by, modified_at, modified_by, revision) FROM stdin;
cheap	\N	\N	item	{"selectCore":"from item i where i.price < :most","orderedBy":"-price"}	\N	2026-11-22 02:16:19.567791+00	\N	2026-11-22 02:16:19.567791+00	\N	1
\.


--
-- Data for Name: item; Type: TABLE DATA; Schema: datactl; Owner: -
--

COPY datactl.item (item_id, title, sku, price, amount, owner, old, created_at, created_by, modified_at, modified_by, revision) FROM stdin;
i1	Item 1	S1	1.5	1	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i2	Item 2	S2	2.5	2	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i3	Item 3	S3	3.5	3	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i4	Item 4	S4	4.5	4	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i5	Item 5	S5	5.5	5	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i6	Item 6	S6	6.5	6	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i7	Item 7	S7	7.5	7	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i8	Item 8	S8	8.5	8	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i9	Item 9	S9	9.5	9	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i10	Item 10	S10	10.5	10	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i11	Item 11	S11	11.5	11	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i12	Item 12	S12	12.5	12	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i13	Item 13	S13	13.5	13	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i14	Item 14	S14	14.5	14	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i15	Item 15	S15	15.5	15	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i16	Item 16	S16	16.5	16	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i17	Item 17	S17	17.5	17	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i18	Item 18	S18	18.5	18	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i19	Item 19	S19	19.5	19	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i20	Item 20	S20	20.5	20	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i21	Item 21	S21	21.5	21	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i22	Item 22	S22	22.5	22	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i23	Item 23	S23	23.5	23	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i24	Item 24	S24	24.5	24	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i25	Item 25	S25	25.5	25	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i26	Item 26	S26	26.5	26	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i27	Item 27	S27	27.5	27	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i28	Item 28	S28	28.5	28	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i29	Item 29	S29	29.5	29	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i30	Item 30	S30	30.5	30	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i31	Item 31	S31	31.5	31	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i32	Item 32	S32	32.5	32	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i33	Item 33	S33	33.5	33	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i34	Item 34	S34	34.5	34	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i35	Item 35	S35	35.5	35	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i36	Item 36	S36	36.5	36	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i37	Item 37	S37	37.5	37	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i38	Item 38	S38	38.5	38	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i39	Item 39	S39	39.5	39	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i40	Item 40	S40	40.5	40	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i41	Item 41	S41	41.5	41	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i42	Item 42	S42	42.5	42	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i43	Item 43	S43	43.5	43	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i44	Item 44	S44	44.5	44	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i45	Item 45	S45	45.5	45	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i46	Item 46	S46	46.5	46	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i47	Item 47	S47	47.5	47	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i48	Item 48	S48	48.5	48	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i49	Item 49	S49	49.5	49	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i50	Item 50	S50	50.5	50	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i51	Item 51	S51	51.5	51	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i52	Item 52	S52	52.5	52	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i53	Item 53	S53	53.5	53	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i54	Item 54	S54	54.5	54	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i55	Item 55	S55	55.5	55	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i56	Item 56	S56	56.5	56	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i57	Item 57	S57	57.5	57	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i58	Item 58	S58	58.5	58	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i59	Item 59	S59	59.5	59	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i60	Item 60	S60	60.5	60	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i61	Item 61	S61	61.5	61	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i62	Item 62	S62	62.5	62	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i63	Item 63	S63	63.5	63	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i64	Item 64	S64	64.5	64	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i65	Item 65	S65	65.5	65	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i66	Item 66	S66	66.5	66	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i67	Item 67	S67	67.5	67	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i68	Item 68	S68	68.5	68	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i69	Item 69	S69	69.5	69	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i70	Item 70	S70	70.5	70	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i71	Item 71	S71	71.5	71	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i72	Item 72	S72	72.5	72	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i73	Item 73	S73	73.5	73	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i74	Item 74	S74	74.5	74	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i75	Item 75	S75	75.5	75	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i76	Item 76	S76	76.5	76	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i77	Item 77	S77	77.5	77	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i78	Item 78	S78	78.5	78	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i79	Item 79	S79	79.5	79	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i80	Item 80	S80	80.5	80	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i81	Item 81	S81	81.5	81	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i82	Item 82	S82	82.5	82	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i83	Item 83	S83	83.5	83	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i84	Item 84	S84	84.5	84	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i85	Item 85	S85	85.5	85	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i86	Item 86	S86	86.5	86	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i87	Item 87	S87	87.5	87	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i88	Item 88	S88	88.5	88	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i89	Item 89	S89	89.5	89	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i90	Item 90	S90	90.5	90	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i91	Item 91	S91	91.5	91	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i92	Item 92	S92	92.5	92	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i93	Item 93	S93	93.5	93	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i94	Item 94	S94	94.5	94	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i95	Item 95	S95	95.5	95	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i96	Item 96	S96	96.5	96	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i97	Item 97	S97	97.5	97	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i98	Item 98	S98	98.5	98	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i99	Item 99	S99	99.5	99	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i100	Item 100	S100	100.5	100	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i101	Item 101	S101	101.5	101	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i102	Item 102	S102	102.5	102	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i103	Item 103	S103	103.5	103	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i104	Item 104	S104	104.5	104	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i105	Item 105	S105	105.5	105	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i106	Item 106	S106	106.5	106	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i107	Item 107	S107	107.5	107	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i108	Item 108	S108	108.5	108	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i109	Item 109	S109	109.5	109	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i110	Item 110	S110	110.5	110	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i111	Item 111	S111	111.5	111	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i112	Item 112	S112	112.5	112	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i113	Item 113	S113	113.5	113	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i114	Item 114	S114	114.5	114	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i115	Item 115	S115	115.5	115	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i116	Item 116	S116	116.5	116	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i117	Item 117	S117	117.5	117	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i118	Item 118	S118	118.5	118	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i119	Item 119	S119	119.5	119	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i120	Item 120	S120	120.5	120	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i121	Item 121	S121	121.5	121	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i122	Item 122	S122	122.5	122	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i123	Item 123	S123	123.5	123	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i124	Item 124	S124	124.5	124	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i125	Item 125	S125	125.5	125	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i126	Item 126	S126	126.5	126	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i127	Item 127	S127	127.5	127	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i128	Item 128	S128	128.5	128	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i129	Item 129	S129	129.5	129	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i130	Item 130	S130	130.5	130	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i131	Item 131	S131	131.5	131	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i132	Item 132	S132	132.5	132	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i133	Item 133	S133	133.5	133	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i134	Item 134	S134	134.5	134	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i135	Item 135	S135	135.5	135	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i136	Item 136	S136	136.5	136	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i137	Item 137	S137	137.5	137	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i138	Item 138	S138	138.5	138	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i139	Item 139	S139	139.5	139	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i140	Item 140	S140	140.5	140	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i141	Item 141	S141	141.5	141	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i142	Item 142	S142	142.5	142	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i143	Item 143	S143	143.5	143	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i144	Item 144	S144	144.5	144	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i145	Item 145	S145	145.5	145	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i146	Item 146	S146	146.5	146	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i147	Item 147	S147	147.5	147	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i148	Item 148	S148	148.5	148	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i149	Item 149	S149	149.5	149	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i150	Item 150	S150	150.5	150	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i151	Item 151	S151	151.5	151	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i152	Item 152	S152	152.5	152	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i153	Item 153	S153	153.5	153	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i154	Item 154	S154	154.5	154	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i155	Item 155	S155	155.5	155	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i156	Item 156	S156	156.5	156	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i157	Item 157	S157	157.5	157	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i158	Item 158	S158	158.5	158	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i159	Item 159	S159	159.5	159	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i160	Item 160	S160	160.5	160	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i161	Item 161	S161	161.5	161	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i162	Item 162	S162	162.5	162	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i163	Item 163	S163	163.5	163	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i164	Item 164	S164	164.5	164	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i165	Item 165	S165	165.5	165	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i166	Item 166	S166	166.5	166	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i167	Item 167	S167	167.5	167	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i168	Item 168	S168	168.5	168	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i169	Item 169	S169	169.5	169	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i170	Item 170	S170	170.5	170	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i171	Item 171	S171	171.5	171	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i172	Item 172	S172	172.5	172	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i173	Item 173	S173	173.5	173	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i174	Item 174	S174	174.5	174	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i175	Item 175	S175	175.5	175	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i176	Item 176	S176	176.5	176	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i177	Item 177	S177	177.5	177	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i178	Item 178	S178	178.5	178	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i179	Item 179	S179	179.5	179	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i180	Item 180	S180	180.5	180	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i181	Item 181	S181	181.5	181	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i182	Item 182	S182	182.5	182	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i183	Item 183	S183	183.5	183	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i184	Item 184	S184	184.5	184	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i185	Item 185	S185	185.5	185	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i186	Item 186	S186	186.5	186	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i187	Item 187	S187	187.5	187	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i188	Item 188	S188	188.5	188	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i189	Item 189	S189	189.5	189	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i190	Item 190	S190	190.5	190	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i191	Item 191	S191	191.5	191	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i192	Item 192	S192	192.5	192	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i193	Item 193	S193	193.5	193	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i194	Item 194	S194	194.5	194	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i195	Item 195	S195	195.5	195	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i196	Item 196	S196	196.5	196	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i197	Item 197	S197	197.5	197	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i198	Item 198	S198	198.5	198	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i199	Item 199	S199	199.5	199	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i200	Item 200	S200	200.5	200	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i201	Item 201	S201	201.5	201	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i202	Item 202	S202	202.5	202	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i203	Item 203	S203	203.5	203	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i204	Item 204	S204	204.5	204	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i205	Item 205	S205	205.5	205	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i206	Item 206	S206	206.5	206	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i207	Item 207	S207	207.5	207	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i208	Item 208	S208	208.5	208	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i209	Item 209	S209	209.5	209	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i210	Item 210	S210	210.5	210	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i211	Item 211	S211	211.5	211	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i212	Item 212	S212	212.5	212	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i213	Item 213	S213	213.5	213	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i214	Item 214	S214	214.5	214	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i215	Item 215	S215	215.5	215	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i216	Item 216	S216	216.5	216	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i217	Item 217	S217	217.5	217	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i218	Item 218	S218	218.5	218	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i219	Item 219	S219	219.5	219	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i220	Item 220	S220	220.5	220	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i221	Item 221	S221	221.5	221	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i222	Item 222	S222	222.5	222	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i223	Item 223	S223	223.5	223	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i224	Item 224	S224	224.5	224	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i225	Item 225	S225	225.5	225	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i226	Item 226	S226	226.5	226	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i227	Item 227	S227	227.5	227	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i228	Item 228	S228	228.5	228	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i229	Item 229	S229	229.5	229	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i230	Item 230	S230	230.5	230	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i231	Item 231	S231	231.5	231	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i232	Item 232	S232	232.5	232	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i233	Item 233	S233	233.5	233	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i234	Item 234	S234	234.5	234	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i235	Item 235	S235	235.5	235	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i236	Item 236	S236	236.5	236	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i237	Item 237	S237	237.5	237	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i238	Item 238	S238	238.5	238	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i239	Item 239	S239	239.5	239	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i240	Item 240	S240	240.5	240	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i241	Item 241	S241	241.5	241	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i242	Item 242	S242	242.5	242	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i243	Item 243	S243	243.5	243	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i244	Item 244	S244	244.5	244	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i245	Item 245	S245	245.5	245	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i246	Item 246	S246	246.5	246	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i247	Item 247	S247	247.5	247	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i248	Item 248	S248	248.5	248	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i249	Item 249	S249	249.5	249	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
i250	Item 250	S250	250.5	250	ann	\N	2026-11-22 02:16:19.461801+00	\N	2026-11-22 02:16:19.461801+00	\N	1
\.


--
-- Data for Name: sample; Type: TABLE DATA; Schema: datactl; Owner: -
--

COPY datactl.sample (sample_id, text, whole, "real", yes, at, "place.lat", "place.lon", "place.cell", "any", photo, friend, texts, wholes, reals, yeses, times, created_at, created_by, modified_at, modified_by, revision) FROM stdin;
full	tea "é" 日本 👍\n\t	9223372036854775807	5e-324	t	0001-01-01 00:00:00.000001+00	-90	180	93824992236885	[[[[1.10,{"k":"\\u00e9"}]]]]	{"name":"p.bin","type":"application/octet-stream","size":4,"sha256":"3d1f57c984978ef98a18378c8166c1cb8ede02c03eeb6aee7e2f121dfeee3e56"}	f1	["", "a,b", "\\"", ""]	[-9223372036854775808, 0]	[0.1, 1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000]	[true, false]	["9999-12-31T23:59:59.999999Z"]	2026-01-02 03:04:05.678901+00	\N	2026-02-03 04:05:06+00	\N	3
empty		\N	\N	\N	\N	\N	\N	\N	{"b":1,"a":[1.10,"\\u00e9"]}	\N	\N	[]	\N	\N	\N	\N	2026-01-02 03:04:05.678901+00	\N	2026-02-03 04:05:06+00	\N	3
null	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	2026-01-02 03:04:05.678901+00	\N	2026-02-03 04:05:06+00	\N	3
ünï 👍, "q"	é	-9223372036854775808	-1.7976931348623157e+308	f	2026-11-20 00:00:00+00	\N	\N	\N	false	\N	\N	\N	\N	\N	\N	\N	2026-01-02 03:04:05.678901+00	ann	2026-02-03 04:05:06+00	ann	3
\.


--
-- Data for Name: sample.friends; Type: TABLE DATA; Schema: datactl; Owner: -
--

COPY datactl."sample.friends" (source, "position", target) FROM stdin;
full	0	f2
full	1	f1
\.


--
-- Data for Name: user; Type: TABLE DATA; Schema: datactl; Owner: -
--

COPY datactl."user" (username, password, name, roles, created_at, created_by, modified_at, modified_by, revision) FROM stdin;
ann	$argon2id$v=19$m=65536,t=2,p=1$E1YJVWeGqNZ1pMUT1xhxJg$oA/I5213XobHQ7L3HnBwUNl2OWnUX92MGIhDAmoNRsw	Ann	\N	2026-11-22 02:16:18.405009+00	\N	2026-11-22 02:16:18.405009+00	\N	1
\.


--
-- Name: _changes _changes:key; Type: CONSTRAINT; Schema: datactl; Owner: -
--

ALTER TABLE ONLY datactl._changes
    ADD CONSTRAINT "_changes:key" PRIMARY KEY (number);


--
-- Name: _file _file:key; Type: CONSTRAINT; Schema: datactl; Owner: -
--

ALTER TABLE ONLY datactl._file
    ADD CONSTRAINT "_file:key" PRIMARY KEY (schema, record, field, piece);


--
-- Name: _schema _schema:key; Type: CONSTRAINT; Schema: datactl; Owner: -
--

ALTER TABLE ONLY datactl._schema
    ADD CONSTRAINT "_schema:key" PRIMARY KEY (name);


--
-- Name: _session _session:key; Type: CONSTRAINT; Schema: datactl; Owner: -
--

ALTER TABLE ONLY datactl._session
    ADD CONSTRAINT "_session:key" PRIMARY KEY (token_hash);


--
-- Name: friend friend:key; Type: CONSTRAINT; Schema: datactl; Owner: -
--

ALTER TABLE ONLY datactl.friend
    ADD CONSTRAINT "friend:key" PRIMARY KEY (friend_id);


--
-- Name: function function:key; Type: CONSTRAINT; Schema: datactl; Owner: -
--

ALTER TABLE ONLY datactl.function
    ADD CONSTRAINT "function:key" PRIMARY KEY (function_id);


--
-- Name: item item:key; Type: CONSTRAINT; Schema: datactl; Owner: -
--

ALTER TABLE ONLY datactl.item
    ADD CONSTRAINT "item:key" PRIMARY KEY (item_id);


--
-- Name: sample.friends sample.friends:key; Type: CONSTRAINT; Schema: datactl; Owner: -
--

ALTER TABLE ONLY datactl."sample.friends"
    ADD CONSTRAINT "sample.friends:key" PRIMARY KEY (source, "position");


--
-- Name: sample sample:key; Type: CONSTRAINT; Schema: datactl; Owner: -
--

ALTER TABLE ONLY datactl.sample
    ADD CONSTRAINT "sample:key" PRIMARY KEY (sample_id);


--
-- Name: user user:key; Type: CONSTRAINT; Schema: datactl; Owner: -
--

ALTER TABLE ONLY datactl."user"
    ADD CONSTRAINT "user:key" PRIMARY KEY (username);


--
-- Name: _session:user; Type: INDEX; Schema: datactl; Owner: -
--

CREATE INDEX "_session:user" ON datactl._session USING btree ("user");


--
-- Name: item.owner.-amount; Type: INDEX; Schema: datactl; Owner: -
--

CREATE INDEX "item.owner.-amount" ON datactl.item USING btree (owner NULLS FIRST, amount DESC NULLS LAST, item_id DESC);


--
-- Name: item.owner:reference; Type: INDEX; Schema: datactl; Owner: -
--

CREATE INDEX "item.owner:reference" ON datactl.item USING btree (owner);


--
-- Name: item.price; Type: INDEX; Schema: datactl; Owner: -
--

CREATE INDEX "item.price" ON datactl.item USING btree (price NULLS FIRST, item_id);


--
-- Name: item.sku:unique; Type: INDEX; Schema: datactl; Owner: -
--

CREATE UNIQUE INDEX "item.sku:unique" ON datactl.item USING btree (sku);


--
-- Name: sample.friend:reference; Type: INDEX; Schema: datactl; Owner: -
--

CREATE INDEX "sample.friend:reference" ON datactl.sample USING btree (friend);


--
-- Name: sample.friends:reference; Type: INDEX; Schema: datactl; Owner: -
--

CREATE INDEX "sample.friends:reference" ON datactl."sample.friends" USING btree (target);


--
-- Name: sample.place:cell; Type: INDEX; Schema: datactl; Owner: -
--

CREATE INDEX "sample.place:cell" ON datactl.sample USING btree ("place.cell");


--
-- PostgreSQL database dump complete
--


