import pino from 'pino';
import { defineApi, defineProcedure, defineRestService, defineRpcService, Type } from '../src/platform';
import { headerLines } from '../src/framework/http/fields';
import { startPlatform } from '../src/start';
import { makeProject, startTestPlatform, type TestPlatform } from './factories/platform';
import { sendRaw } from './factories/http/raw-http';
import { startRefusal } from './factories/processes/start-refusal';

const Note = defineRestService({
  route: '/notes[/:note_id]',
  route_identifier_name: 'note_id',
  fields: Type.Object({ note_id: Type.String() }),
  collection: { POST: {} },
  entity: { DELETE: {} },
  resource: {
    create: () => ({ note_id: '1' }),
    delete: (id) => (id === 'none' ? false : undefined),
  },
});

const Failing = defineRpcService({
  route: '/failing',
  methods: {
    GET: defineProcedure({
      handler: () => {
        const error = new Error('cannot be marked');
        Object.freeze(error);
        throw error;
      },
    }),
  },
});

const notes = {
  name: 'notes',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Notes', versions: { 1: { services: { Note, Failing } } } })],
};
const MODULES = ['content-negotiation', 'content-validation', 'mvc-auth', 'hosting', 'documentation'];

describe('bugs found by new users', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ modules: MODULES, extra: [notes] });
  });
  afterAll(() => platform.stop());

  it('an entity is deleted when the resource returns nothing, and was missing when it returns false', async () => {
    expect((await platform.request('/notes/1', { method: 'DELETE' })).status).toBe(204);
    expect((await platform.request('/notes/none', { method: 'DELETE' })).status).toBe(404);
  });

  it('a compressed body is rejected with its own message', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const answer = await platform.request('/notes', { method: 'POST', headers, body: '{"note_id":"1"}' });
    expect(answer.status).toBe(415);
    expect(answer.headers.get('accept-encoding')).toBe('identity');
    expect(await answer.json()).toMatchObject({ supported: ['identity'] });
  });

  it('an empty list of content codings names none', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': '' };
    const answer = await platform.request('/notes', { method: 'POST', headers, body: '{"note_id":"1"}' });
    expect(answer.status).toBe(201);
  });

  it('a missing body is reported as missing', async () => {
    const answer = await platform.request('/notes', { method: 'POST' });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ errors: [{ pointer: '', message: 'a body is required' }] });
  });

  it('two Host headers are rejected', async () => {
    const answer = await sendRaw(platform.origin, 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n');
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('more than one Host field');
  });

  it('a rejected request with an unreadable body gets one response', async () => {
    const answer = await sendRaw(
      platform.origin,
      'POST /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n',
    );
    expect(answer.text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it('an error that cannot be logged does not end the service', async () => {
    const root = makeProject({ modules: MODULES });
    const log = pino({ level: 'error' }, { write: () => undefined });
    const running = await startPlatform({
      root,
      log,
      modules: [notes],
      environment: { PORT: '0', OPERATIONS_LISTEN: 'off' },
    });
    try {
      expect((await fetch(`${running.origin}/failing`)).status).toBe(500);
      expect((await fetch(`${running.origin}/failing`)).status).toBe(500);
    } finally {
      await running.stop();
    }
  });

  it('a service with a misspelt key does not start', async () => {
    const misspelt = { ...Note, colection: {} };
    const apis = [defineApi({ name: 'Notes', versions: { 1: { services: { Note: misspelt } } } })];
    expect(await startRefusal({ modules: MODULES, extra: [{ ...notes, apis }] })).toContain(
      'has an unknown key "colection". Did you mean "collection"?',
    );
  });

  it('a module that fails to start is named in the message', async () => {
    const broken = {
      name: 'broken',
      onBootstrap: () => {
        throw new Error('no luck');
      },
    };
    expect(await startRefusal({ modules: MODULES, extra: [broken] })).toMatch(
      /^The module "broken" failed to start: .*regressions\.spec\.ts:\d+:\d+: Error: no luck\n {4}at /,
    );
  });

  it('a module that throws undefined is named, too', async () => {
    const broken = {
      name: 'broken',
      onBootstrap: () => {
        throw undefined as unknown as Error;
      },
    };
    expect(await startRefusal({ modules: MODULES, extra: [broken] })).toBe(
      'The module "broken" failed to start: undefined was thrown instead of an error.',
    );
  });

  it('the lines of a header are found in any letter case', () => {
    expect(headerLines(['Host', 'a', 'X-A', '1', 'HOST', 'b'], 'host')).toEqual(['a', 'b']);
  });
});
