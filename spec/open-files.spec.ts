import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { makeProject } from './factories/platform';
import { SERVER } from './factories/processes/platform-process';
import { RawConnection } from './factories/http/raw-connection';

/** Opens files until the system refuses, and closes them again. */
const MODULE = `
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const held = [];
const self = fileURLToPath(import.meta.url);
const get = (route, handler) => ({ kind: 'rpc', route, methods: { GET: { handler } } });
export default {
  name: 'files',
  requires: ['hosting'],
  apis: [{ name: 'Files', versions: { 1: { services: {
    Hold: get('/hold', () => {
      try { for (;;) held.push(openSync(self, 'r')); } catch (error) { return { code: error.code }; }
    }),
    Read: get('/read', async () => ({ characters: (await readFile(self, 'utf8')).length })),
    Wrapped: get('/wrapped', async () => {
      try { return { characters: (await readFile(self, 'utf8')).length }; }
      catch (error) { throw new Error('The picture was not read.', { cause: error }); }
    }),
    Release: get('/release', () => { for (const file of held.splice(0)) closeSync(file); return {}; }),
    Upload: { kind: 'rpc', route: '/upload', content_type: ['multipart/form-data'], methods: { POST: {
      fields: { type: 'object', properties: { picture: { type: 'string', format: 'binary', 'x-file': {} } } },
      handler: ({ body }) => ({ size: body.picture.size }),
    } } },
  } } } }],
};`;

const form =
  '--edge\r\nContent-Disposition: form-data; name="picture"; filename="a"\r\n\r\nabc\r\n--edge--\r\n';

/** Requests on an open connection: a new one would need a file descriptor. */
class Client {
  readonly #connection: RawConnection;
  #seen = 0;

  constructor(connection: RawConnection) {
    this.#connection = connection;
  }

  async ask(head: string, body = ''): Promise<string> {
    const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`;
    this.#connection.write(`${head} HTTP/1.1\r\nHost: localhost\r\n${length}${TYPE}\r\n\r\n${body}`);
    const before = this.#seen;
    await this.#connection.until(new RegExp(`^[^]{${before}}HTTP/1.1 \\d+[^]*?\\r\\n\\r\\n.*}$`));
    this.#seen = this.#connection.received.length;
    return this.#connection.received.slice(before);
  }
}

const TYPE = 'Content-Type: multipart/form-data; boundary=edge';

describe('a process without free file descriptors', () => {
  const root = makeProject({
    modules: [
      'content-negotiation',
      'content-validation',
      'mvc-auth',
      'hosting',
      'documentation',
      './files.mjs',
    ],
    files: { 'files.mjs': MODULE },
  });
  const child = spawn(
    '/bin/sh',
    ['-c', `ulimit -n 96; exec "${process.execPath}" "${SERVER}" --root "${root}"`],
    {
      // Code that was kept by another start would be read without opening a file.
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        OPERATIONS_LISTEN: 'off',
        NODE_DISABLE_COMPILE_CACHE: '1',
      },
    },
  );
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  afterAll(() => {
    child.kill('SIGKILL');
    rmSync(root, { recursive: true });
  });

  it('responds 503 with problem+json and Retry-After where one is needed, serves the rest, and recovers', async () => {
    for (
      let tries = 0;
      tries < 1_500 && child.exitCode === null && !output.includes('Documentation');
      tries++
    )
      await new Promise((resolve) => setTimeout(resolve, 10));
    const origin = /^Documentation +(\S+)\/platform/m.exec(output)?.[1] ?? errors;
    const client = new Client(await RawConnection.open(origin));
    expect(await client.ask('GET /hold')).toContain('{"code":"EMFILE"}');
    for (const answer of [
      await client.ask('GET /read'),
      await client.ask('GET /wrapped'),
      await client.ask('POST /upload', form),
    ]) {
      expect(answer).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
      expect(answer).toContain('Content-Type: application/problem+json');
      expect(answer).toContain('Retry-After: 1\r\n');
      expect(answer).toContain('The limit of open files and connections is reached');
      expect(answer).not.toContain(root);
    }
    expect(errors).toContain('EMFILE');
    // New connections are closed; open ones continue.
    const refused = await RawConnection.open(origin).catch(() => undefined);
    await refused?.untilClosed();
    expect(await client.ask('GET /release')).toMatch(/^HTTP\/1\.1 200 /);
    const other = new Client(await RawConnection.open(origin));
    expect(await other.ask('GET /read')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await other.ask('POST /upload', form)).toContain('{"size":3}');
    expect(child.exitCode).toBeNull();
  }, 120_000);
});
