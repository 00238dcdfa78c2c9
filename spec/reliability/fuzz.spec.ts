import path from 'node:path';
import { run } from '../factories/processes/processes';

const SCRIPT = path.resolve(__dirname, '../../reliability/fuzz/run.mjs');

describe('a server that gets valid and mutated requests over raw sockets', () => {
  it('neither crashes, responds with an unexpected 5xx, nor leaves a connection without an end', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, '3000']);
    expect(output).toMatch(/^crashes, unexpected 5xx, connections without an end, and leaks: 0$/m);
    expect(output).toMatch(/^seed \d+$/m);
    expect(output).toMatch(/^30\d\d requests, [1-9]\d* of them mutated/m);
    // The requests get past the parser: to operations, validation, sign-in and negotiation.
    for (const status of [200, 302, 400, 401, 404, 405, 406, 501])
      expect(output).toMatch(new RegExp(`^responses .*\\b${status}: [1-9]`, 'm'));
    expect(code).toBe(0);
  }, 240_000);
});
