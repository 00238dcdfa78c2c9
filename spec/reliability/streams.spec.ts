import path from 'node:path';
import { run } from '../factories/processes/processes';
import { withPrograms } from '../factories/processes/programs';

const SCRIPT = path.resolve(__dirname, '../../reliability/streams.mjs');

/** `npm run reliability` streams a million rows. A server that held 100,000 of them would hardly be noticed. */
const streams = (database: string): (() => Promise<void>) => {
  return async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, '300000', database]);
    expect(output).toMatch(/^streams that failed or exceeded 50 MB: 0$/m);
    expect(code).toBe(0);
  };
};

describe('streams of 300,000 rows, and a client that stops reading', () => {
  it('need less than 50 MB with SQLite', streams('sqlite'), 120_000);

  withPrograms('postgres').it('need less than 50 MB with PostgreSQL', streams('postgres'), 120_000);
});
