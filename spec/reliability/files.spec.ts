import path from 'node:path';
import { run } from '../factories/processes/processes';

const SCRIPT = path.resolve(__dirname, '../../reliability/files/run.mjs');

describe('concurrently written files, with stale locks, and killed or stopped processes', () => {
  it('keep every acknowledged write', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, '30']);
    expect(output).toMatch(/^acknowledged writes lost: 0$/m);
    const [, acknowledged] = /: (\d+) writes acknowledged/.exec(output) ?? [];
    // 8 per round, except for processes that were killed or lost their lock.
    expect(Number(acknowledged)).toBeGreaterThan(120);
    expect(output).toMatch(/^stale locks: [1-9]\d* planted/m);
    expect(output).toMatch(/^processes: [1-9]\d* killed, 3 stopped/m);
    expect(code).toBe(0);
  }, 120_000);

  it('are written for the requested number of rounds', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, 'many']);
    expect([code, output]).toEqual([
      2,
      '"many" is not a number of rounds. Usage: npm run reliability -- files [ROUNDS]\n',
    ]);
  });
});
