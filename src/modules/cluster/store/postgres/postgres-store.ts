import {
  KEPT_REVISIONS,
  NODE_KEPT,
  PROPOSAL_TTL,
  STORE_FORMAT,
  type ConfigurationStore,
  type CurrentRevision,
  type Head,
  type Proposal,
} from '../configuration-store';
import { toAnswer, type Answer, type NodeReport, type SeenNode } from '../node-report';
import { hashOfRevision, toStoredRevision, type Documents, type StoredRevision } from '../stored-revision';
import { PostgresLink, type Query } from './postgres-link';
import { writeDocuments, writeRevision } from './revision-tables';
import { HEAD, textOf, toHead, toSeenNode } from './rows';
import { createTables, schemaOf } from './tables';

/** A configuration store in PostgreSQL. Nodes are notified of changes by NOTIFY. */
export class PostgresStore implements ConfigurationStore {
  readonly kind = 'postgres';
  readonly #schema: string;
  readonly #link: PostgresLink;
  readonly #listeners = new Set<() => void>();

  /** @throws ConfigurationError if the driver is not installed */
  constructor({ url, prefix }: { readonly url: string; readonly prefix: string }) {
    const schema = schemaOf(prefix);
    this.#schema = schema;
    this.#link = new PostgresLink({
      url,
      channel: schema,
      prepare: (query) => createTables(query, schema),
      notified: () => {
        for (const listener of this.#listeners) listener();
      },
    });
  }

  head(): Promise<Head | undefined> {
    return this.#link.transaction(async (query) => {
      const [row] = await query(`SELECT ${HEAD} FROM ${this.#schema}.head`);
      return row && toHead(row);
    });
  }

  async current(): Promise<CurrentRevision | undefined> {
    const [row] = await this.#link.transaction((query) =>
      query(
        `SELECT ${HEAD}, content FROM ${this.#schema}.head LEFT JOIN ${this.#schema}.revisions USING (number)`,
      ),
    );
    if (row === undefined) return undefined;
    return { head: toHead(row), revision: row.content === null ? undefined : toStoredRevision(row.content) };
  }

  async revision(number: number): Promise<StoredRevision | undefined> {
    const rows = await this.#link.transaction((query) =>
      query(`SELECT content FROM ${this.#schema}.revisions WHERE number = $1`, [number]),
    );
    return rows[0] === undefined ? undefined : toStoredRevision(rows[0].content);
  }

  async history(): Promise<readonly StoredRevision[]> {
    const rows = await this.#link.transaction((query) =>
      query(`SELECT content FROM ${this.#schema}.revisions ORDER BY number DESC LIMIT ${KEPT_REVISIONS}`),
    );
    return rows.map(({ content }) => toStoredRevision(content));
  }

  async documents(hashes: readonly string[]): Promise<Documents> {
    const rows = await this.#link.transaction((query) =>
      query(`SELECT hash, content FROM ${this.#schema}.documents WHERE hash = ANY($1)`, [hashes]),
    );
    return new Map(
      rows.flatMap(({ hash, content }) =>
        Buffer.isBuffer(content) ? [[textOf(hash), content] as const] : [],
      ),
    );
  }

  seed(revision: StoredRevision, documents: Documents): Promise<boolean> {
    return this.#link.transaction(async (query) => {
      const rows = await query(
        `INSERT INTO ${this.#schema}.head (format, number, hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING number`,
        [STORE_FORMAT, revision.number, hashOfRevision(revision)],
      );
      if (rows.length === 0) return false;
      await writeDocuments(query, this.#schema, documents);
      await this.#record(query, revision);
      return true;
    });
  }

  propose({ id, base, revision }: Proposal, documents: Documents): Promise<'proposed' | 'busy' | 'moved'> {
    return this.#link.transaction(async (query) => {
      const [row] = await query(
        `SELECT number, proposal IS NOT NULL AND until > clock_timestamp() AS busy FROM ${this.#schema}.head FOR UPDATE`,
      );
      if (row === undefined || Number(row.number) !== base) return 'moved';
      if (row.busy === true) return 'busy';
      await writeDocuments(query, this.#schema, documents);
      await query(`DELETE FROM ${this.#schema}.answers`);
      await query(
        `UPDATE ${this.#schema}.head SET proposal = $1, base = $2, proposed = $3, until = clock_timestamp() + $4 * interval '1 millisecond'`,
        [id, base, JSON.stringify(revision), PROPOSAL_TTL],
      );
      await this.#notify(query);
      return 'proposed';
    });
  }

  async proposal(): Promise<Proposal | undefined> {
    const [row] = await this.#link.transaction((query) =>
      query(
        `SELECT proposal, base, proposed FROM ${this.#schema}.head WHERE proposal IS NOT NULL AND until > clock_timestamp()`,
      ),
    );
    if (row === undefined) return undefined;
    return {
      id: textOf(row.proposal),
      base: Number(row.base),
      revision: toStoredRevision(row.proposed),
    };
  }

  async answer(proposal: string, node: string, answer: Answer): Promise<void> {
    await this.#link.transaction(async (query) => {
      await query(
        `INSERT INTO ${this.#schema}.answers (proposal, node, content) VALUES ($1, $2, $3)
        ON CONFLICT (proposal, node) DO UPDATE SET content = excluded.content`,
        [proposal, node, JSON.stringify(answer)],
      );
      await this.#notify(query);
    });
  }

  async answers(proposal: string): Promise<ReadonlyMap<string, Answer>> {
    const rows = await this.#link.transaction((query) =>
      query(`SELECT node, content FROM ${this.#schema}.answers WHERE proposal = $1`, [proposal]),
    );
    return new Map(rows.map(({ node, content }) => [textOf(node), toAnswer(content)]));
  }

  async withdraw(proposal: string): Promise<void> {
    await this.#link.transaction(async (query) => {
      await query(
        `UPDATE ${this.#schema}.head SET proposal = NULL, base = NULL, proposed = NULL, until = NULL WHERE proposal = $1`,
        [proposal],
      );
      await this.#notify(query);
    });
  }

  commit(proposal: string): Promise<boolean> {
    return this.#link.transaction(async (query) => {
      const [row] = await query(
        `SELECT proposed FROM ${this.#schema}.head WHERE proposal = $1 AND base = number AND until > clock_timestamp() FOR UPDATE`,
        [proposal],
      );
      if (row === undefined) return false;
      const revision = toStoredRevision(row.proposed);
      await query(
        `UPDATE ${this.#schema}.head SET number = $1, hash = $2, proposal = NULL, base = NULL, proposed = NULL, until = NULL`,
        [revision.number, hashOfRevision(revision)],
      );
      await query(`DELETE FROM ${this.#schema}.answers`);
      await this.#record(query, revision);
      return true;
    });
  }

  async announce(report: NodeReport): Promise<void> {
    await this.#link.transaction(async (query) => {
      const seen = await query(
        `INSERT INTO ${this.#schema}.nodes (id, seen, content) VALUES ($1, clock_timestamp(), $2)
        ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, content = excluded.content
        RETURNING (SELECT content->>'revision' FROM ${this.#schema}.nodes WHERE id = $1) AS before`,
        [report.id, JSON.stringify(report)],
      );
      await query(
        `DELETE FROM ${this.#schema}.nodes WHERE seen < clock_timestamp() - $1 * interval '1 millisecond'`,
        [NODE_KEPT],
      );
      // A proposer waits for it.
      if (textOf(seen[0]?.before) !== String(report.revision)) await this.#notify(query);
    });
  }

  async leave(node: string): Promise<void> {
    await this.#link.transaction((query) => query(`DELETE FROM ${this.#schema}.nodes WHERE id = $1`, [node]));
  }

  async nodes(): Promise<readonly SeenNode[]> {
    const rows = await this.#link.transaction((query) =>
      query(
        `SELECT content, extract(epoch FROM clock_timestamp() - seen) * 1000 AS age FROM ${this.#schema}.nodes
        WHERE seen > clock_timestamp() - $1 * interval '1 millisecond' ORDER BY id`,
        [NODE_KEPT],
      ),
    );
    return rows.flatMap(toSeenNode);
  }

  useHints(): void {
    // NOTIFY reaches those who use this database.
  }

  onHint(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): Promise<void> {
    this.#listeners.clear();
    return this.#link.close();
  }

  async #record(query: Query, revision: StoredRevision): Promise<void> {
    await writeRevision(query, this.#schema, revision);
    await this.#notify(query);
  }

  async #notify(query: Query): Promise<void> {
    await query(`SELECT pg_notify($1, '')`, [this.#schema]);
  }
}
