import { ContainerModule } from 'inversify';
import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Problem,
  Type,
  type ApiDefinition,
  type Module,
  type OperationHooks,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

const calls: string[] = [];
const logging = (name: string): OperationHooks => ({
  before: ({ operation }) => void calls.push(`${name} before ${operation.part} ${operation.method}`),
  after: () => void calls.push(`${name} after`),
  onError: (error) => void calls.push(`${name} onError ${error instanceof Error ? error.message : ''}`),
});

const Word = Type.Object({ word: Type.String() });
const mode = Type.Object({ mode: Type.Optional(Type.String()) });

const Echo = defineRpcService({
  route: '/echo',
  hooks: logging('service'),
  methods: {
    GET: {
      query: mode,
      response: Word,
      hooks: {
        before: ({ query }) => {
          calls.push('operation before');
          if (query.mode === 'early') return { word: 'early', secret: 'not sent' };
          if (query.mode === 'refused') throw new Problem(403, 'Not now.');
          return undefined;
        },
        after: (result, { query, log }) => {
          calls.push('operation after');
          log.info({}, 'after');
          return query.mode === 'changed' ? { ...(result as object), word: 'changed' } : undefined;
        },
        onError: (error, { query }) => {
          calls.push('operation onError');
          if (query.mode === 'replaced') throw new Problem(409, 'Instead.');
          if (query.mode === 'exchanged') return new Problem(409, 'Exchanged.');
          return query.mode === 'recovered'
            ? { word: `recovered from ${(error as Error).message}` }
            : undefined;
        },
      },
      handler: ({ query }) => {
        calls.push('handler');
        if (['failed', 'recovered', 'replaced', 'exchanged'].includes(query.mode ?? ''))
          throw new Problem(418, 'Short and stout.');
        if (query.mode === 'returned') return new Problem(404, 'Gone.') as never;
        return { word: 'hello' };
      },
    },
  },
});

const Note = defineRestService({
  route: '/notes[/:id]',
  route_identifier_name: 'id',
  fields: Type.Object({ id: Type.String(), text: Type.String() }),
  input: Type.Object({ text: Type.String({ minLength: 1 }) }),
  hooks: 'note-hooks',
  collection: { POST: {}, GET: { stream: ['application/x-ndjson'] } },
  entity: { GET: {} },
  resource: {
    fetch: (id) => (id === '1' ? { id, text: 'first' } : undefined),
    fetchAll: async function* () {
      await Promise.resolve();
      yield { id: '1', text: 'first' };
      yield { id: '2', text: 'second' };
    },
    create: ({ text }) => ({ id: '2', text }),
  },
});

/** Bound in the container, with a state of its own. */
class NoteHooks implements OperationHooks {
  seen = 0;
  before(): void {
    this.seen += 1;
  }
  after(result: unknown): unknown {
    if (typeof result !== 'object' || result === null || !('text' in result)) return undefined;
    return { ...result, text: `${String(result.text)} (${this.seen})` };
  }
}

const api = defineApi({
  name: 'Hooked',
  hooks: logging('api'),
  versions: { 1: { services: { Echo, Note } } },
});
const module_: Module = {
  name: 'hooked',
  requires: ['hosting'],
  services: new ContainerModule(({ bind }) => void bind('note-hooks').toConstantValue(new NoteHooks())),
  apis: [api],
};

