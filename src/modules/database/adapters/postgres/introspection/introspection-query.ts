/** Digits of an amount of 64 bits that all of them can have; the locale of the database decides those after the point (8.2). */
const MONEY_DIGITS = 19;

/** Tables of common table expressions about types; they need `WITH RECURSIVE`. */
export const DESCRIBED_TYPES = `
-- The type that a domain, also one over another domain, stands for.
resolved (oid, base, typmod, is_not_null, checks, default_sql) AS (
  SELECT t.oid, t.oid, -1, false, ARRAY[]::text[], NULL::text FROM pg_type t WHERE t.typtype <> 'd'
  UNION ALL
  SELECT d.oid, r.base, CASE WHEN d.typtypmod = -1 THEN r.typmod ELSE d.typtypmod END, d.typnotnull OR r.is_not_null,
    r.checks || ARRAY(SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k WHERE k.contypid = d.oid),
    coalesce(pg_get_expr(d.typdefaultbin, 0) COLLATE "default", r.default_sql)
  FROM pg_type d JOIN resolved r ON r.oid = d.typbasetype WHERE d.typtype = 'd'
),
-- Values of a type; for an array those of its elements.
described (oid, name, typmod, is_array, is_not_null, checks, default_sql, labels, enum_type) AS (
  SELECT r.oid, e.typname, CASE WHEN i.typmod IS NULL OR i.typmod = -1 THEN r.typmod ELSE i.typmod END, b.typcategory = 'A',
    r.is_not_null, r.checks, r.default_sql,
    (SELECT json_agg(l.enumlabel ORDER BY l.enumsortorder) FROM pg_enum l WHERE l.enumtypid = e.oid),
    CASE WHEN b.typtype = 'e' AND b.oid <> r.oid THEN format_type(b.oid, NULL) END
  FROM resolved r
  JOIN pg_type b ON b.oid = r.base
  LEFT JOIN resolved i ON b.typcategory = 'A' AND i.oid = b.typelem
  JOIN pg_type e ON e.oid = coalesce(i.base, b.oid)
)`;

/**
 * Reads tables and views with their columns, indexes and constraints, one row for each, from `pg_catalog`: not from
 * `information_schema`, which hides indexes and takes seconds for many tables.
 */
export const INTROSPECTION = `
WITH RECURSIVE ${DESCRIBED_TYPES}
SELECT
  n.nspname AS schema,
  c.relname AS name,
  n.nspname = current_schema() AS is_default,
  c.relkind IN ('v', 'm') AS is_view,
  c.relkind = 'm' AS is_materialized,
  obj_description(c.oid, 'pg_class') AS comment,
  (
    SELECT json_agg(json_build_object(
      'name', a.attname,
      'declared', format_type(a.atttypid, a.atttypmod),
      'type', t.name,
      'typmod', CASE WHEN t.name = 'money' THEN (${MONEY_DIGITS} << 16) + scale(1::money::numeric) + 4 WHEN a.atttypmod = -1 THEN t.typmod ELSE a.atttypmod END,
      'is_array', t.is_array,
      'dimensions', a.attndims,
      'labels', t.labels,
      'enum_type', t.enum_type,
      'domain_checks', t.checks,
      'is_deterministic', coalesce(l.collisdeterministic, true),
      'is_nullable', NOT (a.attnotnull OR t.is_not_null),
      'default', coalesce(pg_get_expr(d.adbin, d.adrelid), t.default_sql),
      -- Not with pg_get_serial_sequence, which fails for a schema that the role may not use.
      'is_identity', a.attidentity <> '' OR (c.oid, a.attnum::integer) IN (
        SELECT o.refobjid, o.refobjsubid FROM pg_depend o JOIN pg_class q ON q.oid = o.objid AND q.relkind = 'S'
        WHERE o.classid = 'pg_class'::regclass AND o.refclassid = 'pg_class'::regclass AND o.deptype IN ('a', 'i')
      ),
      'is_computed', a.attgenerated <> '',
      'comment', col_description(c.oid, a.attnum)
    ) ORDER BY a.attnum)
    FROM pg_attribute a
    JOIN described t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    LEFT JOIN pg_collation l ON l.oid = a.attcollation
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  )::text AS columns,
  (
    SELECT json_agg(json_build_object(
      'method', m.amname,
      -- By "=" too, which has the collation of the column.
      'is_unique', i.indisunique AND NOT EXISTS (
        SELECT FROM unnest(i.indkey, i.indcollation) k (attnum, compared)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
        JOIN pg_collation l ON l.oid = a.attcollation
        WHERE NOT l.collisdeterministic AND k.compared <> l.oid
      ),
      'is_primary', i.indisprimary,
      'is_immediate', i.indimmediate,
      'columns', (
        SELECT json_agg(a.attname ORDER BY k.position)
        FROM unnest(i.indkey) WITH ORDINALITY k (attnum, position)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
        WHERE k.position <= i.indnkeyatts
      )
    ) ORDER BY i.indexrelid)
    FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam
    WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
  )::text AS indexes,
  (
    -- A full-text index of an expression.
    SELECT min(e.text) FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam,
    LATERAL (SELECT pg_get_indexdef(i.indexrelid, 1, true) AS text) e
    WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NOT NULL
      AND m.amname IN ('gin', 'gist') AND e.text LIKE '%to_tsvector(%'
  ) AS search_expression,
  (
    SELECT json_agg(json_build_object(
      'columns', (
        SELECT json_agg(a.attname ORDER BY k.position) FROM unnest(f.conkey) WITH ORDINALITY k (attnum, position)
        JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.attnum
      ),
      'schema', rn.nspname,
      'is_default', rn.nspname = current_schema(),
      'table', r.relname,
      'references', (
        SELECT json_agg(a.attname ORDER BY k.position) FROM unnest(f.confkey) WITH ORDINALITY k (attnum, position)
        JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = k.attnum
      )
    ) ORDER BY f.oid)
    FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid JOIN pg_namespace rn ON rn.oid = r.relnamespace
    WHERE f.conrelid = c.oid AND f.contype = 'f' AND NOT r.relispartition
  )::text AS foreign_keys,
  (
    SELECT json_agg(pg_get_constraintdef(k.oid) ORDER BY k.oid)
    FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c'
  )::text AS checks,
  -- AFTER triggers for INSERT or UPDATE, whose functions name the table, or execute a text that may.
  EXISTS (
    SELECT FROM pg_trigger g JOIN pg_proc p ON p.oid = g.tgfoid
    WHERE g.tgrelid = c.oid AND NOT g.tgisinternal AND g.tgenabled <> 'D' AND g.tgtype & 66 = 0 AND g.tgtype & 20 <> 0
      AND (strpos(lower(p.prosrc), lower(c.relname)) > 0 OR p.prosrc ~* '\\yexecute\\y')
  ) AS is_changed_by_triggers
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
  -- Not the tables of extensions.
  AND NOT EXISTS (
    SELECT FROM pg_depend p WHERE p.classid = 'pg_class'::regclass AND p.objid = c.oid AND p.deptype = 'e'
  )
ORDER BY n.nspname, c.relname`;
