import path from 'node:path';
import { run } from '../factories/processes/processes';
import { withPrograms } from '../factories/processes/programs';

const SCRIPT = path.resolve(__dirname, '../../reliability/service/clock.mjs');

const { describe, it } = withPrograms('faketime');

describe('a server whose clock is moved by ten minutes while it runs', () => {
  it('ends nonces and waits in time, and accepts new sign-ins', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, '3']);
    expect(output).toMatch(/^wrong responses after moves of the clock: 0$/m);
    expect(output).toMatch(/^the clock was moved 3 times/m);
    expect(code).toBe(0);
  }, 120_000);
});
