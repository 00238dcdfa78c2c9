import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ALL_MODULES, makeProject, ROOT, sampleAuthentication } from '../../../factories/platform';
import { startProcess, type StartedProcess } from '../../../factories/processes/platform-process';
import { bodyOf } from '../../../factories/http/requests';

/** The module from the guide. */
function example(): string {
  const guide = readFileSync(path.join(ROOT, 'docs/guides/authentication.md'), 'utf8');
  const block = /^```js\n(import \{ AuthenticatedIdentity[\s\S]*?)^```$/m.exec(guide)?.[1];
  if (block === undefined) throw new Error('The guide shows no module of its own.');
  return block;
}

describe('the module from the authentication event guide', () => {
  let root: string;
  let platform: StartedProcess;
  beforeAll(async () => {
    root = makeProject({
      modules: [...ALL_MODULES, './keys.mjs'],
      local: sampleAuthentication,
      files: { 'keys.mjs': example() },
    });
    mkdirSync(path.join(root, 'node_modules'));
    symlinkSync(ROOT, path.join(root, 'node_modules/apidesc-platform'));
    platform = await startProcess(root, { KEY: 'k3y' });
  });
  afterAll(async () => {
    await platform.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it('accepts the key, and logs the identity', async () => {
    expect(platform.output).toContain('Documentation');
    const visits = `${platform.origin ?? ''}/v2/atlas/visits`;
    expect((await fetch(visits)).status).toBe(401);
    expect((await fetch(visits, { headers: { 'X-Api-Key': 'wrong' } })).status).toBe(401);
    const answer = await fetch(visits, { headers: { 'X-Api-Key': 'k3y' } });
    expect(answer.status).toBe(200);
    expect(await bodyOf(answer)).toMatchObject({ total_items: 0 });
    expect(platform.output).toContain('robot true');
    expect(platform.output).toContain('null false');
  });
});
