import path from 'node:path';
import { run } from '../factories/processes/processes';

const SCRIPT = path.resolve(__dirname, '../../reliability/service/slow.mjs');

describe('clients that send headers or bodies slowly, or do not read', () => {
  it('get 408, or are disconnected, and other clients are served', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, '200']);
    expect(output).toMatch(/^wrong ends of slow connections, and disturbed clients: 0$/m);
    expect(output).toMatch(/^200 slow connections, .*bodies 408: 98, headers 408: 99, reads (closed|reset)/m);
    expect(code).toBe(0);
  }, 300_000);
});
