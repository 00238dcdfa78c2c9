import path from 'node:path';
import { run } from '../factories/processes/processes';
import { withPrograms } from '../factories/processes/programs';

const SCRIPT = path.resolve(__dirname, '../../reliability/databases/run.mjs');

const { describe, it } = withPrograms('postgres');

describe('rows of databases, with racing clients and killed servers', () => {
  it('keep every acknowledged write, and no half of a batch', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, '50']);
    expect(output).toMatch(/^lost, half-written or not recovered in databases: 0$/m);
    expect(output).toMatch(/^PostgreSQL, xmin: 50 increments by two clients, [1-9]/m);
    expect(output.match(/killed while it writes: [1-9]\d* writes acknowledged/g)).toHaveLength(2);
    expect(code).toBe(0);
  }, 120_000);
});
