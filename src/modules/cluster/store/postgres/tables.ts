import { createHash } from 'node:crypto';
import type { Query } from './postgres-link';

/** The longest name of PostgreSQL. */
const MAX_NAME = 63;

/** Returns the schema of a deployment: two prefixes never have the same one. */
export function schemaOf(prefix: string): string {
  const plain = prefix.toLowerCase().replace(/[^a-z0-9_]/g, '_');
  const name = `apidesc_platform_${plain}`;
  // `a.b` and `a-b` differ.
  if (plain === prefix && name.length <= MAX_NAME) return name;
  const tail = createHash('sha256').update(prefix).digest('hex').slice(0, 8);
  return `${name.slice(0, MAX_NAME - 9)}_${tail}`;
}

/**
 * Creates the tables, once: under a lock, since nodes start at the same time. Looks first, so that a user without the
 * privilege to create schemas can use one that exists.
 * @param schema from {@link schemaOf}, which needs no quotes
 */
export async function createTables(query: Query, schema: string): Promise<void> {
  const [found] = await query('SELECT to_regclass($1) IS NOT NULL AS exists', [`${schema}.nodes`]);
  if (found?.exists === true) return;
  await query('BEGIN');
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [schema]);
  const [existing] = await query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (existing === undefined) await query(`CREATE SCHEMA ${schema}`);
  for (const table of tables(schema)) await query(table);
  await query('COMMIT');
}

/** `nodes` is the last one: it exists when all do. */
function tables(schema: string): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${schema}.head (
      singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
      format integer NOT NULL,
      number bigint NOT NULL,
      hash text NOT NULL,
      proposal text,
      base bigint,
      proposed jsonb,
      until timestamptz
    )`,
    `CREATE TABLE IF NOT EXISTS ${schema}.revisions (number bigint PRIMARY KEY, content jsonb NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS ${schema}.documents (hash text PRIMARY KEY, content bytea NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS ${schema}.answers (
      proposal text, node text, content jsonb NOT NULL, PRIMARY KEY (proposal, node)
    )`,
    `CREATE TABLE IF NOT EXISTS ${schema}.nodes (
      id text PRIMARY KEY, seen timestamptz NOT NULL, content jsonb NOT NULL
    )`,
  ];
}
