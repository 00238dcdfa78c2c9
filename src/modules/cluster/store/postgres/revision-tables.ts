import { KEPT_REVISIONS } from '../configuration-store';
import type { Documents, StoredRevision } from '../stored-revision';
import type { Query } from './postgres-link';

/** Adds the documents that the store does not have, by hash. */
export async function writeDocuments(query: Query, schema: string, documents: Documents): Promise<void> {
  for (const [hash, content] of documents)
    await query(`INSERT INTO ${schema}.documents (hash, content) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [
      hash,
      content,
    ]);
}

/** Adds a revision, and removes what is older than the last 50. */
export async function writeRevision(query: Query, schema: string, revision: StoredRevision): Promise<void> {
  const { number } = revision;
  await query(
    `INSERT INTO ${schema}.revisions (number, content) VALUES ($1, $2)
    ON CONFLICT (number) DO UPDATE SET content = excluded.content`,
    [number, JSON.stringify(revision)],
  );
  await query(`DELETE FROM ${schema}.revisions WHERE number <= $1`, [number - KEPT_REVISIONS]);
  await query(
    `DELETE FROM ${schema}.documents WHERE hash NOT IN (
      SELECT value FROM ${schema}.revisions, jsonb_each_text(content->'documents'))`,
  );
}
