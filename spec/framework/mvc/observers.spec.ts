import { Readable } from 'node:stream';
import { JsonModel, Response } from '../../../src/framework';
import type { TestPlatform } from '../../factories/platform';
import { RawConnection } from '../../factories/http/raw-connection';
import { startFramework } from '../../factories/routes';

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

describe('Observers of completed requests', () => {
  let platform: TestPlatform;
  let notifications: string[];
  beforeEach(async () => {
    notifications = [];
    platform = await startFramework(
      {
        'GET /quick': () => new JsonModel({}),
        'GET /never': () => new Promise(() => undefined),
      },
      ({ application: { observers } }) => {
        observers.observe('completed', () => {
          throw new Error('log full');
        });
        observers.observe('completed', () => Promise.reject(new Error('no collector')));
        observers.observe('completed', ({ request, response, outgoing }) => {
          notifications.push(
            `${request.path} ${response.status} ${outgoing.writableFinished ? 'sent' : 'left'}`,
          );
        });
      },
    );
  });
  afterEach(() => platform.stop());

  it('are notified after the response was sent, even if others throw or reject', async () => {
    expect((await platform.request('/quick')).status).toBe(200);
    await soon();
    expect(notifications).toEqual(['/quick 200 sent']);
    expect(platform.log.lines.map(({ message, details }) => [message, details])).toEqual([
      [
        'An observer failed.',
        { err: expect.objectContaining({ message: 'log full' }) as unknown, name: 'completed' },
      ],
      [
        'An observer failed.',
        { err: expect.objectContaining({ message: 'no collector' }) as unknown, name: 'completed' },
      ],
    ]);
  });

  it('are notified of failed requests', async () => {
    await platform.request('/none');
    await soon();
    expect(notifications).toEqual(['/none 404 sent']);
  });

  it('are notified of a client that disconnected', async () => {
    const client = await RawConnection.open(platform.origin);
    client.write('GET /never HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await soon();
    client.destroy();
    await soon();
    expect(notifications).toEqual(['/never 200 left']);
  });
});

describe('Observers of failed requests', () => {
  it('are notified of errors, and do not affect the response', async () => {
    const notifications: unknown[] = [];
    const platform = await startFramework(
      {
        'GET /broken': () => {
          throw new Error('out of order');
        },
        'GET /quick': () => new JsonModel({}),
      },
      ({ application: { observers } }) => {
        observers.observe('failed', () => {
          throw new Error('no tracker');
        });
        observers.observe('failed', () => Promise.reject(new Error('no network')));
        observers.observe('failed', ({ event, problem, error }) => {
          notifications.push([event.request.path, problem.status, String(error)]);
        });
      },
    );
    const statuses = [];
    for (const path of ['/broken', '/quick', '/none']) statuses.push((await platform.request(path)).status);
    await platform.stop();
    expect(statuses).toEqual([500, 200, 404]);
    expect(notifications).toEqual([['/broken', 500, 'Error: out of order']]);
    expect(platform.log.lines.map(({ message }) => message)).toEqual([
      'The request failed.',
      'An observer failed.',
      'An observer failed.',
    ]);
  });

  it('are notified of a stream that fails after its response has begun', async () => {
    const notifications: unknown[] = [];
    const platform = await startFramework(
      {
        'GET /stream': () =>
          new Response(
            200,
            Readable.from(
              (async function* () {
                yield 'first';
                await soon();
                throw new Error('torn');
              })(),
            ),
          ),
      },
      ({ application: { observers } }) => {
        observers.observe('failed', ({ event, problem, error }) => {
          notifications.push([event.request.path, problem.status, String(error)]);
        });
      },
    );
    await expect((await platform.request('/stream')).text()).rejects.toThrow();
    await soon();
    await platform.stop();
    expect(notifications).toEqual([['/stream', 500, 'Error: torn']]);
    expect(platform.log.lines.map(({ message }) => message)).toEqual(['The stream of a response failed.']);
  });
});
