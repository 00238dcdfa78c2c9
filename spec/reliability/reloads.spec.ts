import path from 'node:path';
import { run } from '../factories/processes/processes';

const SCRIPT = path.resolve(__dirname, '../../reliability/service/reloads.mjs');

describe('a server whose configuration is reloaded under load', () => {
  it('loses no request, refuses each invalid configuration, and keeps its memory flat', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, '16']);
    expect(output).toMatch(/^failed requests, wrong results and leaks: 0$/m);
    expect(output).toMatch(
      /^16 reloads under load: 8 took effect, 8 were refused; [1-9]\d* requests, 0 failed/m,
    );
    expect(code).toBe(0);
  }, 180_000);

  it('is reloaded the requested number of times', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, 'often']);
    expect([code, output]).toEqual([
      2,
      '"often" is not a number of reloads. Usage: npm run reliability -- reloads [RELOADS]\n',
    ]);
  });
});
