import path from 'node:path';
import { run } from '../factories/processes/processes';

const SCRIPT = path.resolve(__dirname, '../../reliability/service/workers.mjs');

describe('workers under load', () => {
  it('are replaced and killed without a failed request, and end with their primary', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, '1']);
    expect(output).toMatch(/^failed requests and processes left behind: 0$/m);
    expect(output).toMatch(
      /^1 rolling restarts of 4 workers, 40 keep-alive clients: [1-9]\d* requests, 0 failed/m,
    );
    expect(output).toMatch(/^5 workers killed, .* 0 failed$/m);
    expect(output).toMatch(/^primary killed: 4 workers ended, 0 left behind$/m);
    expect(code).toBe(0);
  }, 300_000);
});
