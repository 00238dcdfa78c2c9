import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { ServerProcesses } from '../factories/processes/server-process';

const servers = new ServerProcesses();
afterEach(() => servers.clear());

/** Sends a GET on the only connection of the agent. @returns whether the server keeps the connection */
function send(origin: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve, reject) => {
    get(`${origin}/v1/atlas/countries/DE`, { agent }, (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) resolve(response.headers.connection !== 'close');
        else reject(new Error(`Status ${response.statusCode}`));
      });
    }).once('error', reject);
  });
}

describe('Shutting down', () => {
  it.each([0, 1])(
    'with a drain delay of %d s loses no request of 40 clients that keep their connections',
    async (delay) => {
      const local = {
        server: { drain_delay: delay },
        'platform-operations': { access_log: { enabled: false } },
      };
      const server = servers.start(['--root', servers.project({ local })]);
      const origin = await server.origin();
      let responses = 0;
      const client = async (_: unknown, index: number): Promise<void> => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        // Some clients are always busy, some are mostly idle.
        while (await send(origin, agent)) {
          responses++;
          await pause(10 * (index % 10));
        }
      };
      const clients = Promise.all(Array.from({ length: 40 }, client));
      while (responses < 400) await pause(20);
      server.child.kill('SIGTERM');
      await clients;
      const { code } = await server.ended;
      expect(code).toBe(0);
    },
  );

  it('accepts connections during the delay, and ends at a second signal', async () => {
    const local = { server: { drain_delay: 3_600 } };
    const server = servers.start(['--root', servers.project({ local })]);
    const origin = await server.origin();
    server.child.kill('SIGTERM');
    await server.printed(/^Shutting down/m);
    expect((await fetch(`${origin}/v1/atlas/countries/DE`)).headers.get('connection')).toBe('close');
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(1);
  });
});
