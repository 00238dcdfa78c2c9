import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NamedPipe } from '../factories/processes/named-pipe';
import { makeProject } from '../factories/platform';
import { SERVER } from '../factories/processes/platform-process';
import { HOSTING } from '../factories/processes/start-refusal';

/** Logs the requested number of errors, and responds. */
const NOISY = `
const { defineApi, defineProcedure, defineRpcService } = require(${JSON.stringify(path.resolve('dist/platform.js'))});
const handler = ({ log, query }) => {
  for (let at = 0; at < 100; at++) log.error({ at, filler: 'x'.repeat(1000) }, 'Failed.');
  return { ok: true };
};
module.exports = {
  name: 'noisy',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Noisy', versions: { 1: { services: {
    Noise: defineRpcService({ route: '/noise', methods: { GET: defineProcedure({ handler }) } }),
  } } } })],
};
`;
const REQUESTS = 100;

interface Line {
  readonly msg: string;
  readonly lost?: number;
}
const linesOf = (text: string): readonly Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

describe('the error log', () => {
  let root: string;
  let child: ChildProcess;
  beforeEach(() => {
    root = makeProject({ modules: [...HOSTING, './noisy.cjs'] });
    writeFileSync(path.join(root, 'noisy.cjs'), NOISY);
  });
  afterEach(() => {
    child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  });

  const start = async (errors: number | 'pipe'): Promise<string> => {
    child = spawn(process.execPath, [SERVER, '--root', root], {
      env: { PATH: process.env.PATH, PORT: '0', OPERATIONS_LISTEN: 'off' },
      stdio: ['ignore', 'pipe', errors],
    });
    let output = '';
    for await (const data of child.stdout!) {
      output += String(data);
      const [, origin] = /^Service +(\S+)\n/m.exec(output) ?? [];
      if (origin !== undefined) return origin;
    }
    throw new Error(`The server did not start: ${output}${String(child.stderr?.read())}`);
  };

  /** The output of a server, from the first read. */
  const openErrors = {
    // Node.js creates one when a pipe is requested.
    'a socket': () => ({ target: 'pipe' as const, stream: () => child.stderr!, started: () => undefined }),
    'a pipe': () => {
      const pipe = new NamedPipe(root);
      return {
        target: pipe.writeEnd,
        stream: () => pipe.stream(),
        started: () => pipe.closeWriteEnd(),
      };
    },
  };

  it.each(['a socket', 'a pipe'] as const)(
    'never blocks the service while nobody reads %s, and then reports the number of lost lines',
    async (kind) => {
      const errors = openErrors[kind]();
      const origin = await start(errors.target);
      errors.started();
      for (let request = 0; request < REQUESTS; request++) {
        const answer = await fetch(`${origin}/noise`, { signal: AbortSignal.timeout(10_000) });
        expect(answer.status).toBe(200);
      }
      let text = '';
      const ended = once(
        errors.stream().on('data', (data: Buffer) => (text += data.toString())),
        'end',
      );
      for (let tries = 0; tries < 500 && !/"lost".*\n/.test(text); tries++) await pause(20);
      const lines = linesOf(text);
      const lost = lines.find((line) => line.lost !== undefined)?.lost ?? 0;
      expect(lost).toBeGreaterThan(1_000);
      expect(lines.at(-1)?.msg).toBe(`Dropped ${lost} lines while this log could not be written.`);
      const count = () => linesOf(text).filter(({ msg }) => msg === 'Failed.').length;
      expect(count()).toBe(REQUESTS * 100 - lost);
      // It continues.
      expect((await fetch(`${origin}/noise`)).status).toBe(200);
      child.kill('SIGTERM');
      await ended;
      expect(count()).toBe(REQUESTS * 100 + 100 - lost);
    },
    60_000,
  );
});

