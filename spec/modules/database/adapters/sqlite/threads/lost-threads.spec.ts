import type { Worker, WorkerOptions } from 'node:worker_threads';
import { reading } from '../../../../../../src/modules/database/adapters/sqlite/threads/thread-messages';
import { ThreadClient } from '../../../../../../src/modules/database/adapters/sqlite/threads/thread-client';
import { SqliteFiles } from '../../../../../factories/database/sqlite';

// Threads that use up their memory for a request with this text: in a statement, some drivers would abort the process.
jest.mock('node:worker_threads', () => {
  const actual = jest.requireActual<{ readonly Worker: typeof Worker }>('node:worker_threads');
  class SmallWorker extends actual.Worker {
    constructor(script: string, options: WorkerOptions) {
      const code = `require('node:worker_threads').parentPort.on('message', ({ text }) => {
        for (let list; text === 'memory'; ) list = { list };
      });
      require(${JSON.stringify(script)});`;
      super(code, { ...options, eval: true, resourceLimits: { maxOldGenerationSizeMb: 32 } });
    }
  }
  return { ...actual, Worker: SmallWorker };
});

const files = new SqliteFiles();
afterAll(() => files.close());

test('requests that wait while a thread runs out of memory have their own results', async () => {
  const { target } = await files.shop();
  const client = new ThreadClient(target);
  const texts = ['memory', "SELECT 'one' AS name", "SELECT 'two' AS name", "SELECT 'three' AS name"];
  const found = await Promise.allSettled(texts.map((text) => client.request(reading(text))));
  await client.close();
  expect(found).toEqual([
    { status: 'rejected', reason: expect.objectContaining({ kind: 'unavailable' }) as unknown },
    ...['one', 'two', 'three'].map((name) => ({ status: 'fulfilled', value: [{ name }] })),
  ]);
}, 60_000);
