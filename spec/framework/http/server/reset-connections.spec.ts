import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { Response, type Request } from '../../../../src/framework';
import { startHandler, type HandlerServer } from '../../../factories/http/handler-server';
import { sendRaw } from '../../../factories/http/raw-http';

/** Sends a request on each of some connections, and resets them before the server, whose process waits, accepts them. */
const SEND_AND_RESET = `
  const { connect } = require('node:net');
  for (let i = 0; i < 5; i++) {
    const socket = connect(Number(process.argv[1]), '127.0.0.1', () =>
      socket.write('GET /reset HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', () => socket.resetAndDestroy()));
  }
`;

describe('A connection that its client has reset before it is accepted', () => {
  const handled: Request[] = [];
  let server: HandlerServer;
  beforeAll(async () => {
    server = await startHandler((request) => {
      handled.push(request);
      return new Response(200, 'fine');
    });
  });
  afterAll(() => server.stop());

  it('is closed without executing its request, which would have no address', async () => {
    const { port } = new URL(server.origin);
    const { status, stderr } = spawnSync(process.execPath, ['-e', SEND_AND_RESET, port], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    await pause(100);
    const answer = await sendRaw(
      server.origin,
      'GET /after HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    expect(answer.status).toBe(200);
    expect(handled.map(({ path }) => path)).toEqual(['/after']);
  });
});
