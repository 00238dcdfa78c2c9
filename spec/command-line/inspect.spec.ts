import { rmSync } from 'node:fs';
import path from 'node:path';
import { registerInspect } from '../../src/command-line/inspect/command';
import { WITH_ADMIN } from '../factories/admin/admin';
import { runWords, type CommandResult } from '../factories/processes/command';
import { makeProject } from '../factories/platform';
import { startProcess } from '../factories/processes/platform-process';
import { CLI } from '../factories/processes/processes';
import { HOSTING } from '../factories/processes/start-refusal';
import { PEOPLE } from '../fixtures/people';

let root: string;
afterEach(() => rmSync(root, { recursive: true, force: true }));
const platform = (...words: readonly string[]): Promise<CommandResult> =>
  runWords([registerInspect], [...words, '--root', root]);

describe('apidesc-platform routes', () => {
  beforeEach(() => (root = makeProject({ modules: WITH_ADMIN, files: PEOPLE })));

  it('lists the operations of the APIs by version, without the routes of the platform itself', async () => {
    const { code, out, err } = await platform('routes');
    expect(code).toBe(0);
    const [heading, ...lines] = out.trimEnd().split('\n');
    expect(heading).toMatch(/^METHOD +PATH +OPERATION$/);
    for (const version of [1, 2]) {
      expect(lines).toContainEqual(
        expect.stringMatching(new RegExp(`^GET +/v${version}/atlas/countries +Atlas_listCountry$`)),
      );
      expect(lines).toContainEqual(
        expect.stringMatching(new RegExp(`^PATCH +/v${version}/atlas/visits/:visit_id +Atlas_patchVisit$`)),
      );
    }
    expect(out).not.toContain('/platform/');
    expect(err).toMatch(/^\d+ routes of the platform itself are not listed: see --all\.\n$/);
  });

  it('lists those of the platform with --all, or if the text is part of them', async () => {
    const all = await platform('routes', '--all');
    expect(all.out).toMatch(/^POST +\/platform\/admin\/sign-out +admin:sign-out$/m);
    expect(all.out).toMatch(/^GET +\/platform\/admin\/api\/v1\/overview +Admin_getOverview$/m);
    expect(all.err).toBe('');
    const found = await platform('routes', 'sign-out', '--json');
    expect(JSON.parse(found.out)).toEqual([
      { method: 'POST', path: '/platform/admin/sign-out', operation: 'admin:sign-out' },
    ]);
  });

  it('says that nothing contains a text', async () => {
    const { code, out, err } = await platform('routes', '/nowhere');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^No path and no operation of the \d+ routes contains "\/nowhere"\.\n$/);
  });
});

describe('apidesc-platform listeners', () => {
  beforeEach(() => (root = makeProject({ modules: ['documentation', 'documentation-formats', ...HOSTING] })));

  it('lists those of an event in calling order, with their module and source', async () => {
    const { code, out } = await platform('listeners', 'render');
    expect(code).toBe(0);
    const [heading, ...lines] = out.trimEnd().split('\n');
    expect(heading).toMatch(/^EVENT +PRIORITY +LISTENER +MODULE +SOURCE$/);
    expect(lines).toContainEqual(
      expect.stringMatching(/^render +200 +register YamlStrategy +documentation-formats +\S+:\d+$/),
    );
    expect(lines.at(-1)).toMatch(/^render +1 +FrameworkListeners\.render +framework +\S+:\d+$/);
    const listed = JSON.parse((await platform('listeners', 'render', '--json')).out) as {
      listeners: object[];
    }[];
    expect(listed[0]?.listeners).toHaveLength(lines.length);
  });

  it('suggests the name of an event', async () => {
    const { code, err } = await platform('listeners', 'rendr');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^The event "rendr" has no listeners\. Did you mean "render"\? Events with listeners: route, /,
    );
  });
});

describe('apidesc-platform check', () => {
  it('confirms a project that builds, and reports why another does not', async () => {
    root = makeProject({ modules: HOSTING });
    expect(await platform('check')).toMatchObject({
      code: 0,
      out: 'OK: 1 file checked, the application builds.\n',
    });
    rmSync(path.join(root, 'config/autoload'), { recursive: true });
    expect(await platform('check')).toMatchObject({ code: 0, out: 'OK: the application builds.\n' });
    const other = root;
    root = makeProject({ modules: HOSTING, local: { server: { prot: 1 } } });
    const { code, err } = await platform('check');
    expect(code).toBe(1);
    expect(err).toContain('Did you mean "port"?');
    rmSync(other, { recursive: true });
  });
});

describe('apidesc-platform serve', () => {
  it('serves a project until a signal stops it', async () => {
    root = makeProject({ modules: ['documentation', ...HOSTING] });
    const server = await startProcess(root, {}, [CLI, 'serve']);
    const response = await fetch(`${server.origin}/platform/documentation`);
    expect(response.status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  it('says what is wrong with a project, and ends with 1', async () => {
    root = makeProject({ modules: ['documentatoin'] });
    const { origin, code, output } = await startProcess(root, {}, [CLI, 'serve']);
    expect([origin, code]).toEqual([undefined, 1]);
    expect(output).toContain('documentatoin');
  });
});
