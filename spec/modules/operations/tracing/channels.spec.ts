import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { MvcEvent } from '../../../../src/framework';
import type { StatementMessage } from '../../../../src/modules/database';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { authentication, CLUB_ADAPTERS, CLUB_FILES } from '../../../fixtures/club-module';
import { DeskModule } from '../../../fixtures/desk-module';

/** Collects the messages of a channel until the end of a test. */
function messagesOf<Message>(name: string): Message[] {
  const messages: Message[] = [];
  const collect = (message: unknown): void => void messages.push(message as Message);
  subscribe(name, collect);
  ended.push(() => void unsubscribe(name, collect));
  return messages;
}
const ended: (() => void)[] = [];

describe('diagnostics channels', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      extra: [new DeskModule()],
      files: CLUB_FILES,
      local: {
        'platform-hosting': { context_storage: true },
        ...authentication({ people: CLUB_ADAPTERS.basic }, { 'Desk/Diary': 'people' }),
      },
    });
  });
  afterAll(() => platform.stop());
  afterEach(() => {
    for (const end of ended.splice(0)) end();
  });

  const get = async (path: string, headers: Record<string, string> = {}): Promise<number> => {
    const response = await platform.request(path, { headers });
    await response.arrayBuffer();
    return response.status;
  };

  it('publish the start and the end of every request', async () => {
    const starts = messagesOf<{ event: MvcEvent }>('apidesc:request:start');
    const ends = messagesOf<{ event: MvcEvent; duration: number }>('apidesc:request:end');
    expect(await get('/desk/notes')).toBe(200);
    expect(await get('/nowhere')).toBe(404);
    // The connection closes after the client has received the response.
    while (ends.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(starts.map(({ event }) => event.request.path)).toEqual(['/desk/notes', '/nowhere']);
    expect(ends.map(({ event }) => [event.request.path, event.outgoing.statusCode])).toEqual([
      ['/desk/notes', 200],
      ['/nowhere', 404],
    ]);
    expect(ends[0]?.event).toBe(starts[0]?.event);
    expect(ends[0]?.duration).toBeGreaterThan(0);
  });

  it('publish authentication with its result', async () => {
    const messages = messagesOf<{ event: MvcEvent; error: unknown; duration: number }>(
      'apidesc:authentication',
    );
    expect(await get('/desk/diary', { Authorization: basic('ada', 'password') })).toBe(200);
    expect(await get('/desk/diary', { Authorization: basic('ada', 'wrong') })).toBe(401);
    expect(await get('/desk/notes')).toBe(200);
    expect(messages.map(({ event, error }) => [event.identity?.name ?? null, error === undefined])).toEqual([
      ['ada', true],
      [null, false],
    ]);
    expect(messages[0]?.duration).toBeGreaterThan(0);
  });

  it('publish statements without parameters, with their request', async () => {
    const messages = messagesOf<StatementMessage>('apidesc:database:statement');
    expect(await get('/v1/atlas/countries?region=Europe')).toBe(200);
    expect(messages.length).toBeGreaterThan(0);
    for (const { adapter, dialect, text, rows, error, event, duration } of messages) {
      expect([adapter, dialect, error]).toEqual(['atlas', 'sqlite', undefined]);
      expect(text).not.toContain('Europe');
      expect(rows).toBeGreaterThan(0);
      expect(duration).toBeGreaterThan(0);
      expect(event?.request.path).toBe('/v1/atlas/countries');
    }
    const { length } = messages;
    for (const end of ended.splice(0)) end();
    expect(await get('/v1/atlas/countries?region=Europe')).toBe(200);
    expect(messages).toHaveLength(length);
  });
});
