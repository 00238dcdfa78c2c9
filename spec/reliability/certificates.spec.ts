import path from 'node:path';
import { run } from '../factories/processes/processes';
import { withPrograms } from '../factories/processes/programs';

const SCRIPT = path.resolve(__dirname, '../../reliability/edge/certificates.mjs');

const { describe, it } = withPrograms('openssl');

describe('a certificate that is replaced under load', () => {
  it('fails no request and closes no connection', async () => {
    const { code, output } = await run(process.execPath, [SCRIPT, '10']);
    expect(output).toMatch(/^failed requests, closed connections and wrong certificates: 0$/m);
    expect(output).toMatch(/^10 certificates replaced, 1 that did not match refused: [1-9]\d\d+ requests;/m);
    expect(code).toBe(0);
  }, 120_000);
});
