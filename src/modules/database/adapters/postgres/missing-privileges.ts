import { arrayLiteral } from '../../schema/array-literal';
import type { DatabaseAdapter, SqlExecutor } from '../database-adapter';
import { partsOfName } from './qualified-name';

/** A privilege that statements need on a table or view. */
export interface NeededPrivilege {
  /** With its schema if that is not the default one. */
  readonly table: string;
  readonly privilege: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';
  /** Without any, statements need the privilege on one of the columns, or on the table for DELETE. */
  readonly columns: readonly string[];
  /** The HTTP methods that need it, for messages. */
  readonly methods: readonly string[];
}

/** The privileges that a service needs. */
export interface ServicePrivileges {
  readonly adapter: DatabaseAdapter;
  /** Service name, for messages. */
  readonly where: string;
  readonly privileges: readonly NeededPrivilege[];
}

/** What the role of the sessions lacks for a {@link NeededPrivilege}. */
export interface MissingPrivilege {
  /** The position among the needed privileges. */
  readonly at: number;
  readonly role: string;
  readonly privilege: NeededPrivilege['privilege'] | 'USAGE';
  readonly kind: 'table' | 'sequence' | 'schema';
  readonly schema: string;
  /** Of the table or sequence. */
  readonly name: string;
  /** The columns without the privilege; none if it is missing on all that are needed. */
  readonly columns: readonly string[];
}

interface MissingRow extends Omit<MissingPrivilege, 'columns'> {
  /** A list as JSON. */
  readonly columns: string | null;
}

/**
 * Privileges from roles, PUBLIC, ownership and superusers are included (https://www.postgresql.org/docs/current/functions-info.html).
 * A view reads its tables with the privileges of its owner, unless it is a `security_invoker`. Foreign keys need none, and
 * sequences of identity columns neither; those of `serial` columns do.
 */
const QUERY = {
  text: `WITH RECURSIVE needed (at, relation, privilege, attnum, is_named) AS (
    SELECT u.at, c.oid, u.privilege, a.attnum, true
    FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[]) AS u (at, schema, name, privilege, "column")
    JOIN pg_namespace s ON s.nspname = coalesce(u.schema, current_schema())
    JOIN pg_class c ON c.relnamespace = s.oid AND c.relname = u.name
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = u."column"
    UNION
    SELECT n.at, d.refobjid, 'SELECT', nullif(d.refobjsubid, 0)::smallint, false
    FROM needed n
    JOIN pg_class v ON v.oid = n.relation AND v.relkind = 'v' AND EXISTS (
      SELECT FROM pg_options_to_table(v.reloptions) o WHERE o.option_name = 'security_invoker' AND o.option_value::boolean
    )
    JOIN pg_rewrite r ON r.ev_class = v.oid AND r.ev_type = '1'
    JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass
      AND d.refobjid <> v.oid
  ),
  granted AS (
    SELECT n.at, n.relation, n.privilege, n.attnum, CASE
      WHEN n.attnum IS NOT NULL THEN has_column_privilege(n.relation, n.attnum, n.privilege)
      WHEN n.privilege = 'DELETE' THEN has_table_privilege(n.relation, n.privilege)
      ELSE has_any_column_privilege(n.relation, n.privilege) END AS is_granted
    FROM needed n JOIN pg_class c ON c.oid = n.relation AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  ),
  missing (at, privilege, kind, relation, namespace, columns) AS (
    SELECT g.at, g.privilege, 'table', g.relation, NULL::oid,
      CASE WHEN bool_or(g.is_granted) THEN (json_agg(a.attname ORDER BY a.attnum) FILTER (WHERE NOT g.is_granted))::text END
    FROM granted g LEFT JOIN pg_attribute a ON a.attrelid = g.relation AND a.attnum = g.attnum
    GROUP BY g.at, g.relation, g.privilege HAVING NOT bool_and(g.is_granted)
    UNION ALL
    SELECT DISTINCT n.at, 'USAGE', 'sequence', q.oid, NULL::oid, NULL
    FROM needed n
    JOIN pg_attrdef f ON f.adrelid = n.relation
    JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = f.oid AND d.refclassid = 'pg_class'::regclass
    JOIN pg_class q ON q.oid = d.refobjid
    -- The function fails for anything but a sequence, and conditions have no order.
    WHERE n.privilege = 'INSERT' AND CASE q.relkind WHEN 'S' THEN NOT has_sequence_privilege(q.oid, 'USAGE, UPDATE') END
    UNION ALL
    SELECT DISTINCT n.at, 'USAGE', 'schema', NULL::oid, c.relnamespace, NULL
    FROM needed n JOIN pg_class c ON c.oid = n.relation
    WHERE n.is_named AND NOT has_schema_privilege(c.relnamespace, 'USAGE')
  )
  SELECT m.at, current_user::text AS role, m.privilege, m.kind, s.nspname AS schema, c.relname AS name, m.columns
  FROM missing m LEFT JOIN pg_class c ON c.oid = m.relation
  JOIN pg_namespace s ON s.oid = coalesce(m.namespace, c.relnamespace)
  ORDER BY m.at, m.kind, s.nspname, c.relname`,
  kind: 'read',
  adHoc: true,
} as const;

/**
 * Returns what the role of the sessions lacks, in the order of the needed privileges.
 * @throws DatabaseError
 */
export async function missingPrivileges(
  executor: SqlExecutor,
  needed: readonly NeededPrivilege[],
): Promise<readonly MissingPrivilege[]> {
  const parts = needed.flatMap(({ table, privilege, columns }, at) => {
    const [name = '', schema = null] = [...partsOfName(table)].reverse();
    return (columns.length === 0 ? [null] : columns).map((column) => [at, schema, name, privilege, column]);
  });
  const parameters = [0, 1, 2, 3, 4].map((position) => arrayLiteral(parts.map((part) => part[position])));
  const rows = (await executor.execute(QUERY, parameters)) as unknown as readonly MissingRow[];
  return rows.map((row) => ({
    ...row,
    columns: row.columns === null ? [] : (JSON.parse(row.columns) as readonly string[]),
  }));
}
