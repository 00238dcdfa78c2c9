import path from 'node:path';
import { run } from './factories/processes';
import { withPrograms } from './factories/programs';

const RUN = path.resolve(__dirname, '../reliability/run.mjs');
const STREAMS = path.resolve(__dirname, '../reliability/streams.mjs');

describe('concurrently written files, with stale locks, and killed or stopped processes', () => {
  it('keep every acknowledged write', async () => {
    const { code, output } = await run(process.execPath, [RUN, '30']);
    expect(output).toMatch(/^acknowledged writes lost: 0$/m);
    const [, acknowledged] = /: (\d+) writes acknowledged/.exec(output) ?? [];
    // 8 per round, except for processes that were killed or lost their lock.
    expect(Number(acknowledged)).toBeGreaterThan(120);
    expect(output).toMatch(/^stale locks: [1-9]\d* planted/m);
    expect(output).toMatch(/^processes: [1-9]\d* killed, 3 stopped/m);
    expect(code).toBe(0);
  }, 120_000);

  it('are written for the requested number of rounds', async () => {
    const { code, output } = await run(process.execPath, [RUN, 'many']);
    expect([code, output]).toEqual([
      2,
      '"many" is not a number of rounds. Usage: npm run reliability -- [ROUNDS]\n',
    ]);
  });
});

/** `npm run reliability` streams a million rows. */
const streams = (database: string): (() => Promise<void>) => {
  return async () => {
    const { code, output } = await run(process.execPath, [STREAMS, '100000', database]);
    expect(output).toMatch(/^streams that failed or exceeded 50 MB: 0$/m);
    expect(code).toBe(0);
  };
};

describe('streams of 100,000 rows, and a client that stops reading', () => {
  it('need less than 50 MB with SQLite', streams('sqlite'), 120_000);

  withPrograms('postgres').it('need less than 50 MB with PostgreSQL', streams('postgres'), 120_000);
});

const postgres = withPrograms('postgres');

postgres.describe('rows of databases, with racing clients and killed servers', () => {
  postgres.it(
    'keep every acknowledged write, and no half of a batch',
    async () => {
      const script = path.resolve(__dirname, '../reliability/databases/run.mjs');
      const { code, output } = await run(process.execPath, [script, '50']);
      expect(output).toMatch(/^lost, half-written or not recovered in databases: 0$/m);
      expect(output).toMatch(/^PostgreSQL, xmin: 50 increments by two clients, [1-9]/m);
      expect(output.match(/killed while it writes: [1-9]\d* writes acknowledged/g)).toHaveLength(2);
      expect(code).toBe(0);
    },
    120_000,
  );
});
