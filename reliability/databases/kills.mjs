// The server is killed while clients write single rows and batches. What was acknowledged must be there after the next
// start, and of each batch all rows or none.
import { setTimeout as delay } from 'node:timers/promises';
import { send, startServer } from './project.mjs';

const ROWS_PER_BATCH = 8;
const CLIENTS = 3;

/** What clients have written, over all starts of the server. */
class Written {
  acknowledged = 0;
  /** Identifiers of acknowledged rows. */
  rows = new Set();
  /** Identifiers of the rows of each batch, acknowledged or not. */
  batches = [];
  problems = [];
}

/**
 * @param {number} writes acknowledged ones after which it ends
 * @param {number} kills at least
 */
export async function killWhileWriting(folder, writes, kills) {
  const written = new Written();
  for (
    let round = 0;
    (round < kills || written.acknowledged < writes) && written.problems.length === 0;
    round++
  ) {
    const server = await startServer(folder);
    await check(server.origin, written);
    const clients = Array.from({ length: CLIENTS }, (_, at) =>
      write(server.origin, `${round}-${at}`, written),
    );
    await delay(30 + Math.random() * 300);
    await server.kill();
    await Promise.all(clients);
  }
  const server = await startServer(folder);
  const rows = await check(server.origin, written);
  await server.kill('SIGTERM');
  return { ...written, stored: rows };
}

/** Writes single rows and batches until the server ends. */
async function write(origin, name, written) {
  for (let at = 0; ; at++) {
    const isBatch = at % 3 === 2;
    const ids = Array.from({ length: isBatch ? ROWS_PER_BATCH : 1 }, (_, part) => `${name}-${at}-${part}`);
    const operations = ids.map((id, part) => ({ method: 'POST', path: '/entries', body: { id, part } }));
    if (isBatch) written.batches.push(ids);
    const response = isBatch
      ? await send(origin, 'POST', '/platform/batch', { operations })
      : await send(origin, 'POST', '/entries', operations[0].body);
    if (response === undefined) return;
    if (response.status >= 300) {
      written.problems.push(`POST: ${response.status} ${JSON.stringify(response.body)}`);
      return;
    }
    written.acknowledged++;
    for (const id of ids) written.rows.add(id);
  }
}

/** Compares the stored rows with what was acknowledged. @returns their number */
async function check(origin, written) {
  const stored = new Set();
  for (let path = '/entries'; path !== undefined;) {
    const { status, body } = await send(origin, 'GET', path);
    if (status !== 200) {
      written.problems.push(`GET ${path} after a start: ${status} ${JSON.stringify(body)}`);
      return 0;
    }
    for (const { id } of body.items) stored.add(id);
    path = body.next_cursor === null ? undefined : `/entries?cursor=${body.next_cursor}`;
  }
  for (const id of written.rows)
    if (!stored.has(id)) written.problems.push(`${id} was acknowledged and is lost`);
  for (const ids of written.batches) {
    const count = ids.filter((id) => stored.has(id)).length;
    if (count !== 0 && count !== ids.length)
      written.problems.push(`${ids[0]}: ${count} of ${ids.length} rows`);
  }
  return stored.size;
}
