import {
  AuthenticatedIdentity,
  comparing,
  defineProcedure,
  Problem,
  Type,
  type BodyValidator,
  type CollectionContext,
  type CursorPage,
  type MergePatch,
  type PatchContext,
  type ResourceContext,
  type RestResource,
  type RouteParameters,
} from '../../src/platform';
import { MemoryLog, testContext, testIdentity } from '../../src/testing';

interface Note {
  readonly note_id: string;
  readonly text: string;
  readonly done?: boolean;
}
type Input = Omit<Note, 'note_id'>;
type Parameters = RouteParameters<'/users/:user/notes[/:note_id]'>;
type Query = Readonly<{ containing?: string }>;
type List = CollectionContext<Query, Parameters, 'text', { from: number }>;

/** A resource with typed methods, as an author writes it. */
class Notes implements RestResource<Note, Input, Parameters, List> {
  readonly #notes = new Map<string, Note>([
    ['1', { note_id: '1', text: 'Milk', done: true }],
    ['2', { note_id: '2', text: 'Bread' }],
  ]);

  fetchAll({ query: { containing = '' }, sort, page, cursor }: List): CursorPage<Note, { from: number }> {
    const found = [...this.#notes.values()].filter(({ text }) => text.includes(containing));
    const from = cursor?.from ?? page.offset;
    return { items: found.sort(comparing(sort)).slice(from, from + page.pageSize), next: { from: from + 1 } };
  }

  create({ text }: Input, { identity, log }: ResourceContext<Parameters>): Note {
    if (identity.isGuest) throw new Problem(403, 'Guests note nothing.');
    log.info({ by: identity.name }, 'Noted.');
    return { note_id: `${identity.name ?? ''}-3`, text };
  }

  update(id: string, data: Input, { precondition, parameters }: ResourceContext<Parameters>): Note {
    precondition.assert(7);
    return { note_id: `${parameters.user}/${id}`, ...data };
  }

  patch(
    id: string,
    data: MergePatch<Input>,
    { merge }: PatchContext<Note, Input, Parameters>,
  ): Note | undefined {
    const there = this.#notes.get(id);
    return there && merge(there, data);
  }

  async delete(_id: string, { signal }: ResourceContext<Parameters>): Promise<boolean> {
    await Promise.resolve();
    return !signal.aborted;
  }
}

