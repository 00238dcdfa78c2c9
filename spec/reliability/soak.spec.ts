import path from 'node:path';
import { run } from '../factories/processes/processes';

const SCRIPT = path.resolve(__dirname, '../../reliability/service/soak.mjs');

describe('a server with every feature in use', () => {
  it('responds as expected, and keeps its memory and its handles', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, '24']);
    expect(output).toMatch(/^unexpected responses and growth in the soak: 0$/m);
    expect(output).toMatch(/^24 s, [1-9]\d* requests, [1-9]\d* reloads, 0 unexpected responses/m);
    expect(code).toBe(0);
  }, 180_000);
});
