import { createHash } from 'node:crypto';
import type { DatabaseAdapter, Dialect, SqlStatement } from '../adapters/database-adapter';

/** The table that records which migrations were applied. */
export const MIGRATIONS_TABLE = 'platform_migrations';

export const createMigrationsTable = `create table if not exists ${MIGRATIONS_TABLE} (name varchar(255) primary key, checksum varchar(64) not null, applied_at timestamp not null default current_timestamp)`;

/** Whether the table exists, without reading all others. */
const EXISTS: Readonly<Record<Dialect, SqlStatement>> = {
  sqlite: {
    text: `select 1 as found from sqlite_schema where type = 'table' and name = '${MIGRATIONS_TABLE}'`,
    kind: 'read',
  },
  postgres: {
    text: `select 1 as found where to_regclass('${MIGRATIONS_TABLE}') is not null`,
    kind: 'read',
  },
};

const RECORDED: SqlStatement = {
  text: `select name, checksum from ${MIGRATIONS_TABLE} order by name`,
  kind: 'read',
};

/** The checksum of a text: the same for line endings CRLF and LF, which version control may exchange. */
function checksumOf(text: string): string {
  return hashOf(withLf(text));
}

/** Whether a recorded checksum is that of a text; earlier versions recorded texts with their line endings. */
export function isChecksumOf(recorded: string, text: string): boolean {
  if (recorded === checksumOf(text)) return true;
  return recorded === hashOf(text) || recorded === hashOf(withLf(text).replaceAll('\n', '\r\n'));
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Undoes what a migration has set for its session, such as `search_path` and the role: neither the table of migrations
 * nor the next file depends on it. Statements have no time limit, also these.
 */
const RESET_SESSION: Readonly<Record<Dialect, string>> = {
  sqlite: '',
  postgres:
    'set local statement_timeout = 0; reset session authorization; reset role; reset all; set local statement_timeout = 0; ',
};

/** The statements that end a migration and record it. @param name without quotes */
export function recordMigration(name: string, text: string, dialect: Dialect): string {
  return `${RESET_SESSION[dialect]}insert into ${MIGRATIONS_TABLE} (name, checksum) values ('${name.replaceAll("'", "''")}', '${checksumOf(text)}')`;
}

/** Returns the checksums of the applied migrations by name. @throws DatabaseError */
export async function recordedMigrations(adapter: DatabaseAdapter): Promise<ReadonlyMap<string, string>> {
  const found = await adapter.execute(EXISTS[adapter.dialect], []);
  if (found.length === 0) return new Map();
  const rows = await adapter.execute(RECORDED, []);
  return new Map(rows.map(({ name, checksum }) => [String(name), String(checksum)]));
}
