import path from 'node:path';
import { run } from '../factories/processes/processes';
import { withPrograms } from '../factories/processes/programs';

const SCRIPT = path.resolve(__dirname, '../../reliability/edge/smuggling.mjs');

const { describe, it } = withPrograms('apache2', 'nginx', 'haproxy', 'caddy', 'varnishd');

describe('requests whose end is ambiguous, through five proxies', () => {
  it('end where the proxy says', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, '40']);
    expect(output).toMatch(/^disagreements about the end of a request: 0$/m);
    for (const name of ['apache', 'nginx', 'haproxy', 'caddy', 'varnish'])
      expect(output).toMatch(new RegExp(`\\b${name} \\d\\d payloads, \\d\\d+ requests arrived`));
    expect(code).toBe(0);
  }, 300_000);
});
