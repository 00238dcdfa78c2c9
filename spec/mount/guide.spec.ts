import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { blocksOf } from '../factories/documents/documents';
import { freePort } from '../factories/http/free-port';
import { ROOT } from '../factories/platform';
import { run } from '../factories/processes/processes';

/** Bun and Deno, which `npm run node-versions` installs and sets: the variable of each, its file, and its arguments. */
const RUNTIMES = [
  ['BUN', 'bun.js', []],
  ['DENO', 'deno.js', ['run', '--quiet', '-A']],
] as const;

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

  const start = async (name: string, command: readonly string[]): Promise<string> => {
    const port = await freePort();
    for (const { file, code } of files)
      writeFileSync(path.join(folder, file), code.replaceAll('8080', String(port)));
    output = '';
    const [program = process.execPath, ...args] = command;
    child = spawn(program, [...args, name], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
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

  it('shows lambda.js, which serves the API for events of API Gateway', async () => {
    for (const { file, code } of files) writeFileSync(path.join(folder, file), code);
    const event = (method: string, rawPath: string, body?: string) => ({
      version: '2.0',
      rawPath,
      rawQueryString: '',
      headers: { host: 'abc.lambda-url.eu-west-1.on.aws', 'content-type': 'application/json' },
      requestContext: {
        http: { method, path: rawPath, sourceIp: '192.0.2.7' },
        domainName: 'abc.lambda-url',
      },
      isBase64Encoded: false,
      ...(body === undefined ? {} : { body }),
    });
    const events = [
      event('GET', '/'),
      event('POST', '/api/notes', '{"text":"Bread"}'),
      event('GET', '/api/notes/2'),
      event('GET', '/api/nowhere'),
      // Of a REST API.
      {
        version: '1.0',
        httpMethod: 'GET',
        path: '/api/notes/1',
        headers: { host: 'abc.execute-api.eu-west-1.amazonaws.com' },
        requestContext: { identity: { sourceIp: '192.0.2.7' }, domainName: 'abc.execute-api' },
      },
    ];
    const program = `
      const { handler } = await import(${JSON.stringify(path.join(folder, 'lambda.js'))});
      for (const event of ${JSON.stringify(events)}) {
        const { statusCode, headers, body } = await handler(event, {});
        console.log(JSON.stringify([statusCode, headers.location ?? null, body]));
      }
      process.exit(0);`;
    const { output, code } = await run(process.execPath, ['--input-type=module', '-e', program]);
    const lines = output.trim().split('\n');
    expect([code, lines.slice(0, 3)]).toEqual([
      0,
      [
        '[200,null,"Lambda"]',
        '[201,"/api/notes/2","{\\"note_id\\":\\"2\\",\\"text\\":\\"Bread\\"}"]',
        '[200,null,"{\\"note_id\\":\\"2\\",\\"text\\":\\"Bread\\"}"]',
      ],
    ]);
    expect(lines[3]).toContain('[404,null,');
    expect(lines[4]).toContain('[200,null,"{\\"note_id\\":\\"1\\"');
  });

  it('shows users.js, whose APIs know the users of the program', async () => {
    const origin = await start('users.js', []);
    const add = (cookie: string): Promise<Response> =>
      fetch(`${origin}/api/notes`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Cookie: cookie },
        body: '{"text":"Bread"}',
      });
    expect([(await add('session=1')).status, (await add('session=2')).status]).toEqual([201, 403]);
    expect((await fetch(`${origin}/api/notes`)).status).toBe(200);
    child?.kill('SIGTERM');
    if (child?.exitCode === null) await once(child, 'exit');
    expect([child?.exitCode, child?.signalCode]).toEqual([0, null]);
  });

  const examples: [name: string, own: string, command: readonly string[]][] = [
    ['node-http.js', 'Not in the API.', []],
    ['express.js', 'Express', []],
    ['fastify.js', 'Fastify', []],
    ['hono.js', 'Hono', []],
  ];
  for (const [variable, name, args] of RUNTIMES) {
    const program = process.env[variable];
    if (program !== undefined) examples.push([name, variable, [program, ...args]]);
  }
  it.each(examples)(
    'shows %s, which serves the API below its path, and stops',
    async (name, own, command) => {
      const origin = await start(name, command);
      expect((await (await fetch(origin)).text()).toLowerCase()).toBe(own.toLowerCase());
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
    },
  );
});