describe('hooks', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ modules: HOSTING, extra: [module_] });
  });
  afterAll(() => platform.stop());
  beforeEach(() => calls.splice(0));

  const echo = async (query = ''): Promise<readonly [status: number, body: unknown]> => {
    const response = await platform.request(`/echo${query}`);
    return [response.status, await bodyOf(response)];
  };

  it('run around the handler, from the API to the operation and back', async () => {
    expect(await echo()).toEqual([200, { word: 'hello' }]);
    expect(calls).toEqual([
      'api before rpc GET',
      'service before rpc GET',
      'operation before',
      'handler',
      'operation after',
      'service after',
      'api after',
    ]);
  });

  it('may respond instead of the handler; the result is filtered by the response schema', async () => {
    expect(await echo('?mode=early')).toEqual([200, { word: 'early' }]);
    expect(calls).not.toContain('handler');
  });

  it('may refuse a request', async () => {
    expect(await echo('?mode=refused')).toEqual([403, expect.objectContaining({ detail: 'Not now.' })]);
    expect(calls.slice(-3)).toEqual([
      'operation onError',
      'service onError Not now.',
      'api onError Not now.',
    ]);
  });

  it('treat a Problem that the handler returns as one that it throws', async () => {
    expect(await echo('?mode=returned')).toEqual([404, expect.objectContaining({ detail: 'Gone.' })]);
    expect(calls.slice(3)).toEqual([
      'handler',
      'operation onError',
      'service onError Gone.',
      'api onError Gone.',
    ]);
  });

  it('may change a result', async () => {
    expect(await echo('?mode=changed')).toEqual([200, { word: 'changed' }]);
  });

  it('see errors, may respond instead, or with another error', async () => {
    expect(await echo('?mode=failed')).toEqual([
      418,
      expect.objectContaining({ detail: 'Short and stout.' }),
    ]);
    expect(calls.at(-1)).toBe('api onError Short and stout.');
    calls.splice(0);
    expect(await echo('?mode=recovered')).toEqual([200, { word: 'recovered from Short and stout.' }]);
    expect(calls.at(-1)).toBe('operation onError');
    expect(await echo('?mode=replaced')).toEqual([409, expect.objectContaining({ detail: 'Instead.' })]);
    expect(calls.slice(-2)).toEqual(['service onError Instead.', 'api onError Instead.']);
    expect(await echo('?mode=exchanged')).toEqual([409, expect.objectContaining({ detail: 'Exchanged.' })]);
    expect(calls.slice(-2)).toEqual(['service onError Exchanged.', 'api onError Exchanged.']);
  });

  it('do not run for invalid requests', async () => {
    expect((await echo('?unknown=1'))[0]).toBe(400);
    expect((await platform.request('/notes', sendJson({ text: '' }))).status).toBe(422);
    expect(calls).toEqual([]);
  });

  it('are those of the container, with their own state, for resources too', async () => {
    expect(await bodyOf(await platform.request('/notes/1'))).toEqual({ id: '1', text: 'first (1)' });
    const created = await platform.request('/notes', sendJson({ text: 'new' }));
    expect([created.status, await bodyOf(created)]).toEqual([201, { id: '2', text: 'new (2)' }]);
    expect((await platform.request('/notes/9')).status).toBe(404);
    expect(calls.at(-1)).toMatch(/^api onError /);
    const lines = await (await platform.request('/notes')).text();
    expect(lines.trim().split('\n')).toHaveLength(2);
  });
});

describe('hooks of another form', () => {
  const refusalOf = (hooks: unknown): Promise<string> => {
    const services = {
      A: defineRpcService({ route: '/a', methods: { GET: defineProcedure({ handler: () => 1 }) } }),
    };
    const declared = { name: 'Wrong', hooks, versions: { 1: { services } } } as ApiDefinition;
    return startRefusal({
      modules: HOSTING,
      extra: [{ name: 'wrong', requires: ['hosting'], apis: [declared] }],
    });
  };

  it.each<readonly [unknown, RegExp]>([
    [{ befor: () => undefined }, /hooks has "befor"\. Available: before, after, onError\./],
    [{}, /hooks has no function\. Available: before, after, onError\./],
    [{ before: 1 }, /hooks\.before is 1\. Use a function\./],
    ['nowhere', /"nowhere"/],
    [7, /hooks/],
    [() => undefined, /hooks/],
  ])('%j is an error at startup', async (hooks, message) => {
    expect(await refusalOf(hooks)).toMatch(message);
  });
});
