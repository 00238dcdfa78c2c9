import path from 'node:path';
import { run } from '../factories/processes/processes';
import { withPrograms } from '../factories/processes/programs';

const SCRIPT = path.resolve(__dirname, '../../reliability/service/restarts.mjs');

const { describe, it } = withPrograms('haproxy');

describe('servers that are restarted behind HAProxy', () => {
  it('lose no request of 200 clients on keep-alive connections', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, '2']);
    expect(output).toMatch(/^failed requests and unclean exits: 0$/m);
    expect(output).toMatch(
      /^2 restarts behind HAProxy, 200 keep-alive clients: [1-9]\d* requests, 0 failed/m,
    );
    expect(output).toMatch(/; [1-9]\d* or more during each shutdown/);
    expect(code).toBe(0);
  }, 180_000);
});
