import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { InjectedRequest } from '../../../../src/framework';
import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Response as Answer,
  startPlatform,
  Type,
  type Module,
  type RunningPlatform,
} from '../../../../src/platform';
import { makeProject, MemoryLog } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';

let put = 0;

const Note = defineRestService({
  route: '/notes[/:note_id]',
  route_identifier_name: 'note_id',
  fields: Type.Object({ note_id: Type.String(), text: Type.String() }),
  input: Type.Object({ text: Type.String({ minLength: 1 }) }),
  collection: { POST: {} },
  entity: { GET: {}, DELETE: {} },
  resource: {
    fetch: (id) => ({ note_id: id, text: 'x'.repeat(500_000) }),
    create: ({ text }) => ({ note_id: 'new', text }),
    delete: () => undefined,
  },
});

const Ticks = defineRpcService({
  route: '/ticks',
  methods: {
    GET: defineProcedure({
      stream: ['application/x-ndjson'],
      handler: async function* ({ signal }) {
        try {
          yield 1;
          await pause(60_000, undefined, { signal });
        } finally {
          put++;
        }
      },
    }),
  },
});

/** Answers with the fields of the request. */
const Fields = defineRpcService({
  route: '/fields',
  methods: {
    GET: {
      handler: ({ event: { request } }) =>
        new Answer(
          200,
          JSON.stringify(
            Object.fromEntries(
              ['x-tag', 'content-length', 'content-type', 'host', 'x-request-id'].map((name) => [
                name,
                request.header(name),
              ]),
            ),
          ),
        ),
    },
  },
});

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [defineApi({ name: 'House', versions: { 1: { services: { Fields, Note, Ticks } } } })],
};

let root: string;
let platform: RunningPlatform;
beforeAll(async () => {
  root = makeProject({ modules: HOSTING });
  platform = await startPlatform({
    root,
    modules: [house],
    environment: {},
    log: new MemoryLog(),
    listen: false,
  });
});
afterAll(async () => {
  await platform.stop();
  rmSync(root, { recursive: true, force: true });
});

