import path from 'node:path';
import { run } from '../factories/processes/processes';

const SCRIPT = path.resolve(__dirname, '../../reliability/edge/forwarding.mjs');

describe('spoofed forwarding fields', () => {
  it('are neither trusted nor logged', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, '1000']);
    expect(output).toMatch(/^spoofed fields that were believed: 0$/m);
    expect(output).toMatch(/^requests with spoofed fields: 250 without trusted proxies, 250 with other/m);
    expect(code).toBe(0);
  }, 120_000);
});
