import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DigestClient } from '../factories/sign-in/digest-client';
import { freePort } from '../factories/http/free-port';
import { ALL_MODULES, makeProject, ROOT, sampleAuthentication } from '../factories/platform';
import { type StartedProcess, startProcess } from '../factories/processes/platform-process';
import { PostgresServer } from '../factories/database/postgres';
import { executableOf, withPrograms } from '../factories/processes/programs';
import { RedisServer } from '../factories/processes/redis';
import { setTestTimeout } from '../factories/test-timeout';

const FOLDER = path.join(ROOT, 'deploy/cluster');
const DIGEST = '/v2/atlas/visits';
const GUESTS = '/v2/atlas/countries/CH';

setTestTimeout(120);

interface Node {
  readonly root: string;
  readonly port: number;
  readonly operations: number;
  readonly process: StartedProcess;
}

interface Balancer {
  readonly program: 'haproxy' | 'nginx';
  readonly file: string;
  /** The configuration for nodes on this machine. */
  readonly local: (text: string, port: number, nodes: readonly Node[], folder: string) => string;
  readonly args: (file: string, folder: string) => readonly string[];
}

/** Replaces a part that the file must have. */
function replaced(text: string, part: string, by: string): string {
  expect(text).toContain(part);
  return text.replaceAll(part, by);
}

const HAPROXY: Balancer = {
  program: 'haproxy',
  file: 'haproxy.cfg',
  local: (text, port, nodes) =>
    nodes.reduce(
      (all, node, at) =>
        replaced(all, ` node-${at + 1}:8080`, ` 127.0.0.1:${node.port} port ${node.operations}`),
      replaced(text, 'bind 0.0.0.0:8080', `bind 127.0.0.1:${port}`),
    ),
  args: (file) => ['-db', '-f', file],
};

const NGINX: Balancer = {
  program: 'nginx',
  file: 'nginx.conf',
  local: (text, port, nodes, folder) => {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const own = replaced(
      replaced(text, 'listen 8080;', `listen 127.0.0.1:${port};`),
      'access_log off;',
      `access_log off; ${temporary.join(' ')}`,
    );
    return nodes.reduce(
      (all, node, at) => replaced(all, `node-${at + 1}:8080`, `127.0.0.1:${node.port}`),
      `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;\n${own}`,
    );
  },
  args: (file, folder) => ['-p', folder, '-e', path.join(folder, 'error.log'), '-c', file],
};

/** Starts the balancer. @returns its process, once it accepts connections */
async function startBalancer(
  { program, file, local, args }: Balancer,
  port: number,
  nodes: readonly Node[],
  folder: string,
): Promise<ChildProcess> {
  const own = path.join(folder, file);
  writeFileSync(own, local(readFileSync(path.join(FOLDER, file), 'utf8'), port, nodes, folder));
  const child = spawn(executableOf(program), args(own, folder), { env: process.env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${program} did not start: ${output}`);
    await delay(20);
  }
  return child;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** Identifies the process: each has its own request identifiers. */
const nodeOf = (response: Response): string => response.headers.get('x-request-id')?.split('-')[0] ?? '';

describe.each([HAPROXY, NGINX])(
  'three nodes behind $program, configured by deploy/cluster/$file',
  (balancer) => {
    const { describe: describeHere } = withPrograms('redis-server', 'postgres', balancer.program);

    describeHere('with one Redis and one PostgreSQL', () => {
      let folder: string;
      let redis: RedisServer;
      let postgres: PostgresServer;
      let nodes: Node[] = [];
      let proxy: ChildProcess | undefined;
      let origin: string;

      beforeAll(async () => {
        folder = mkdtempSync(path.join(tmpdir(), 'balancer-'));
        [redis, postgres] = await Promise.all([RedisServer.start(), PostgresServer.start()]);
        nodes = await Promise.all([0, 1, 2].map(startNode));
        const port = await freePort();
        proxy = await startBalancer(balancer, port, nodes, folder);
        origin = `http://127.0.0.1:${port}`;
        // The balancer checks the nodes first.
        while ((await fetch(origin + GUESTS)).status !== 200) await delay(100);
      }, 120_000);
      afterAll(async () => {
        proxy?.kill('SIGKILL');
        await Promise.all(nodes.map((node) => node.process.stop()));
        await Promise.all([redis.close(), postgres.close()]);
        for (const { root } of nodes) rmSync(root, { recursive: true });
        rmSync(folder, { recursive: true });
      });

      async function startNode(): Promise<Node> {
        const root = makeProject({
          modules: ['cluster', ...ALL_MODULES],
          local: sampleAuthentication,
          files: {
            'config/autoload/cluster.global.json': readFileSync(
              path.join(FOLDER, 'cluster.global.json'),
              'utf8',
            ),
          },
        });
        mkdirSync(path.join(root, 'data'), { recursive: true });
        const operations = await freePort();
        const started = await startProcess(root, {
          OPERATIONS_LISTEN: `127.0.0.1:${operations}`,
          REDIS_URL: redis.url,
          POSTGRES_URL: postgres.url(),
          DEPLOYMENT_KEY: 'k'.repeat(40),
          PUBLIC_URL: 'http://localhost:8080',
        });
        if (started.origin === undefined) throw new Error(started.output);
        return { root, port: Number(new URL(started.origin).port), operations, process: started };
      }

      it('accept one nonce on every node, and each of its counts once', async () => {
        const client = new DigestClient();
        const served = new Set<string>();
        // Parallel: a balancer may send one request after the other to the same node.
        for (let round = 0; round < 20 || served.size < 3; round++) {
          const responses = await Promise.all(Array.from({ length: 6 }, () => client.fetch(origin + DIGEST)));
          expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
          for (const response of responses) served.add(nodeOf(response));
          await Promise.all(responses.map((response) => response.arrayBuffer()));
        }
        expect(served.size).toBe(3);
        const Authorization = client.authorization(origin + DIGEST);
        const replays = await Promise.all(
          Array.from({ length: 9 }, () => fetch(origin + DIGEST, { headers: { Authorization } })),
        );
        expect(replays.map(({ status }) => status).sort()).toEqual([
          200,
          ...Array.from({ length: 8 }, () => 401),
        ]);
      });

      it('lose no request when a node stops', async () => {
        const [first] = nodes;
        let isStopping = true;
        const statuses: number[] = [];
        const load = Promise.all(
          Array.from({ length: 10 }, async () => {
            while (isStopping) {
              const response = await fetch(origin + GUESTS);
              await response.arrayBuffer();
              statuses.push(response.status);
            }
          }),
        );
        await delay(300);
        expect(await first?.process.stop()).toBe(0);
        await delay(300);
        isStopping = false;
        await load;
        expect(statuses.length).toBeGreaterThan(20);
        expect(statuses.filter((status) => status !== 200)).toEqual([]);
      });
    });
  },
);
