import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE notes (id INTEGER PRIMARY KEY ${dialect === 'sqlite' ? '' : 'GENERATED ALWAYS AS IDENTITY'},
          text TEXT, data ${dialect === 'sqlite' ? 'JSON' : 'JSONB'}, big BIGINT, plain JSON, day DATE, at TIMESTAMP);
        INSERT INTO notes (data) VALUES ('{"stored":9007199254740993}')`,
      services: {
        Note: {
          table_name: 'notes',
          route: '/notes[/:id]',
          columns: { id: {}, text: {}, data: {}, big: {}, plain: {}, day: {}, at: {} },
          filters: { text: ['eq'], big: ['gte', 'in'], day: ['gte'], at: ['gte'] },
          collection: { GET: {}, POST: {} },
          entity: { PATCH: {} },
        },
      },
    });
  }, 60_000);

  const INTEGER =
    'is beyond ±(2^53 − 1), where JSON numbers do not keep every integer: send its digits as a string';
  const TEXT = 'must not contain U+0000 or half a surrogate pair';
  const RANGE = 'must be from -9223372036854775808 to 9223372036854775807';
  const errorsOf = async (response: Response): Promise<unknown> => [
    response.status,
    (await bodyOf(response)).errors,
  ];
  const invalid = (pointer: string, message: string): unknown => [
    422,
    [{ pointer, keyword: 'invalid_value', message }],
  ];

  it.each([
    [{ data: 9007199254740992 }, '/data', INTEGER],
    [{ data: { a: [1, { 'b/c': 1e300 }] } }, '/data/a/1/b~1c', INTEGER],
    [{ plain: { a: 'b\ud800', c: [1e300] } }, '/plain/c/0', INTEGER],
    [{ text: 'a\u0000b' }, '/text', TEXT],
    [{ text: 'a\ud800b' }, '/text', TEXT],
    [{ big: '9223372036854775808' }, '/big', RANGE],
  ])('an error says which part of a value the column cannot have, and why: %j', async (body, at, message) => {
    expect(await errorsOf(await platform.request('/notes', sendJson(body)))).toEqual(invalid(at, message));
    expect(await errorsOf(await platform.request('/notes/1', sendJson(body, 'PATCH')))).toEqual(
      invalid(at, message),
    );
    const [pointer, items] = [`/1${at}`, [{}, body]];
    expect(await errorsOf(await platform.request('/notes', sendJson(items)))).toEqual(
      invalid(pointer, message),
    );
    const operations = [{ method: 'POST', path: '/notes', body }];
    expect(await errorsOf(await platform.request('/platform/batch', sendJson({ operations })))).toEqual(
      invalid(`/operations/0/body${at}`, message),
    );
  });

  it('a JSON value of PostgreSQL has the same reason', async () => {
    const response = await platform.request('/notes', sendJson({ data: ['a', 'b\ud800'] }));
    // SQLite stores the escape sequence.
    if (dialect === 'sqlite') expect(response.status).toBe(201);
    else expect(await errorsOf(response)).toEqual(invalid('/data/1', TEXT));
  });

  it('a name in a JSON value of PostgreSQL has the same reason', async () => {
    const response = await platform.request('/notes', sendJson({ data: [{ 'a/\u0000': 1 }] }));
    if (dialect === 'sqlite') expect(response.status).toBe(201);
    else
      expect(await errorsOf(response)).toEqual(
        invalid('/data/0/a~1\u0000', 'has a name that contains U+0000 or half a surrogate pair'),
      );
  });

  it('the year 0000, which PostgreSQL does not have, is named', async () => {
    const message = 'must have a year from 0001';
    const [body, filter] = [
      await platform.request('/notes', sendJson({ day: '0000-01-01' })),
      await platform.request('/notes?day.gte=0000-01-01'),
    ];
    if (dialect === 'sqlite') expect([body.status, filter.status]).toEqual([201, 200]);
    else {
      expect(await errorsOf(body)).toEqual(invalid('/day', message));
      expect(await errorsOf(filter)).toEqual([400, [{ parameter: 'day.gte', message }]]);
    }
  });

  it.each(['0000-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])(
    'a time in a year that the database does not have in UTC is named: %s',
    async (at) => {
      const message =
        dialect === 'postgres' && at.startsWith('0000')
          ? 'must have a year from 0001'
          : 'must be in the years 0000 to 9999 in UTC';
      expect(await errorsOf(await platform.request('/notes', sendJson({ at })))).toEqual(
        invalid('/at', message),
      );
      const filter = await platform.request(`/notes?at.gte=${encodeURIComponent(at)}`);
      expect(await errorsOf(filter)).toEqual([400, [{ parameter: 'at.gte', message }]]);
    },
  );

  it('integers as strings are stored', async () => {
    const response = await platform.request('/notes', sendJson({ data: { a: '9007199254740993' } }));
    expect([response.status, (await bodyOf(response)).data]).toEqual([201, { a: '9007199254740993' }]);
  });

  it.each([
    ['text.eq=a%00b', 'text.eq', TEXT],
    ['big.gte=9223372036854775808', 'big.gte', RANGE],
    ['big.in=1,-9223372036854775809', 'big.in', RANGE],
  ])('filters have the same reasons: %s', async (query, parameter, message) => {
    expect(await errorsOf(await platform.request(`/notes?${query}`))).toEqual([
      400,
      [{ parameter, message }],
    ]);
  });
});
