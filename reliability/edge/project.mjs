// A project without APIs, for tests of connections: a module responds to every request with what the service received.
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Responds to paths below `/echo`, and prints a line for each. */
const ECHO = `
import { Response } from 'apidesc-platform';

export default {
  name: 'echo',
  onBootstrap({ application: { events } }) {
    events.attach('route', async ({ request }) => {
      if (!request.path.startsWith('/echo')) return undefined;
      const body = request.hasBody ? await request.read(1_000_000) : '';
      const { address, scheme, host } = request;
      const seen = { path: request.path, front: request.header('x-front') ?? null, bytes: body.length, address, scheme, host };
      process.stdout.write('ECHO ' + JSON.stringify(seen) + '\\n');
      return new Response(200, JSON.stringify(seen), [['Content-Type', 'application/json']]);
    }, 10_000);
  },
};
`;

/** Creates the project in a temporary folder. @returns its path */
export function makeEchoProject(server, more = {}, modules = []) {
  const folder = mkdtempSync(path.join(tmpdir(), 'reliability-'));
  for (const name of ['config/autoload', 'node_modules'])
    mkdirSync(path.join(folder, name), { recursive: true });
  symlinkSync(root, path.join(folder, 'node_modules/apidesc-platform'));
  writeFileSync(path.join(folder, 'echo.mjs'), ECHO);
  writeFileSync(
    path.join(folder, 'config/application.json'),
    JSON.stringify({
      modules: ['content-negotiation', 'hosting', 'documentation', 'operations', ...modules, './echo.mjs'],
    }),
  );
  writeFileSync(
    path.join(folder, 'config/autoload/local.json'),
    JSON.stringify({ server, 'platform-operations': { access_log: { enabled: false } }, ...more }),
  );
  return folder;
}