describe('a log line before a crash', () => {
  it.each([
    'throw new Error("crash")',
    'process.exit(1)',
    'process.kill(process.pid, "SIGKILL")',
    'process.abort()',
  ])('is written when the process ends by %s', async (end) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'error-log-'));
    try {
      const script = path.join(folder, 'crash.cjs');
      writeFileSync(
        script,
        `const log = require(${JSON.stringify(path.resolve('dist/error-log.js'))}).openErrorLog();
           for (let at = 0; at < 20; at++) log.error({ at }, 'Failed.');
           ${end};`,
      );
      const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe'] });
      let text = '';
      child.stderr.on('data', (data: Buffer) => (text += data.toString()));
      await once(child, 'close');
      expect(linesOf(text)).toHaveLength(20);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the message of an error in the error log', () => {
  const messageOf = (error: string): string => {
    const program = `require('./dist/error-log.js').openErrorLog().error({ err: ${error} }, 'Failed.')`;
    const { stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
    const { err } = JSON.parse(stderr) as {
      readonly err: { readonly message: string; readonly stack: string };
    };
    expect(err.stack).toContain('caused by: Error: disk full');
    return err.message;
  };

  it('has those of its causes', () => {
    expect(
      messageOf(
        "new Error('not saved', { cause: new Error('not written', { cause: new Error('disk full') }) })",
      ),
    ).toBe('not saved: not written: disk full');
  });

  it('does not repeat what it says itself', () => {
    expect(messageOf("new Error('not saved: disk full', { cause: new Error('disk full') })")).toBe(
      'not saved: disk full',
    );
  });

  it('has those of errors of another realm', () => {
    expect(
      messageOf(`require('vm').runInNewContext("new Error('not saved', { cause: new Error('disk full') })")`),
    ).toBe('not saved: disk full');
  });

  it('has causes that are texts', () => {
    expect(
      messageOf("new Error('not saved', { cause: new Error('disk full', { cause: 'no quota' }) })"),
    ).toBe('not saved: disk full: no quota');
  });

  it('has those of the errors of a cause that has no message itself', () => {
    expect(
      messageOf(
        "new Error('not saved', { cause: new AggregateError([new Error('a: refused'), new Error('b: refused')], '', { cause: new Error('disk full') }) })",
      ),
    ).toBe('not saved: a: refused, b: refused: disk full');
  });

  it('is that of an error that is frozen', () => {
    expect(messageOf("Object.freeze(new Error('not saved', { cause: new Error('disk full') }))")).toBe(
      'not saved: disk full',
    );
  });

  it('has none of a cause whose message is not a text', () => {
    expect(
      messageOf(
        "new Error('not saved', { cause: Object.assign(new Error('disk full'), { cause: Object.assign(new Error(), { message: /a/ }) }) })",
      ),
    ).toBe('not saved: disk full');
  });

  it('ends where causes refer to each other', () => {
    expect(
      messageOf(
        "(() => { const [a, b] = [new Error('not saved'), new Error('disk full')]; a.cause = b; b.cause = a; return a; })()",
      ),
    ).toBe('not saved: disk full');
  });
});

describe('an error whose members cannot be read', () => {
  it.each([
    ['its message', "new (class E extends Error { get message() { throw new Error('No.'); } })()"],
    ['that of its cause', "new Error('a', { cause: { get message() { throw new Error('No.'); } } })"],
    ['its message, without a stack', "{ get message() { throw new Error('No.'); } }"],
    ['its stack', "Object.defineProperty(new Error('a'), 'stack', { get() { throw new Error('No.'); } })"],
    [
      'none',
      "(() => { const { proxy, revoke } = Proxy.revocable(new Error('a'), {}); revoke(); return proxy; })()",
    ],
  ])('does not prevent the line: %s', (_, error) => {
    const program = `const log = require('./dist/error-log.js').openErrorLog(); log.error({ err: ${error} }, 'Failed.'); log.info({}, 'Next.')`;
    const { stderr, status } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
    expect(status).toBe(0);
    const lines = linesOf(stderr);
    expect(lines.map(({ msg }) => msg)).toEqual(['Failed.', 'Next.']);
    expect(lines[0]).toMatchObject({
      err: { message: 'This error cannot be logged: one of its members throws when it is read.' },
    });
    expect(stderr).not.toContain('"undefined"');
  });
});

describe('an error with a member that cannot be logged', () => {
  it.each([
    [
      'an accessor below it',
      "{ get b() { throw new Error('No.'); } }",
      { b: '[cannot be read: Error: No.]' },
    ],
    ['its toJSON', "{ toJSON() { throw new Error('No.'); } }", '[cannot be read: Error: No.]'],
  ])('has its message, its stack and other members: %s', (_, member, expected) => {
    const program = `require('./dist/error-log.js').openErrorLog().error({ err: Object.assign(new Error('broken'), { code: 7, member: ${member} }) }, 'Failed.')`;
    const { stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
    expect(JSON.parse(stderr)).toMatchObject({
      msg: 'Failed.',
      err: {
        type: 'Error',
        message: 'broken',
        stack: expect.stringMatching(/^Error: broken\n/) as unknown,
        code: 7,
        member: expected,
      },
    });
  });

  it('has values that refer to each other, and numbers of the type BigInt', () => {
    const program = `const a = { n: 1n }; a.self = a; require('./dist/error-log.js').openErrorLog().error({ err: Object.assign(new Error('broken'), { a }) }, 'Failed.')`;
    const { stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
    expect(JSON.parse(stderr)).toMatchObject({ err: { message: 'broken', a: { n: 1, self: '[Circular]' } } });
  });
});
