import { sql } from 'apidesc-platform';
import type { Database } from './tables.js';

const DAY_MS = 86_400_000;

/** Closes issues that nobody has changed for a long time, and says so in a comment. */
export class StaleIssues {
  readonly #database: Database;
  readonly #days: number;

  constructor(database: Database, days: number) {
    this.#database = database;
    this.#days = days;
  }

  /** @returns the number of issues that were closed */
  async close(now = Date.now()): Promise<number> {
    // In the notation of both databases, which store times in UTC.
    const limit = new Date(now - this.#days * DAY_MS).toISOString().replace('T', ' ').replace('Z', '');
    return this.#database.transaction().execute(async (database) => {
      const closed = await database
        .updateTable('issues')
        .set({ status: 'closed', updated_at: sql`CURRENT_TIMESTAMP` })
        .where('status', '!=', 'closed')
        .where('updated_at', '<', limit)
        .returning('id')
        .execute();
      const text = `Closed, as nothing has changed for ${this.#days} days.`;
      const comments = closed.map(({ id }) => ({ issue_id: id, author: 'tracker', text }));
      if (comments.length > 0) await database.insertInto('comments').values(comments).execute();
      return closed.length;
    });
  }
}
