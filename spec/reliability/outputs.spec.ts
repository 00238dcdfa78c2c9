import path from 'node:path';
import { run } from '../factories/processes/processes';
import { withPrograms } from '../factories/processes/programs';

const SCRIPT = path.resolve(__dirname, '../../reliability/service/outputs.mjs');

const { describe, it } = withPrograms('unshare');

describe('a server whose outputs fail', () => {
  it('serves every request: closed pipes, a full disk of the log, metrics that are scraped in a loop', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, '2']);
    expect(output).toMatch(/^failures because of outputs: 0$/m);
    for (const what of [
      'standard output and standard error are closed',
      'the disk of the access log is full',
      'the disk has space again',
      'metrics are scraped without a pause',
    ])
      expect(output).toMatch(new RegExp(`^${what}: [1-9]\\d* requests, 0 failed`, 'm'));
    expect(output).toMatch(/^[1-9]\d* scrapes, 0 failed$/m);
    expect(code).toBe(0);
  }, 300_000);
});
