import { configure } from '../factories/configure';
import { ServerProcesses, type ServerProcess } from '../factories/processes/server-process';
import { askWhere, firstChildOf, until, workersProject } from '../factories/processes/workers';

const servers = new ServerProcesses();
afterEach(() => servers.clear());
jest.setTimeout(180_000);

const local = (mark: string, more: object = {}): Parameters<typeof configure>[1] => ({
  server: { workers: 3 },
  where: { mark, ...more },
});

describe('the configuration of workers', () => {
  let root: string;
  let server: ServerProcess;
  let origin: string;
  beforeEach(async () => {
    root = servers.project(workersProject({ server: { workers: 3 }, where: { mark: 'first' } }));
    server = servers.start(['--root', root]);
    origin = await server.origin();
  });

  /** The marks that workers respond with, once all of them have responded. */
  const marks = async (): Promise<readonly (string | null)[]> => {
    const byWorker = new Map<number, string | null>();
    await until(async () => {
      for (const { pid, mark } of await askWhere(origin, 12)) byWorker.set(pid, mark);
      return byWorker.size >= 3;
    });
    return [...byWorker.values()];
  };

  it('is the same in all of them after SIGHUP', async () => {
    configure(root, local('second'));
    server.child.kill('SIGHUP');
    await server.printed(/^Configuration reloaded\.$/m);
    expect(await marks()).toEqual(['second', 'second', 'second']);
  });

  it('changes in none of them if it is invalid', async () => {
    configure(root, { ...(local('second') as object), nonsense: 1 });
    server.child.kill('SIGHUP');
    await server.printedError(/nonsense: unknown key/);
    await server.printedError(/The previous configuration stays active\./);
    expect(await marks()).toEqual(['first', 'first', 'first']);
  });

  it('changes in none of them if a worker refuses it', async () => {
    configure(root, local('second', { refused: 'Refused by a worker.' }));
    server.child.kill('SIGHUP');
    await server.printedError(/Refused by a worker\.[\s\S]*The previous configuration stays active\./);
    expect(await marks()).toEqual(['first', 'first', 'first']);
    configure(root, local('third'));
    server.child.kill('SIGHUP');
    await server.printed(/^Configuration reloaded\.$/m);
    expect(await marks()).toEqual(['third', 'third', 'third']);
  });

  it('is the active one in workers that are started later, whatever the files are then', async () => {
    configure(root, local('not reloaded'));
    const first = firstChildOf(server.child.pid);
    process.kill(first, 'SIGKILL');
    await server.printedError(/Worker \d serves again\./);
    expect(await marks()).toEqual(['first', 'first', 'first']);
    server.child.kill('SIGUSR1');
    await server.printed(/^All workers replaced\.$/m);
    expect(await marks()).toEqual(['first', 'first', 'first']);
  });
});