describe('A test context', () => {
  const notes = new Notes();
  const at = { parameters: { user: 'amy' } };

  it('is by default that of a guest with an empty request', () => {
    const context = testContext();
    expect(context.identity.isGuest).toBe(true);
    expect([context.api, context.version]).toEqual(['Test', 1]);
    expect([context.query, context.parameters, context.body, context.sort]).toEqual([{}, {}, undefined, []]);
    expect(context.page).toEqual({ page: 1, pageSize: Number.MAX_SAFE_INTEGER, offset: 0 });
    expect(context.cursor).toBeUndefined();
    expect(context.signal.aborted).toBe(false);
    expect(context.requestId).not.toBe('');
    expect(context.precondition.ifMatch).toBeUndefined();
  });

  it('is accepted by the methods of a typed resource without a cast', async () => {
    expect(notes.fetchAll(testContext({ ...at, query: { containing: 'il' } })).items).toHaveLength(1);
    expect(notes.fetchAll(testContext(at)).items).toHaveLength(2);
    expect(notes.create({ text: 'Tea' }, testContext({ ...at, identity: 'amy' }))).toEqual({
      note_id: 'amy-3',
      text: 'Tea',
    });
    expect(notes.patch('1', { done: null }, testContext(at))).toEqual({ note_id: '1', text: 'Milk' });
    expect(await notes.delete('1', testContext(at))).toBe(true);
  });

  it('is accepted by handlers and validators', async () => {
    const procedure = defineProcedure({
      query: Type.Object({ times: Type.Integer() }),
      fields: Type.Object({ word: Type.String() }),
      handler: ({ query: { times }, body: { word } }) => word.repeat(times),
    });
    const { handler } = procedure;
    expect(
      typeof handler === 'function' && handler(testContext({ query: { times: 2 }, body: { word: 'a' } })),
    ).toBe('aa');
    const validator: BodyValidator<Input> = ({ text }, { identity }) =>
      text === identity.name ? undefined : [{ pointer: '/text', message: 'is not you' }];
    expect(await validator({ text: 'amy' }, testContext({ identity: 'amy' }))).toBeUndefined();
    expect(await validator({ text: 'bob' }, testContext({ identity: 'amy' }))).toHaveLength(1);
  });

  it('can have a page, a sort order and a cursor', () => {
    const sort = [{ name: 'text' as const, descending: false }];
    const first = notes.fetchAll(testContext({ ...at, sort, page: { pageSize: 1 } }));
    expect(first.items.map(({ text }) => text)).toEqual(['Bread']);
    expect(testContext({ page: { page: 3, pageSize: 20 } }).page).toEqual({
      page: 3,
      pageSize: 20,
      offset: 40,
    });
    const next = notes.fetchAll(testContext({ ...at, sort, cursor: { from: 1 } }));
    expect(next.items.map(({ text }) => text)).toEqual(['Milk']);
  });

  it('has the precondition, the id and the body of a request', async () => {
    const headers = { 'If-Match': '"6"', 'X-Request-Id': 'order-7' };
    const context = testContext({ ...at, headers, method: 'PUT', path: '/notes/1?x=y' });
    expect(context.requestId).toBe('order-7');
    expect(context.precondition.ifMatch).toEqual(['6']);
    expect(() => notes.update('1', { text: 'Tea' }, context)).toThrow(Problem);
    expect(
      notes.update('1', { text: 'Tea' }, testContext({ ...at, headers: { 'If-Match': '"7"' } })),
    ).toEqual({
      note_id: 'amy/1',
      text: 'Tea',
    });
    expect(() => testContext({ headers: { 'If-Match': 'six' } }).precondition).toThrow(Problem);
    const { request, parameters } = context.event;
    expect([request.method, request.path, request.query.get('x')]).toEqual(['PUT', '/notes/1', 'y']);
    expect(parameters).toEqual({ user: 'amy' });
    expect((await request.read(10)).length).toBe(0);
  });

  it('can have a signal and a log of the test', async () => {
    const stop = new AbortController();
    stop.abort();
    expect(await notes.delete('1', testContext({ ...at, signal: stop.signal }))).toBe(false);
    const log = new MemoryLog();
    notes.create(
      { text: 'Tea' },
      testContext({ ...at, identity: 'amy', log, headers: { 'X-Request-Id': 'a' } }),
    );
    expect(log.lines).toEqual([
      {
        level: 'info',
        details: { by: 'amy', request_id: 'a', trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown },
        message: 'Noted.',
      },
    ]);
  });

  it('can have an identity, or the name of a user', () => {
    const amy = testIdentity('amy', ['editors']);
    expect(amy).toBeInstanceOf(AuthenticatedIdentity);
    expect(testContext({ identity: amy }).identity).toBe(amy);
    expect(testContext({ identity: amy }).event.identity).toBe(amy);
    expect(testContext({ identity: 'bob' }).identity).toEqual({
      name: 'bob',
      isGuest: false,
      groups: [],
      scopes: [],
    });
    expect(testIdentity('amy', [], ['read']).scopes).toEqual(['read']);
    expect(() => testIdentity('amy', [], 'read' as never)).toThrow('Pass an array of scopes.');
    expect(testIdentity()).toMatchObject({ name: null, isGuest: true });
    expect(() => notes.create({ text: 'Tea' }, testContext(at))).toThrow('Guests note nothing.');
  });

  it('rejects invalid options', () => {
    const odd = { headres: {} };
    expect(() => testContext(odd as object)).toThrow(
      'testContext(): unknown option "headres". Did you mean "headers"? Supported: identity, api,',
    );
    expect(() => testContext({ identity: '' })).toThrow('testContext(): identity is the string "".');
    expect(() => testContext({ headers: new Map([['A', 1]]) as never })).toThrow(
      'testContext(): the field A is 1. Pass a string or a list of strings.',
    );
    expect(() => testIdentity('bob', 'staff' as never)).toThrow(
      'testIdentity(): the name is the string "bob", the groups are the string "staff". Pass the name of a user, and',
    );
  });
});
