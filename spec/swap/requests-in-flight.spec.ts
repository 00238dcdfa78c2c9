import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { JsonModel, Response, type BootstrapEvent, type Module } from '../../src/framework';
import { configure } from '../factories/configure';
import type { TestPlatform } from '../factories/platform';
import { RawConnection } from '../factories/http/raw-connection';
import { startFramework } from '../factories/routes';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** Records when applications are disposed of, and can delay it. */
class Leave implements Module {
  readonly name = 'leave';
  built = 0;
  gone = 0;
  takes = 0;

  onBootstrap({ application: { events } }: BootstrapEvent): void {
    this.built++;
    events.attach('shutdown', async () => {
      await pause(this.takes);
      this.gone++;
    });
  }
}

describe('a swap', () => {
  let leave: Leave;
  let platform: TestPlatform;
  let arrived: Promise<void>;
  let release: () => void;
  let stream: PassThrough;

  beforeEach(async () => {
    leave = new Leave();
    const gate = new Promise<void>((resolve) => (release = resolve));
    let arrive: () => void;
    arrived = new Promise<void>((resolve) => (arrive = resolve));
    stream = new PassThrough();
    platform = await startFramework(
      {
        'GET /slow': async ({ request }) => {
          arrive();
          await gate;
          return new JsonModel(request.path);
        },
        'GET /stream': () => new Response(200, stream),
        'GET /a': () => new JsonModel('a'),
      },
      undefined,
      { extra: [leave] },
    );
  });
  afterEach(() => platform.stop());

  /** Waits until this many applications have been disposed of. */
  const untilGone = async (count: number): Promise<void> => {
    for (let tries = 0; tries < 1_500 && leave.gone < count; tries++) await pause(10);
    expect(leave.gone).toBe(count);
  };

  const swap = async (base: string): Promise<void> => {
    configure(platform.root, { server: { base_url: base } });
    await platform.host.reload();
  };

  it('lets the old application finish a slow request, and then disposes of it', async () => {
    const connection = await RawConnection.open(platform.origin);
    connection.write(get('/slow'));
    await arrived;
    await swap('/one');
    await swap('/two');
    await untilGone(1);
    expect(connection.received).toBe('');
    release();
    await connection.until(/^HTTP\/1\.1 200 [\s\S]*"\/slow"$/);
    await untilGone(2);
    connection.destroy();
  });

  it('continues a streaming response', async () => {
    const connection = await RawConnection.open(platform.origin);
    connection.write(get('/stream'));
    stream.write('before ');
    await connection.until(/before /);
    await swap('/one');
    stream.write('behind ');
    await connection.until(/behind /);
    expect(leave.gone).toBe(0);
    stream.end();
    await connection.until(/0\r\n\r\n$/);
    await untilGone(1);
    connection.destroy();
  });

  it('applies to the next request of a persistent connection', async () => {
    const connection = await RawConnection.open(platform.origin);
    connection.write(get('/a'));
    await connection.until(/"a"$/);
    await swap('/one');
    connection.write(get('/one/a') + get('/a'));
    await connection.until(/200 OK[\s\S]*200 OK[\s\S]*404 Not Found[\s\S]*\}$/);
    expect(connection.closed).toBe(false);
    connection.destroy();
  });

  it('disposes of the old application when a client disconnects before its response', async () => {
    const connection = await RawConnection.open(platform.origin);
    connection.write(get('/slow'));
    await arrived;
    await swap('/one');
    expect(leave.gone).toBe(0);
    connection.destroy();
    await untilGone(1);
  });

  it('is complete when the service has stopped: every application was disposed of', async () => {
    const connection = await RawConnection.open(platform.origin);
    connection.write(get('/slow'));
    await arrived;
    leave.takes = 100;
    await swap('/one');
    const stopped = platform.stop();
    release();
    await stopped;
    expect(leave.gone).toBe(2);
    expect(connection.received).toContain('"/slow"');
  });

  it('in progress while the service stops is discarded, or disposed of too', async () => {
    configure(platform.root, { server: { base_url: '/one' } });
    const over = platform.host.reload().catch(() => undefined);
    while (leave.built < 2) await pause(1);
    await platform.stop();
    await over;
    await untilGone(2);
    expect(leave.built).toBe(2);
  });
});
