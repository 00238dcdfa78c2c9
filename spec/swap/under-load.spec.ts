import { once } from 'node:events';
import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConfigObject } from '../../src/framework';
import { configure } from '../factories/configure';
import { DigestClient } from '../factories/sign-in/digest-client';
import { Load } from '../factories/http/load';
import { ALL_MODULES, makeProject, ROOT, sampleAuthentication } from '../factories/platform';
import { SERVER } from '../factories/processes/platform-process';
import { basic } from '../factories/http/requests';

/** The number of swaps; long form: `SWAPS=200 npx jest spec/swap/under-load`. */
const SWAPS = Number(process.env.SWAPS ?? 40);

interface Use {
  /** Bytes. */
  readonly heap: number;
  /** Open file descriptors. */
  readonly files: number;
  /** Resources that were not released. */
  readonly applications: number;
}

const fixture = (name: string): string => readFileSync(path.join(ROOT, 'spec/fixtures', name), 'utf8');
const quiet = { access_log: { enabled: true, file: 'log/access.log' } };

/** A valid configuration with a response header that contains its number. */
const valid = (number: number): ConfigObject => ({
  ...sampleAuthentication,
  'platform-operations': { ...quiet, security_headers: { 'X-Swap': String(number) } },
});

/** Configurations that fail at different steps: some after password files are watched. */
const invalid: readonly (ConfigObject | string)[] = [
  '{ "server": ',
  { ...valid(0), server: { prot: 1 } },
  { ...valid(0), view_manager: { strategies: ['Nothing'] } },
  { ...valid(0), 'platform-content-negotiation': { selectors: { Documentation: { Nothing: ['a/b'] } } } },
  {
    'platform-operations': quiet,
    'platform-mvc-auth': {
      authentication: {
        adapters: {
          ...(sampleAuthentication['platform-mvc-auth'] as { authentication: { adapters: ConfigObject } })
            .authentication.adapters,
          zuletzt: {
            adapter: 'HttpAdapter',
            options: { accept_schemes: ['basic'], realm: 'Atlas', htpasswd: 'none.htpasswd' },
          },
        },
      },
    },
  },
];

describe(`${SWAPS} swaps under load, half of them with an invalid configuration`, () => {
  let root: string;
  let child: ChildProcess;
  let [output, errors] = ['', ''];

  beforeAll(async () => {
    root = makeProject({
      modules: [...ALL_MODULES, './probe.mjs'],
      local: valid(0),
      files: { 'probe.mjs': fixture('probe.mjs') },
    });
    child = fork(SERVER, ['--root', root], {
      execArgv: ['--expose-gc'],
      env: { PATH: process.env.PATH, PORT: '0', OPERATIONS_LISTEN: 'off' },
      silent: true,
    });
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    await until(() => output.includes('Ctrl+C'));
  });
  afterAll(async () => {
    if (child.kill('SIGKILL')) await once(child, 'close');
    rmSync(root, { recursive: true });
  });

  const until = async (isSo: () => boolean): Promise<void> => {
    for (let tries = 0; !isSo(); tries++) {
      if (tries > 4_000 || child.exitCode !== null)
        throw new Error(`It did not come to it: ${output}${errors}`);
      await pause(5);
    }
  };
  const origin = (): string => /^Documentation +(\S+)\/platform/m.exec(output)?.[1] ?? '';
  const reloads = (): number => output.split('Configuration reloaded.').length - 1;
  const refused = (): number => errors.split('The previous configuration stays active.').length - 1;

  const swap = async (number: number): Promise<void> => {
    const works = number % 2 === 0;
    const count = works ? reloads : refused;
    const before = count();
    configure(root, works ? valid(number) : (invalid[((number - 1) / 2) % invalid.length] ?? ''));
    child.kill('SIGHUP');
    await until(() => count() > before);
  };
  const use = async (): Promise<Use> => {
    const reported = once(child, 'message');
    child.send('tell');
    const [measured] = (await reported) as [Use];
    return measured;
  };
  const load = async (): Promise<Load> => {
    const client = new DigestClient();
    const visits = `${origin()}/v2/atlas/visits`;
    expect((await client.fetch(visits)).status).toBe(200);
    return new Load(
      [
        { url: `${origin()}/atlas/countries` },
        { url: `${origin()}/platform/documentation/Atlas` },
        { url: `${origin()}/wait` },
        { url: `${origin()}/v1/atlas/visits`, headers: () => ({ authorization: basic('guide', 'explore') }) },
        { url: visits, headers: () => ({ authorization: client.authorization(visits) }) },
      ],
      24,
    );
  };

  it(
    'fail no request, and release all resources',
    async () => {
      const warmUp = await load();
      for (let number = 1; number <= 20; number++) await swap(number);
      expect([...(await warmUp.stop()).keys()]).toEqual(['200']);
      const before = await use();

      const clients = await load();
      for (let number = 1; number <= SWAPS; number++) await swap(number);
      const answers = await clients.stop();
      const after = await use();

      const answered = answers.get('200') ?? 0;
      if (process.env.SWAPS !== undefined) console.info({ swaps: SWAPS, answered, before, after });
      expect([...answers.keys()]).toEqual(['200']);
      expect(answered).toBeGreaterThan(SWAPS * 3);
      expect((await fetch(`${origin()}/atlas/countries`)).headers.get('x-swap')).toBe(
        String(SWAPS - (SWAPS % 2)),
      );
      expect(after.applications).toBe(1);
      expect(after.files).toBeLessThanOrEqual(before.files + 2);
      // Some of it is compiled code, of which V8 keeps more over time.
      expect(after.heap).toBeLessThan(before.heap + 6_000_000);
    },
    30_000 + SWAPS * 2_000,
  );
});
