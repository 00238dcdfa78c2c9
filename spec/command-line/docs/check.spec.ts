import type { TObject } from '@sinclair/typebox';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { registerDocs } from '../../../src/command-line/docs/command';
import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  fileField,
  Problem,
  Type,
  type Module,
} from '../../../src/platform';
import type { ProcedureDefinition } from '../../../src/modules/hosting';
import { SqliteAdapter } from '../../../src/modules/database/adapters/sqlite/sqlite-adapter';
import { runWords } from '../../factories/processes/command';
import { HOSTING } from '../../factories/processes/start-refusal';
import { makeProject, sampleAuthentication, startTestPlatform } from '../../factories/platform';

async function check(words: readonly string[]) {
  const line = ['docs', 'check', ...words];
  const { code, out: output, err: errors } = await runWords([registerDocs], line);
  return { code, output, errors };
}

const about = (route: string, procedure: ProcedureDefinition) =>
  defineRpcService({ route, methods: { GET: procedure } });

const calls: string[] = [];

/** An API that deviates from its documentation in each possible way. */
const drifting: Module = {
  name: 'drifting',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Drift',
      versions: {
        1: {
          services: {
            Right: about('/right', {
              response: Type.Object({ tea: Type.String() }),
              handler: () => ({ tea: 'green' }),
            }),
            Schema: about('/schema', {
              response: Type.Object({ tea: Type.String() }),
              handler: () => ({ tea: 1 }),
            }),
            Status: about('/status', {
              handler: () => {
                throw new Problem(418, 'Short and stout.');
              },
            }),
            Refusal: about('/refusal/:kind', {
              status_codes: [{ code: 404, message: 'Not Found' }],
              handler: () => {
                throw new Problem(404, 'No such kind.');
              },
            }),
            Pending: about('/pending', {
              status_codes: [{ code: 501, message: 'Not yet' }],
              handler: 'not-implemented',
            }),
            Unknown: about('/unknown/:kind', { handler: () => null }),
            Write: defineRpcService({
              route: '/write',
              methods: {
                POST: defineProcedure({
                  fields: Type.Object({ tea: Type.String({ examples: ['black'] }) }),
                  response: Type.Object({ tea: Type.String() }),
                  handler: ({ body }) => {
                    calls.push('POST');
                    return body;
                  },
                }),
              },
            }),
          },
        },
      },
    }),
  ],
};

