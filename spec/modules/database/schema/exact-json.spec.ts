import fc from 'fast-check';
import { columnCodec } from '../../../../src/modules/database/schema/column-codec';
import { formatExactJson, parseExactJson } from '../../../../src/modules/database/schema/exact-json';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

const STORED =
  '{"big":9007199254740993,"list":[0.12345678901234567890,1.5,-1e400],"text":"9007199254740993","a":1}';

onEachDatabase(({ it, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE makers (id INTEGER PRIMARY KEY, details JSON);
        CREATE TABLE things (id INTEGER PRIMARY KEY, data JSON, maker_id INTEGER REFERENCES makers (id));
        INSERT INTO makers VALUES (1, '${STORED}'); INSERT INTO things VALUES (1, '${STORED}', 1), (2, '9007199254740993', 1),
          (3, '${STORED}', 1), (4, '9007199254740993', 1), (5, '${STORED}', 1), (6, '9007199254740993', 1), (7, '[${STORED}]', 1),
          (8, '${STORED}', 1), (9, '{"ids":[9007199254740993,9007199254740995],"code":"9007199254740997"}', 1)`,
      services: {
        Thing: {
          table_name: 'things',
          route: '/things[/:id]',
          columns: { id: {}, data: {}, maker_id: { embed: { columns: ['details'] } } },
          collection: { GET: {}, POST: {} },
          entity: { GET: {}, PATCH: {}, PUT: {} },
        },
      },
    });
  }, 60_000);
  const READ = {
    big: '9007199254740993',
    list: ['0.12345678901234567890', 1.5, '-1e400'],
    text: '9007199254740993',
    a: 1,
  };

  it('numbers that JSON would round are strings with their digits', async () => {
    const thing = await bodyOf(await platform.request('/things/1?embed=maker'));
    expect(thing.data).toEqual(READ);
    expect(thing.maker).toEqual({ details: READ });
    expect((await bodyOf(await platform.request('/things/2'))).data).toBe('9007199254740993');
  });

  it('a patch of another member keeps them as the numbers that they are', async () => {
    const tag = (await platform.request('/things/1')).headers.get('etag') ?? '';
    const patched = await platform.request(
      '/things/1',
      sendJson({ data: { a: 2 } }, 'PATCH', { 'If-Match': tag }),
    );
    expect([patched.status, (await bodyOf(patched)).data]).toEqual([200, { ...READ, a: 2 }]);
    const [row] = await platform.database.execute(
      { text: `SELECT CAST(data AS TEXT) AS data FROM things WHERE id = 1`, kind: 'read' },
      [],
    );
    expect(String(row?.data)).toContain('"big":9007199254740993,"list":[0.12345678901234567890,1.5,-1e400]');
  });

  const storedOf = async (id: number): Promise<unknown> => {
    const text = `SELECT CAST(data AS TEXT) AS data FROM things WHERE id = ${id}`;
    const [row] = await platform.database.execute({ text, kind: 'read' }, []);
    return row?.data;
  };

  it.each([
    [5, 'PUT'],
    [5, 'PATCH'],
    [6, 'PUT'],
    [6, 'PATCH'],
    [7, 'PUT'],
    [7, 'PATCH'],
  ])('entities that are sent as they were received keep them as numbers: %i, %s', async (id, method) => {
    const before = await storedOf(id);
    const received = await platform.request(`/things/${id}`);
    const entity = await bodyOf(received);
    for (const headers of [{}, { 'If-Match': received.headers.get('etag') ?? '' }]) {
      const sent = await platform.request(`/things/${id}`, sendJson(entity, method, headers));
      expect([sent.status, await bodyOf(sent)]).toEqual([200, entity]);
      expect(await storedOf(id)).toBe(before);
    }
  });

  it('their digits are these numbers in another place of the value, too, unless it has them as a text', async () => {
    for (const [method, ids] of [
      ['PUT', ['9007199254740995', '9007199254740993']],
      ['PATCH', ['9007199254740995']],
      ['PUT', [1, '9007199254740995', '9007199254740997']],
    ] as const) {
      const data = { ids, code: '9007199254740997' };
      const sent = await platform.request('/things/9', sendJson({ data, maker_id: 1 }, method));
      expect([sent.status, (await bodyOf(sent)).data]).toEqual([200, data]);
      const numbers = ids.map((id) => (id === data.code ? `"${id}"` : String(id)));
      expect(String(await storedOf(9)).replaceAll(' ', '')).toBe(
        `{"ids":[${numbers.join()}],"code":"9007199254740997"}`,
      );
    }
  });

  it('another text of digits is a text', async () => {
    for (const method of ['PUT', 'PATCH']) {
      const data = { ...READ, big: '9007199254740995', list: ['0.12345678901234567890'] };
      const sent = await platform.request('/things/8', sendJson({ data, maker_id: 1 }, method));
      expect((await bodyOf(sent)).data).toEqual(data);
      const stored = String(await storedOf(8));
      expect(stored).toContain('"big":"9007199254740995","list":[0.12345678901234567890]');
    }
  });

  it('a patch replaces them by objects, as other numbers', async () => {
    const patch = async (path: string, data: unknown) =>
      (await bodyOf(await platform.request(path, sendJson({ data }, 'PATCH')))).data;
    expect(await patch('/things/3', { big: { b: 1 }, a: { c: 2 } })).toEqual({
      ...READ,
      big: { b: 1 },
      a: { c: 2 },
    });
    expect(await patch('/things/4', { b: 1 })).toEqual({ b: 1 });
  });
});

onEachDatabase(({ it, start }) => {
  it('a text of a client is never taken for a number', async () => {
    const platform = await start({
      script: `CREATE TABLE notes (id INTEGER PRIMARY KEY, data JSON);
        INSERT INTO notes VALUES (1, '{"big":12345678901234567890}')`,
      services: {
        Note: {
          table_name: 'notes',
          route: '/notes[/:id]',
          columns: { id: {}, data: {} },
          entity: { GET: {}, PATCH: {} },
        },
      },
    });
    const forged = { text: '\0exact 12345678901234567890', '\0exact 1': ['\0\0exact 12345678901234567890'] };
    const expected = { big: '12345678901234567890', ...forged };
    const patched = await platform.request('/notes/1', sendJson({ data: forged }, 'PATCH'));
    expect([patched.status, (await bodyOf(patched)).data]).toEqual([200, expected]);
    const again = await platform.request('/notes/1', sendJson({ data: { a: 1 } }, 'PATCH'));
    expect((await bodyOf(again)).data).toEqual({ ...expected, a: 1 });
    const [row] = await platform.database.execute(
      { text: `SELECT CAST(data AS TEXT) AS data FROM notes`, kind: 'read' },
      [],
    );
    expect(JSON.parse(String(row?.data))).toMatchObject(forged);
    expect(String(row?.data)).toContain('"big":12345678901234567890');
  });
});

onEachDatabase(({ it, start, dialect }) => {
  it('a number of a client that was rounded when its body was parsed is refused', async () => {
    const platform = await start({
      script:
        'CREATE TABLE notes (id INTEGER PRIMARY KEY, data JSON, amount NUMERIC(30, 6), size DOUBLE PRECISION)',
      services: {
        Note: {
          table_name: 'notes',
          route: '/notes[/:id]',
          columns: { id: {}, data: {}, amount: {}, size: {} },
          filters: { size: ['gte'] },
          collection: { GET: {}, POST: {} },
          entity: { GET: {}, PATCH: {} },
        },
      },
    });
    const headers = { 'Content-Type': 'application/json' };
    const send = async (body: string, to = '/notes', method = 'POST'): Promise<unknown> => {
      const refused = await platform.request(to, { method, headers, body });
      const { errors } = (await bodyOf(refused)) as { errors?: readonly { pointer: string }[] };
      return [refused.status, errors?.[0]?.pointer];
    };
    for (const number of [
      '9007199254740993',
      '-9007199254740993',
      '1e400',
      '1e-400',
      '12345678901234567.123',
      '0.12345678901234567890',
      '-1.2345678901234567890e-5',
    ])
      expect(await send(`{"id":1,"data":{"list":[1,${number}]}}`)).toEqual([422, '/data/list/1']);
    // Integers beyond 2^53 could not be sent back.
    expect(await send('{"id":1,"data":{"list":[1,9007199254740994]}}')).toEqual([422, '/data/list/1']);
    expect(await send('{"id":9007199254740990.6}')).toEqual([422, '/id']);
    expect(await send('{"id":1,"amount":12345678901234567.123}')).toEqual([422, '/amount']);
    expect(await send('{"id":1,"size":12345678901234567.123}')).toEqual([422, '/size']);
    expect(await send('[{"id":1},{"id":2,"size":0.12345678901234567890}]')).toEqual([422, '/1/size']);
    expect(await send('{"filter":{"size":{"gte":0.12345678901234567890}}}', '/notes/query')).toEqual([
      422,
      '/filter/size/gte',
    ]);
    const operations = '[{"method":"POST","path":"/notes","body":{"id":1,"size":0.12345678901234567890}}]';
    expect(await send(`{"operations":${operations}}`, '/platform/batch')).toEqual([
      422,
      '/operations/0/body/size',
    ]);
    // The digits of a double, as some programs print them, and digits in texts.
    const body = '{"id":1,"size":0.10000000000000001,"data":"12345678901234567.123"}';
    expect(await send(body)).toEqual([201, undefined]);
    expect(await send('{"size":0.12345678901234567890}', '/notes/1', 'PATCH')).toEqual([422, '/size']);
    expect(await bodyOf(await platform.request('/notes/1'))).toEqual({
      id: 1,
      size: 0.1,
      amount: null,
      data: '12345678901234567.123',
    });
    expect(await send('{"id":2,"amount":"12345678901234567.123"}')).toEqual([
      ...(dialect === 'sqlite' ? [422, '/amount'] : [201, undefined]),
    ]);
    const made = await platform.request('/notes', sendJson({ id: 3, data: [9007199254740991, 1.5e-7] }));
    expect([made.status, (await bodyOf(made)).data]).toEqual([201, [9007199254740991, 1.5e-7]]);
  });
});

describe('the exact numbers of a JSON text', () => {
  it('are those of any value, and are formatted as they were', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parseExactJson(text))).toBe(JSON.stringify(JSON.parse(text, largeAsText)));
        expect(formatExactJson(parseExactJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('keep every digit', () => {
    const digits = fc.tuple(
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
      fc.integer({ min: 0, max: 30 }),
    );
    fc.assert(
      fc.property(fc.array(digits), (numbers) => {
        const text = `[${numbers.map(([n, scale]) => (scale === 0 ? String(n) : `${n}.${'1'.repeat(scale)}`)).join(',')}]`;
        const exact = (one: string): string => (Number(one) === 0 ? '0' : one);
        const values = (JSON.parse(JSON.stringify(parseExactJson(text))) as unknown[]).map(String);
        const expected = text
          .slice(1, -1)
          .split(',')
          .filter((one) => one !== '');
        for (const [at, one] of expected.entries()) expect(exact(plain(values[at] ?? ''))).toBe(exact(one));
      }),
    );
  });

  it('cannot be forged by a stored text', () => {
    const text = '{"a":"\\u0000exact 5,\\"x\\":1","b":12345678901234567890}';
    expect(formatExactJson(parseExactJson(text))).toBe(text);
  });

  it('are not confused with texts, whatever these begin with', () => {
    const digits = fc.constantFrom('12345678901234567890', '-0.12345678901234567890', '1e400');
    const begin = fc.array(fc.constantFrom('\0', 'exact ', '"', '\\', 'é'), { maxLength: 3 });
    const word = fc.tuple(begin, fc.oneof(digits, fc.string())).map(([first, rest]) => first.join('') + rest);
    const space = fc.constantFrom('', ' ', '\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word, digits, space)), (members) => {
        const list = members.map(
          ([name, text, number, gap]) =>
            `{${JSON.stringify(name)}${gap}:${gap}${JSON.stringify(text)},"numbers":[${number},${JSON.stringify(number)}]}`,
        );
        const value = parseExactJson(`[${list.join(',')}]`);
        const expected = members.map(([name, text, number]) => ({ [name]: text, numbers: [number, number] }));
        expect(JSON.parse(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(expected)));
        const stored = members.map(
          ([name, text, number]) =>
            `{${JSON.stringify(name)}:${JSON.stringify(text)},"numbers":[${number},${JSON.stringify(number)}]}`,
        );
        expect(formatExactJson(value)).toBe(`[${stored.join(',')}]`);
      }),
    );
  });

  it('are looked for without a function for each value, which takes most of the time', () => {
    const texts = ['{"id":"01912e8f-7c1e-7e5a-9d3b-1f2e3d4c5b6a","n":1.5e-7}', '["0123456789012345",1]'];
    const parse = jest.spyOn(JSON, 'parse');
    const parsed = texts.map((text) => parseExactJson(text));
    const { calls } = parse.mock;
    parse.mockRestore();
    expect(calls).toEqual(texts.map((text) => [text]));
    expect(parsed).toEqual(texts.map((text) => JSON.parse(text) as unknown));
  });

  it('are exact next to texts of ten megabytes', () => {
    const long = '1e5"'.repeat(2_500_000);
    const stored = `{"n":1e400,${JSON.stringify(long)}:${JSON.stringify(`\0${long}`)}}`;
    const value = parseExactJson(stored);
    expect(value).toMatchObject({ n: { text: '1e400' } });
    expect((value as Record<string, string>)[long] === `\0${long}`).toBe(true);
    expect(formatExactJson(value) === stored).toBe(true);
  });

  it.each(['{"a":1e400', '"1e5', '{"a":1e5,"b', '"1e5\\'])(
    'are not found in %j, which is not JSON',
    (text) => {
      expect(() => parseExactJson(text)).toThrow('is not JSON');
    },
  );

  it('name the column of a text that is not JSON', () => {
    const { fromRow } = columnCodec('notes', { type: 'json', declared: 'JSON', isNullable: true }, 'sqlite');
    expect(() => fromRow?.('none')).toThrow(
      'The column notes has a text that is not JSON: correct its row, or declare it as TEXT.',
    );
  });
});

/** Integers beyond 2^53 are texts. */
function largeAsText(_: string, value: unknown): unknown {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : value;
}

/** Without an exponent. */
function plain(text: string): string {
  return /e/i.test(text) ? BigInt(Number(text)).toString() : text;
}
