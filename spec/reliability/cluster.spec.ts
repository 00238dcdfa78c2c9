import path from 'node:path';
import { run } from '../factories/processes/processes';
import { withPrograms } from '../factories/processes/programs';

const { describe, it } = withPrograms('redis-server');

const SCRIPT = path.resolve(__dirname, '../../reliability/cluster/run.mjs');

describe('three nodes with a Redis that fails in every way', () => {
  it('accept no count twice, and refuse nothing but Digest while Redis is slow', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, '5000']);
    expect(output).toMatch(/^counts accepted twice, and requests that failed: 0$/m);
    expect(output).toMatch(
      /^\d+ counts on 3 nodes, each sent 6 times: [1-9]\d* accepted, [1-9]\d* used, [1-9]/m,
    );
    for (const fault of ['node killed', 'Redis cleared', 'Redis paused', 'failover to the replica'])
      expect(output).toMatch(new RegExp(`${fault} [1-9]`));
    expect(output).toMatch(/^accepted twice: 0$/m);
    expect(output).toMatch(/^other requests: [1-9]\d*, 0 failed$/m);
    expect(code).toBe(0);
  }, 300_000);
});