describe('apidesc-platform docs check', () => {
  it('confirms that the sample matches its documentation', async () => {
    const root = makeProject({ local: sampleAuthentication });
    const { code, output, errors } = await check(['--root', root]);
    rmSync(root, { recursive: true });
    expect(errors).toBe('');
    expect(output).toMatch(/^\d+ operations called, no difference\.$/m);
    expect(Number(/(\d+) operations called/.exec(output)?.[1])).toBeGreaterThan(6);
    // Also where guests should be rejected: this is not tested with requests that would change something.
    expect(output).toMatch(/^DELETE .*: not called, it may change data \(use --write to call it\)$/m);
    expect(code).toBe(0);
  });

  it('calls the service that it was given, not its public URL', async () => {
    const server = { public_url: 'https://api.invalid', base_url: '/gateway' };
    const root = makeProject({ local: { ...sampleAuthentication, server } });
    const { code, errors } = await check(['--root', root]);
    rmSync(root, { recursive: true });
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
  });

  describe('with a running service', () => {
    it('lists deviations, and what it could not call', async () => {
      const platform = await startTestPlatform({
        extra: [drifting],
        modules: [
          'content-negotiation',
          'content-validation',
          'mvc-auth',
          'hosting',
          'documentation',
          'documentation-apidesc',
        ],
        local: {
          server: { base_url: '/api' },
          'platform-hosting': {
            apis: {
              Drift: {
                versions: {
                  1: {
                    services: { Refusal: { parameters: { kind: { type: 'string', examples: ['a b'] } } } },
                  },
                },
              },
            },
          },
        },
      });
      const { code, output, errors } = await check(['--origin', `${platform.origin}/api`]);
      expect(errors.trim().split('\n')).toEqual([
        'GET /v1/schema returned a response that does not match its schema: /tea must be string.',
        'GET /v1/status responds 418, which is not documented.',
        'GET /v1/refusal/{kind} rejects its own examples with 404: No such kind.',
      ]);
      expect(output.trim().split('\n')).toEqual([
        'GET /v1/unknown/{kind}: not called, an example of the parameter "kind" is missing',
        'POST /v1/write: not called, it may change data (use --write to call it)',
        '5 operations called, 3 differences.',
      ]);
      expect(code).toBe(1);
      expect(calls).toEqual([]);
      expect((await check(['--origin', `${platform.origin}/api/`, '--write'])).output).toContain(
        '6 operations called',
      );
      expect(calls).toEqual(['POST']);
      await platform.stop();
    });

    it('sends forms as forms, and calls no operation that needs a file', async () => {
      const received: unknown[] = [];
      const form = (route: string, type: string, fields: TObject) =>
        defineRpcService({
          route,
          content_type: [type],
          methods: { POST: defineProcedure({ fields, handler: ({ body }) => void received.push(body) }) },
        });
      const texts = {
        title: Type.String({ examples: ['A & B'] }),
        tags: Type.Array(Type.String(), { examples: [['one', 'two']] }),
        stars: Type.Union([Type.Integer(), Type.Null()], { examples: [5] }),
      };
      const [encoded, multipart] = ['application/x-www-form-urlencoded', 'multipart/form-data'];
      const services = {
        Note: form('/notes', encoded, Type.Object(texts)),
        Album: form('/albums', multipart, Type.Object({ ...texts, cover: Type.Optional(fileField()) })),
        Sheet: form('/sheets', multipart, Type.Object({ ...texts, sheet: fileField() })),
        Sheets: form('/lists', multipart, Type.Object({ ...texts, sheets: Type.Array(fileField()) })),
      };
      const forms: Module = {
        name: 'forms',
        requires: ['hosting'],
        apis: [defineApi({ name: 'Forms', versions: { 1: { services } } })],
      };
      const platform = await startTestPlatform({
        extra: [forms],
        modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
      });
      const { code, output, errors } = await check(['--origin', platform.origin, '--write']);
      await platform.stop();
      expect(errors).toBe('');
      expect(output.trim().split('\n')).toEqual([
        'POST /v1/sheets: not called, a file is missing',
        'POST /v1/lists: not called, a file is missing',
        '2 operations called, no difference.',
      ]);
      expect(code).toBe(0);
      const example = { title: 'A & B', tags: ['one', 'two'], stars: 5 };
      expect(received).toEqual([example, example]);
    });

    it('sends lists in queries, and objects and null in forms, as the service reads them', async () => {
      const received: unknown[] = [];
      const example = { place: { name: 'A; "B"' }, stops: [{ nights: 1 }], none: null };
      const fields = Type.Object({
        place: Type.Object({ name: Type.String() }, { examples: [example.place] }),
        stops: Type.Array(Type.Object({ nights: Type.Integer() }), { examples: [example.stops] }),
        none: Type.Union([Type.Integer(), Type.Null()], { examples: [null] }),
      });
      const query = Type.Object({
        ids: Type.Array(Type.Integer(), { examples: [[1, 2]] }),
        limit: Type.Union([Type.Integer(), Type.Null()], { examples: [null] }),
      });
      const services = {
        Trip: defineRpcService({
          route: '/trips',
          content_type: ['multipart/form-data'],
          methods: { POST: defineProcedure({ fields, handler: ({ body }) => void received.push(body) }) },
        }),
        Search: about('/search', { query, handler: (context) => void received.push(context.query) }),
      };
      const values: Module = {
        name: 'values',
        requires: ['hosting'],
        apis: [defineApi({ name: 'Values', versions: { 1: { services } } })],
      };
      const platform = await startTestPlatform({
        extra: [values],
        modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
      });
      const { output, errors } = await check(['--origin', platform.origin, '--write']);
      await platform.stop();
      expect({ errors, output }).toEqual({ errors: '', output: '2 operations called, no difference.\n' });
      expect(received).toEqual(expect.arrayContaining([example, { ids: [1, 2], limit: null }]));
    });

    it('accepts 404 for the example of a field, and sends it as an identifier of its own entities only', async () => {
      const called: string[] = [];
      const cities = (route: string, parameters = {}) =>
        defineRestService({
          route,
          route_identifier_name: 'city_id',
          entity_identifier_name: 'name',
          parameters,
          fields: Type.Object({ name: Type.String({ examples: ['Bern'] }) }),
          entity: { GET: {} },
          resource: { fetch: (id) => void called.push(id) },
        });
      const services = {
        City: cities('/cities[/:city_id]'),
        Declared: cities('/declared[/:city_id]', { city_id: Type.String({ examples: ['Basel'] }) }),
        Nested: cities('/countries/:name/cities[/:city_id]'),
      };
      const places: Module = {
        name: 'places',
        requires: ['hosting'],
        apis: [defineApi({ name: 'Places', versions: { 1: { services } } })],
      };
      const platform = await startTestPlatform({
        extra: [places],
        modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
      });
      const { output, errors } = await check(['--origin', platform.origin]);
      await platform.stop();
      expect(errors).toMatch(/^GET \/v1\/declared\/\{city_id\} rejects its own examples with 404: .*\n$/);
      expect(output.trim().split('\n')).toEqual([
        'GET /v1/countries/{name}/cities/{city_id}: not called, an example of the parameter "name" is missing',
        '2 operations called, 1 difference.',
      ]);
      expect(called).toEqual(['Bern', 'Basel']);
    });

    it('calls no operation that requires an entity tag', async () => {
      const called: string[] = [];
      const fields = Type.Object({
        id: Type.String({ examples: ['a'] }),
        text: Type.String({ examples: ['b'] }),
      });
      const note = { id: 'a', text: 'b' };
      const Note = defineRestService({
        route: '/notes[/:id]',
        route_identifier_name: 'id',
        parameters: { id: Type.String({ examples: ['a'] }) },
        fields,
        entity: {
          GET: {},
          PUT: { precondition: 'required' },
          PATCH: { precondition: 'required' },
          DELETE: { precondition: 'required' },
        },
        resource: {
          revision: () => '1',
          fetch: () => note,
          update: () => (called.push('PUT'), note),
          patch: () => (called.push('PATCH'), note),
          delete: () => (called.push('DELETE'), true),
        },
      });
      const notes: Module = {
        name: 'notes',
        requires: ['hosting'],
        apis: [defineApi({ name: 'Notes', versions: { 1: { services: { Note } } } })],
      };
      const platform = await startTestPlatform({
        extra: [notes],
        modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
      });
      const { code, output, errors } = await check(['--origin', platform.origin, '--write']);
      await platform.stop();
      expect(errors).toBe('');
      expect(output.trim().split('\n')).toEqual([
        ...['PUT', 'PATCH', 'DELETE'].map(
          (method) => `${method} /v1/notes/{id}: not called, an example of the header If-Match is missing`,
        ),
        '1 operation called, no difference.',
      ]);
      expect({ code, called }).toEqual({ code: 0, called: [] });
    });

    it('calls no operation of a database whose example selects nothing of the project', async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'check-'));
      const file = path.join(folder, 'notes.sqlite');
      const database = new SqliteAdapter({ file });
      await database.runScripts(['CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)']);
      await database.close();
      const Note = {
        kind: 'table',
        adapter_name: 'db',
        table_name: 'notes',
        route: '/notes[/:id]',
        route_identifier_name: 'id',
        columns: { id: {}, text: { schema: { examples: ['Milk'] } } },
        filters: { text: ['starts'] },
        collection: { GET: {}, POST: {}, DELETE: {} },
      };
      const platform = await startTestPlatform({
        modules: [...HOSTING, 'documentation', 'documentation-apidesc', 'database'],
        local: {
          'platform-db': { adapters: { db: { adapter: 'SqliteAdapter', options: { file } } } },
          'platform-hosting': { apis: { Notes: { versions: { 1: { services: { Note } } } } } },
        },
      });
      const { code, output, errors } = await check(['--origin', platform.origin, '--write']);
      await platform.stop();
      rmSync(folder, { recursive: true });
      expect(errors).toBe('');
      expect(output.trim().split('\n')).toEqual([
        'POST /platform/v1/batch: not called, an example with services of the project is missing',
        'DELETE /v1/notes: not called, an example of a filter is missing',
        '3 operations called, no difference.',
      ]);
      expect(code).toBe(0);
    });

    it.each([
      ['junk', '"junk" is not the URL of a service. Pass an http or https URL'],
      ['', '"" is not the URL of a service'],
      ['localhost:8080', '"localhost:8080" is not the URL of a service'],
      ['ftp://127.0.0.1:9', '"ftp://127.0.0.1:9" is not the URL of a service'],
      ['http://127.0.0.1:9/?a=1#x', '"http://127.0.0.1:9/?a=1#x" contains a query'],
      ['http://127.0.0.1:9/?', 'Remove everything from "?"'],
      ['http://127.0.0.1:9/api#x', 'contains a fragment, so paths cannot be appended'],
      ['http://ada:secret@127.0.0.1:9', 'the check runs as a guest. Remove the part before the "@"'],
      ['http://ada@127.0.0.1:9/?a=1', 'contains credentials'],
    ])('does not accept the URL %j', async (origin, message) => {
      const { code, output, errors } = await check(['--origin', origin]);
      expect(errors).toContain(message);
      expect(errors).toMatch(/^--origin /);
      expect(errors).not.toContain('secret');
      expect(output).toBe('');
      expect(code).toBe(1);
    });

    const ours = { name: 'A', versions: [1] };
    const described = { openapi: '3.1.0', paths: { '/v1/tea': { post: { responses: {} } } } };
    it.each([
      ['that returns a page for everything', ['<!doctype html>Hello'], 'the string "<!doctype html>Hello"'],
      ['whose list contains no APIs', ['{"a":1}'], 'an object, not with a list of APIs'],
      ['whose list has other entries', ['[{"name":"A"}]'], 'an array, not with a list of APIs'],
      [
        'whose documents are invalid',
        [JSON.stringify([ours]), '{}'],
        'a body that is not an OpenAPI document',
      ],
      [
        'without an API',
        ['[]'],
        'documents no operation that guests may read, so there is nothing to check.',
      ],
      ['whose APIs have no operation', [JSON.stringify([ours]), '{"openapi":"3.1.0"}'], 'no operation that'],
      [
        'without a callable operation',
        [JSON.stringify([ours]), JSON.stringify(described)],
        'No operation was called, so nothing was verified.',
      ],
    ])('does not confirm a service %s', async (_, [list = '', document = ''], message) => {
      const server = createServer((request, response) =>
        response.end(request.url === '/platform/documentation' ? list : document),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const { code, output, errors } = await check(['--origin', `http://127.0.0.1:${port}`]);
      server.close();
      expect(errors).toContain(message);
      expect(output).not.toContain('no difference');
      expect(code).toBe(1);
    });

    it('reports what the documentation URL returns instead', async () => {
      const server = createServer((_, response) => response.writeHead(404).end('gone'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const { code, errors } = await check(['--origin', `http://127.0.0.1:${port}`]);
      server.close();
      expect(errors).toContain(
        '/platform/documentation responds 404: the check reads the documentation as a guest',
      );
      expect(errors).toContain('origin and base path');
      expect(code).toBe(1);
    });

    it.each([
      [
        'without OpenAPI',
        [],
        {},
        406,
        'Add "documentation-apidesc" to "modules" in its config/application.json.',
      ],
      [
        'whose documentation requires a user',
        ['documentation-apidesc'],
        { 'platform-mvc-auth': { authorization: { '@documentation': 'authenticated' } } },
        403,
        'Let guests read it: see the rule "@documentation" in platform-mvc-auth.authorization.',
      ],
    ])('says what to change in a service %s', async (_, modules, local, status, advice) => {
      const platform = await startTestPlatform({
        modules: [...HOSTING, 'documentation', ...modules],
        extra: [drifting],
        local,
      });
      const { code, errors } = await check(['--origin', platform.origin]);
      await platform.stop();
      expect(errors).toContain(` responds ${status}: the check reads the documentation as a guest`);
      expect(errors).toContain(advice);
      expect(code).toBe(1);
    });

    it('lists operations whose response never ends, or breaks off', async () => {
      const operation = { get: { responses: { 200: { content: { 'application/json': {} } } } } };
      const paths = {
        '/silent': operation,
        '/endless': operation,
        '/broken': operation,
        '/closed': operation,
      };
      const texts: Record<string, string> = {
        '/platform/documentation': JSON.stringify([ours]),
        '/platform/documentation/A-v1': JSON.stringify({ openapi: '3.1.0', paths }),
      };
      const server = createServer(({ url = '' }, response) => {
        const text = texts[url];
        response.setHeader('content-type', 'application/json');
        if (text !== undefined) response.end(text);
        else if (url === '/closed') response.destroy();
        else if (url !== '/silent') response.write('[1,');
        if (url === '/broken') setTimeout(() => response.destroy(), 100);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const words = ['--origin', `http://127.0.0.1:${port}`, '--timeout'];
      const { code, output, errors } = await check([...words, '1.005']);
      expect(errors.trim().split('\n')).toEqual([
        'GET /silent has not completed its response within 1.005 s.',
        'GET /endless has not completed its response within 1.005 s.',
        'GET /broken breaks off its response.',
        'GET /closed closes the connection without a response.',
      ]);
      expect(output).toBe('4 operations called, 4 differences.\n');
      expect(code).toBe(1);
      expect((await check([...words, 'soon'])).errors).toBe(
        '--timeout "soon" must be a number of seconds up to 300.\n',
      );
      server.closeAllConnections();
      server.close();
    });

    it('reports a failed connection', async () => {
      const { code, errors } = await check(['--origin', 'http://127.0.0.1:9']);
      expect(errors).toMatch(
        /^http:\/\/127\.0\.0\.1:9\/platform\/documentation is unreachable\. Start the service/,
      );
      expect(code).toBe(1);
    });
  });
});
