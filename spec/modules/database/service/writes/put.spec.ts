import type { ConfigObject } from '../../../../../src/framework';
import { describeOnBothDatabases } from '../../../../factories/database/both-databases';
import { GENERATED_KEY } from '../../../../factories/database/created-tables';
import { basic, bodyOf, sendJson } from '../../../../factories/http/requests';
import { authenticatedBy, PEOPLE } from '../../../../fixtures/people';

const table = (name: string, key: string, columns: ConfigObject, more: ConfigObject = {}): ConfigObject => ({
  kind: 'table',
  adapter_name: 'shop',
  table_name: name,
  route: `/${name}[/:${key}]`,
  route_identifier_name: key,
  columns,
  collection: { GET: {}, POST: {} },
  entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
  ...more,
});

const BOB = { Authorization: basic('bob', 'password') };
const ADA = { Authorization: basic('ada', 'password') };

describeOnBothDatabases(
  'PUT of a table service',
  {
    sql: (dialect) => `
      CREATE TABLE colours (
        code VARCHAR(9) PRIMARY KEY, name VARCHAR(20) NOT NULL UNIQUE, state VARCHAR(9) DEFAULT 'new', size INTEGER,
        made_by VARCHAR(9) DEFAULT 'nobody');
      CREATE TABLE numbers (
        id ${GENERATED_KEY[dialect]},
        name TEXT NOT NULL);
      CREATE TABLE counters (code VARCHAR(9) PRIMARY KEY, hits INTEGER NOT NULL, version INTEGER NOT NULL);
      CREATE TABLE large_counters (code VARCHAR(9) PRIMARY KEY, hits INTEGER NOT NULL, version BIGINT NOT NULL);
      CREATE TABLE marks (
        id INTEGER PRIMARY KEY, new VARCHAR(9),
        state VARCHAR(9) NOT NULL DEFAULT ${dialect === 'sqlite' ? '"new"' : "'new'"},
        mode VARCHAR(9) NOT NULL DEFAULT ${dialect === 'sqlite' ? 'active' : "'active'"});
      CREATE TABLE profiles (name VARCHAR(9) PRIMARY KEY, text TEXT);
      CREATE TABLE ranks (
        code VARCHAR(9) PRIMARY KEY ${dialect === 'sqlite' ? '' : 'DEFERRABLE INITIALLY DEFERRED'}, name TEXT, rank INTEGER,
        data JSON);
      CREATE TABLE devices (id UUID PRIMARY KEY, name TEXT);
      CREATE TABLE serials (id BIGINT PRIMARY KEY, name TEXT);
      CREATE TABLE notes (code VARCHAR(9) PRIMARY KEY, text TEXT, owner VARCHAR(9));`,
    services: {
      Colour: table('colours', 'code', {
        code: {},
        name: {},
        state: {},
        size: {},
        made_by: { read_only: true },
      }),
      Number: table('numbers', 'id', { id: {}, name: {} }),
      Counter: table('counters', 'code', { code: {}, hits: {}, version: {} }, { revision: 'version' }),
      LargeCounter: table(
        'large_counters',
        'code',
        { code: {}, hits: {}, version: {} },
        { revision: 'version' },
      ),
      Hidden: table(
        'counters',
        'code',
        { code: {}, hits: {} },
        { revision: 'version', route: '/hidden[/:code]' },
      ),
      Mark: table('marks', 'id', { id: {}, new: {}, state: {}, mode: {} }),
      Rank: table('ranks', 'code', { code: {}, name: {}, rank: {}, data: {} }),
      Profile: table('profiles', 'name', { name: {}, text: {} }, { rows: { name: 'identity.name' } }),
      Device: table('devices', 'id', { id: {}, name: {} }, { collection: { PUT: {} } }),
      Serial: table('serials', 'id', { id: {}, name: {} }, { collection: { PUT: {} } }),
      Note: table('notes', 'code', { code: {}, text: {} }, { rows: { owner: 'identity.name' } }),
    },
    options: { files: PEOPLE, local: authenticatedBy('people') },
  },
  ({ it, platform, execute }) => {
    const put = (to: string, body: unknown, headers: Record<string, string> = {}) =>
      platform().request(to, sendJson(body, 'PUT', headers));
    const get = async (to: string, headers = {}) => bodyOf(await platform().request(to, { headers }));
    const failure = async (answer: Response) => {
      const { detail, errors } = (await bodyOf(answer)) as {
        detail: string;
        errors?: { pointer: string }[];
      };
      return { status: answer.status, detail, pointers: errors?.map(({ pointer }) => pointer) };
    };
    beforeEach(() =>
      execute(`DELETE FROM colours; DELETE FROM counters; DELETE FROM large_counters; DELETE FROM profiles; DELETE FROM notes;
        INSERT INTO colours VALUES ('red', 'Red', 'old', 3, 'ada'), ('blue', 'Blue', 'old', NULL, NULL);
        INSERT INTO counters VALUES ('a', 1, 1);
        INSERT INTO profiles VALUES ('ada', 'x');
        INSERT INTO notes VALUES ('one', 'x', 'ada')`),
    );

    it('replaces all columns: those that are left out get their defaults', async () => {
      const replaced = await put('/colours/red', { name: 'Rouge' });
      expect([replaced.status, replaced.headers.get('location'), await replaced.json()]).toEqual([
        200,
        null,
        { code: 'red', name: 'Rouge', state: 'new', size: null, made_by: 'ada' },
      ]);
      expect(await get('/colours/red')).toEqual({
        code: 'red',
        name: 'Rouge',
        state: 'new',
        size: null,
        made_by: 'ada',
      });
      expect(await get('/colours/blue')).toMatchObject({ name: 'Blue', state: 'old' });
      expect(await failure(await put('/colours/red', { state: 'old' }))).toMatchObject({
        status: 422,
        pointers: ['/name'],
      });
    });

    it('sets defaults that are declared without the quotes of a text (SQLite)', async () => {
      const created = await bodyOf(await platform().request('/marks', sendJson({ id: 1, new: 'x' })));
      expect(created).toEqual({ id: 1, new: 'x', state: 'new', mode: 'active' });
      const replaced = await put('/marks/1', { new: 'y' });
      expect([replaced.status, await replaced.json()]).toEqual([200, { ...created, new: 'y' }]);
    });

    it('ignores read-only columns, and refuses another key', async () => {
      const replaced = await put('/colours/red', { code: 'red', name: 'Red', made_by: 'eve' });
      expect(await replaced.json()).toMatchObject({ code: 'red', made_by: 'ada' });
      expect(await failure(await put('/colours/red', { code: 'blue', name: 'Red' }))).toMatchObject({
        status: 422,
        pointers: ['/code'],
      });
      const patch = await platform().request('/colours/red', sendJson({ code: 'blue' }, 'PATCH'));
      expect(await failure(patch)).toMatchObject({ status: 422, pointers: ['/code'] });
    });

    it.each([
      ['devices', '6f0d1c1e-9f5c-7a39-8c0f-0d2a9c1f7b11', '6F0D1C1E-9F5C-7A39-8C0F-0D2A9C1F7B11'],
      ['serials', '7', '007'],
    ])('accepts the key of an entity of %s in another notation', async (name, id, other) => {
      const made = await put(`/${name}`, [{ id: other, name: 'List' }]);
      expect([made.status, await made.json()]).toEqual([200, [{ id, name: 'List' }]]);
      const replaced = await put(`/${name}/${id}`, { id: other, name: 'One' });
      expect([replaced.status, await replaced.json()]).toEqual([200, { id, name: 'One' }]);
      const patched = await platform().request(`/${name}/${id}`, sendJson({ id: other }, 'PATCH'));
      expect(patched.status).toBe(200);
    });

    it('accepts the key of its URL in upper case', async () => {
      const id = '6F0D1C1E-9F5C-7A39-8C0F-0D2A9C1F7B12';
      const made = await put(`/devices/${id}`, { id, name: 'One' });
      expect([made.status, made.headers.get('location')]).toEqual([201, `/devices/${id.toLowerCase()}`]);
    });

    it('creates an entity where clients choose the key', async () => {
      const made = await put('/colours/a%20b', { name: 'Green', size: 1 });
      expect([made.status, made.headers.get('location'), await made.json()]).toEqual([
        201,
        '/colours/a%20b',
        { code: 'a b', name: 'Green', state: 'new', size: 1, made_by: 'nobody' },
      ]);
      expect((await put('/colours/a%20b', { name: 'Green' })).status).toBe(200);
      expect((await put('/colours/much-too-long', { name: 'X' })).status).toBe(404);
    });

    it('reports a conflict with another entity, also when it creates', async () => {
      for (const code of ['red', 'green']) {
        for (const headers of [{}, { 'If-None-Match': '"x"' }]) {
          const taken = await failure(await put(`/colours/${code}`, { name: 'Blue' }, headers));
          expect([code, taken]).toMatchObject([code, { status: 409, pointers: ['/name'] }]);
        }
      }
      const taken = await put('/colours/green', { name: 'Blue' }, { 'If-None-Match': '*' });
      expect(await failure(taken)).toMatchObject({ status: 409, pointers: ['/name'] });
    });

    it('only creates with If-None-Match: *, and only replaces with If-Match', async () => {
      const only = { 'If-None-Match': '*' };
      expect((await put('/colours/red', { name: 'X' }, only)).status).toBe(412);
      expect((await put('/colours/green', { name: 'Green' }, only)).status).toBe(201);
      expect((await put('/colours/green', { name: 'X' }, only)).status).toBe(412);
      for (const match of ['*', '"x"']) {
        expect((await put('/colours/grey', { name: 'Grey' }, { 'If-Match': match })).status).toBe(412);
        expect((await put('/colours/grey', { name: 'Grey' }, { 'If-Match': match, ...only })).status).toBe(
          412,
        );
      }
      expect((await put('/colours/red', { name: 'X' }, { 'If-Match': '"x"' })).status).toBe(412);
      expect(await get('/colours/red')).toMatchObject({ name: 'Red' });
      expect((await put('/colours/red', { name: 'X' }, { 'If-Match': '*' })).status).toBe(200);
      const tag = (await platform().request('/colours/red')).headers.get('etag') ?? '';
      const replaced = await put('/colours/red', { name: 'Y' }, { 'If-Match': tag });
      expect([replaced.status, replaced.headers.get('etag') === tag]).toEqual([200, false]);
      expect((await put('/colours/red', { name: 'Z' }, { 'If-Match': tag })).status).toBe(412);
    });

    it('is 404 where the database chooses the key', async () => {
      const made = await bodyOf(await platform().request('/numbers', sendJson({ name: 'One' })));
      expect((await put(`/numbers/${String(made.id)}`, { name: 'Two' })).status).toBe(200);
      expect((await put('/numbers/999', { name: 'X' })).status).toBe(404);
      expect((await put('/numbers/999', { name: 'X' }, { 'If-None-Match': '*' })).status).toBe(404);
      const exists = await put(`/numbers/${String(made.id)}`, { name: 'X' }, { 'If-None-Match': '*' });
      expect(exists.status).toBe(412);
    });

    it('creates an entity whose key is checked at the commit only', async () => {
      const body = { code: 'a', name: 'x', rank: 1, data: { b: [1] } };
      const absent = { 'If-None-Match': '*' };
      const made = await put('/ranks/a', body);
      expect([made.status, await bodyOf(made)]).toEqual([201, body]);
      expect((await put('/ranks/a', { ...body, rank: 2 })).status).toBe(200);
      expect((await put('/ranks/a', body, absent)).status).toBe(412);
      expect((await put('/ranks/b', { rank: 3 }, absent)).status).toBe(201);
    });

    it.each<[name: string, version: unknown, shown?: string]>([
      ['counters', 3],
      ['hidden', 3, 'counters'],
      ['large_counters', '3'],
    ])('counts the revision of /%s, which clients cannot set', async (name, version, shown = name) => {
      const tagOf = async (answer: Response | Promise<Response>) => (await answer).headers.get('etag');
      const first = put(`/${name}/b`, { hits: 1, ...(shown === name ? { version } : {}) });
      expect(await tagOf(first)).toBe('"1"');
      expect(await tagOf(put(`/${name}/b`, { hits: 2 }))).toBe('"2"');
      expect(await tagOf(put(`/${name}/b`, { hits: 3 }, { 'If-Match': '"2"' }))).toBe('"3"');
      expect((await put(`/${name}/b`, { hits: 4 }, { 'If-Match': '"2"' })).status).toBe(412);
      expect(await get(`/${shown}/b`)).toEqual({ code: 'b', hits: 3, version });
      const patch = await platform().request(
        `/${name}/b`,
        sendJson({ hits: 5 }, 'PATCH', { 'If-Match': '"3"' }),
      );
      expect(patch.headers.get('etag')).toBe('"4"');
    });

    it.each(['counters', 'colours'])('loses no update when clients race for one of %s', async (name) => {
      const [path, member] = name === 'counters' ? ['/counters/a', 'hits'] : ['/colours/red', 'size'];
      const client = async (): Promise<void> => {
        for (let done = 0; done < 10;) {
          const found = await platform().request(path);
          const { version: _, made_by: __, ...entity } = await bodyOf(found);
          const body = { ...entity, [member]: Number(entity[member]) + 1 };
          const changed = await put(path, body, { 'If-Match': found.headers.get('etag') ?? '' });
          expect([200, 412]).toContain(changed.status);
          if (changed.status === 200) done += 1;
        }
      };
      const before = Number((await get(path))[member]);
      await Promise.all([client(), client(), client()]);
      expect((await get(path))[member]).toBe(before + 30);
    });

    it.each(['colours', 'ranks'])('creates one entity when clients race for its key in %s', async (name) => {
      const race = async (headers: Record<string, string>) => {
        await execute(`DELETE FROM ${name}`);
        const names = ['A', 'B', 'C', 'D', 'E'];
        const answers = await Promise.all(names.map((own) => put(`/${name}/one`, { name: own }, headers)));
        return answers.map(({ status }) => status).sort();
      };
      for (let round = 0; round < 5; round += 1) {
        expect(await race({})).toEqual([200, 200, 200, 200, 201]);
        expect(await race({ 'If-None-Match': '*' })).toEqual([201, 412, 412, 412, 412]);
      }
    });

    it('creates only rows of its user', async () => {
      expect((await put('/profiles/bob', { text: 'mine' }, BOB)).status).toBe(201);
      expect((await put('/profiles/bob', { text: 'still mine' }, BOB)).status).toBe(200);
      for (const headers of [{}, { 'If-None-Match': '*' }]) {
        expect((await put('/profiles/ada', { text: 'not mine' }, { ...BOB, ...headers })).status).toBe(404);
        expect((await put('/profiles/eve', { text: 'not mine' }, { ...BOB, ...headers })).status).toBe(404);
      }
      expect(await get('/profiles/ada', ADA)).toEqual({ name: 'ada', text: 'x' });
      const taken = await put('/notes/one', { text: 'not mine' }, BOB);
      expect(await failure(taken)).toMatchObject({ status: 409, pointers: ['/code'] });
      expect(await get('/notes/one', ADA)).toMatchObject({ text: 'x' });
      expect((await put('/notes/two', { text: 'mine' }, BOB)).status).toBe(201);
      expect((await platform().request('/notes/two', { headers: ADA })).status).toBe(404);
    });

    it('creates in a batch, all or none', async () => {
      const batch = (name: string) =>
        platform().request(
          '/platform/batch',
          sendJson({
            operations: [
              { method: 'PUT', path: '/colours/green', body: { name: 'Green' } },
              { method: 'PUT', path: '/colours/green', body: { name: 'Verde' } },
              { method: 'PUT', path: '/colours/grey', body: { name } },
            ],
          }),
        );
      expect((await batch('Red')).status).toBe(409);
      expect((await platform().request('/colours/green')).status).toBe(404);
      expect((await bodyOf(await batch('Grey'))).results).toMatchObject([
        { status: 201 },
        { status: 200, body: { name: 'Verde' } },
        { status: 201 },
      ]);
    });
  },
);
