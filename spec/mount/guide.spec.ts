import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { blocksOf } from '../factories/documents';
import { freePort } from '../factories/free-port';
import { ROOT } from '../factories/platform';

const PACKAGES = ['express', 'fastify', 'hono', '@hono/node-server'];

/** The files that the guide shows, which a reader has in one folder. */
const files = blocksOf('docs/guides/mounting.md').flatMap(({ file, code }) =>
  file === undefined ? [] : [{ file, code }],
);

describe('the guide to mounting', () => {
  let folder: string;
  let child: ChildProcess | undefined;
  let output: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'mounting-'));
    mkdirSync(path.join(folder, 'node_modules/@hono'), { recursive: true });
    symlinkSync(ROOT, path.join(folder, 'node_modules/apidesc-platform'));
    for (const name of PACKAGES)
      symlinkSync(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  afterEach(() => child?.kill('SIGKILL'));

  const start = async (name: string): Promise<string> => {
    const port = await freePort();
    for (const { file, code } of files)
      writeFileSync(path.join(folder, file), code.replaceAll('8080', String(port)));
    output = '';
    child = spawn(process.execPath, [name], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part: Buffer) => (output += part.toString()));
    const origin = `http://127.0.0.1:${port}`;
    for (;;) {
      if (child.exitCode !== null) throw new Error(output);
      if (
        await fetch(origin).then(
          () => true,
          () => false,
        )
      )
        return origin;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  it.each([
    ['node-http.js', 'Not in the API.'],
    ['express.js', 'Express'],
    ['fastify.js', 'Fastify'],
    ['hono.js', 'Hono'],
  ])('shows %s, which serves the API below its path, and stops', async (name, own) => {
    const origin = await start(name);
    expect(await (await fetch(origin)).text()).toBe(own);
    const created = await fetch(`${origin}/api/notes`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"text":"Bread"}',
    });
    expect([created.status, created.headers.get('location')]).toEqual([201, '/api/notes/2']);
    expect(await (await fetch(origin + '/api/notes/2')).json()).toEqual({ note_id: '2', text: 'Bread' });
    const page = await fetch(`${origin}/api/platform/documentation`, { headers: { Accept: 'text/html' } });
    expect(await page.text()).toContain('/api/platform/documentation/Notes-v1');
    expect(output).not.toMatch(/Error|Warning/);
    child?.kill('SIGTERM');
    if (child?.exitCode === null) await once(child, 'exit');
    expect([name, child?.exitCode, child?.signalCode]).toEqual([name, 0, null]);
  });
});