describe('A platform that does not listen', () => {
  it('handles injected requests', async () => {
    const answer = await platform.inject({ method: 'POST', path: '/notes', json: { text: 'é' } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/notes/new');
    expect(await answer.json()).toEqual({ note_id: 'new', text: 'é' });
  });

  it('has no port', () => {
    expect(new URL(platform.origin).port).toBe('0');
  });

  it('passes fields and bodies unchanged', async () => {
    const headers = { 'content-type': 'text/plain', 'X-Request-Id': 'mine' };
    const answer = await platform.inject({ method: 'POST', path: '/notes', headers, body: '{"text":"a"}' });
    expect(answer.status).toBe(415);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({ request_id: 'mine' });
  });

  it.each([
    ['an object', { 'X-Request-Id': 'mine', 'X-Tag': ['a', 'b'] }],
    [
      'a Headers',
      new Headers([
        ['X-Request-Id', 'mine'],
        ['X-Tag', 'a, b'],
      ]),
    ],
    [
      'a Map',
      new Map<string, string | string[]>([
        ['x-request-id', 'mine'],
        ['x-tag', ['a', 'b']],
      ]),
    ],
    [
      'a list of pairs',
      [
        ['X-Request-Id', 'mine'],
        ['X-Tag', 'a'],
        ['x-tag', 'b'],
      ] as const,
    ],
  ])('accepts header fields in the forms of fetch: %s', async (_, headers) => {
    const answer = await platform.inject({ path: '/fields', headers });
    expect(await answer.json()).toMatchObject({
      'x-request-id': 'mine',
      'x-tag': 'a, b',
      host: 'localhost',
    });
  });

  it('adds Content-Type and Content-Length by default', async () => {
    const fieldsOf = async (request: Partial<InjectedRequest>): Promise<unknown> =>
      (await platform.inject({ path: '/fields', ...request })).json();
    expect(await fieldsOf({ json: 'é' })).toMatchObject({
      'content-type': 'application/json',
      'content-length': '4',
    });
    const headers = new Headers({ 'Content-Type': 'application/merge-patch+json' });
    expect(await fieldsOf({ json: {}, headers })).toMatchObject({
      'content-type': 'application/merge-patch+json',
    });
    const body = new TextEncoder().encode('é');
    expect(await fieldsOf({ body })).toMatchObject({ 'content-length': '2' });
    expect(await fieldsOf({ body, headers: { 'transfer-encoding': 'chunked' } })).not.toHaveProperty(
      'content-length',
    );
  });

  it.each<[unknown, string]>([
    ['/notes', 'inject(): the string "/notes" was passed. Pass an object with options: method, path,'],
    [undefined, 'inject(): undefined was passed.'],
    [
      { path: '/notes', header: {} },
      'inject(): unknown option "header". Did you mean "headers"? Supported: method, path, headers, body, json, signal.',
    ],
    [{ url: '/notes' }, 'inject(): unknown option "url".'],
    [{ method: 'GET' }, 'inject(): path is undefined. Pass a path such as "/notes?page=2".'],
    [{ path: '' }, 'inject(): path is the string "".'],
    [{ path: 'notes' }, 'inject(): path is the string "notes". Pass a path such as "/notes?page=2".'],
    [
      { path: '/notes', json: {}, body: '{}' },
      'inject(): "json" and "body" are mutually exclusive. Pass one of them.',
    ],
    [{ path: '/notes', body: { text: 'a' } }, 'inject(): body is an object. Pass a string or a Uint8Array'],
    [
      { path: '/notes', json: () => 1 },
      'inject(): json is a function json, which cannot be serialized as JSON.',
    ],
    [
      { path: '/notes', headers: 'Accept: text/html' },
      'inject(): headers is the string "Accept: text/html".',
    ],
    [{ path: '/notes', headers: null }, 'inject(): headers is null. Pass an object, a Headers, a Map,'],
    [{ path: '/notes', headers: ['Accept'] }, 'inject(): headers[0] is the string "Accept". Pass a pair'],
    [{ path: '/notes', headers: [['a', 'b', 'c']] }, 'inject(): headers[0] is an array. Pass a pair'],
    [{ path: '/notes', headers: { Accept: undefined } }, 'inject(): the field Accept is undefined.'],
    [
      { path: '/notes', headers: new Map([['X', [1]]]) },
      'inject(): the field X is 1. Pass a string or a list',
    ],
  ])('rejects the options %j with an explanation', async (request, message) => {
    await expect(platform.inject(request as InjectedRequest)).rejects.toThrow(message);
  });

  it('rejects invalid requests as over a socket', async () => {
    expect((await platform.inject({ path: '/notes/1', headers: { Host: ['a', 'b'] } })).status).toBe(400);
    expect((await platform.inject({ path: '/v7/notes/1' })).status).toBe(404);
    expect((await platform.inject({ method: 'POST', path: '/notes', json: { text: '' } })).status).toBe(422);
  });

  it('returns large bodies whole, and null without a body', async () => {
    const whole = (await (await platform.inject({ path: '/notes/1' })).json()) as { text: string };
    expect(whole.text).toHaveLength(500_000);
    expect((await platform.inject({ method: 'HEAD', path: '/notes/1' })).body).toBeNull();
    expect((await platform.inject({ method: 'DELETE', path: '/notes/1' })).status).toBe(204);
  });

  it('streams responses, and notices a disconnect', async () => {
    const answer = await platform.inject({ path: '/ticks' });
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from((first?.value as Uint8Array | undefined) ?? []).toString()).toBe('1\n');
    await reader?.cancel();
    for (let waited = 0; put === 0 && waited < 1500; waited++) await pause(10);
    expect(put).toBe(1);
  });

  it('notices an aborted signal', async () => {
    const leaving = new AbortController();
    const before = put;
    const answer = await platform.inject({ path: '/ticks', signal: leaving.signal });
    const text = answer.text();
    leaving.abort();
    await expect(text).rejects.toThrow();
    for (let waited = 0; put === before && waited < 1500; waited++) await pause(10);
    expect(put).toBe(before + 1);
  });
});

it('stops despite an injected stream that never ends', async () => {
  const folder = makeProject({ modules: HOSTING, local: { server: { shutdown_timeout: 1 } } });
  const own = await startPlatform({
    root: folder,
    modules: [house],
    environment: {},
    log: new MemoryLog(),
    listen: false,
  });
  const before = put;
  const answer = await own.inject({ path: '/ticks' });
  const text = answer.text();
  const left = expect(text).rejects.toThrow();
  await own.stop();
  await left;
  expect(put).toBe(before + 1);
  rmSync(folder, { recursive: true });
});
