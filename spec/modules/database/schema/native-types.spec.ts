import { isoDuration } from '../../../../src/modules/database/schema/native-types';
import type { ConfigObject } from '../../../../src/framework';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

/** Columns by type, with a value as clients send it, as they get it, and a value that the type does not have. */
const TYPES: readonly (readonly [type: string, sent: unknown, received: unknown, wrong: string])[] = [
  ['inet', '192.0.2.1', '192.0.2.1', '999.0.2.1'],
  ['inet', '2001:DB8::1/64', '2001:db8::1/64', '2001:db8:::1'],
  ['cidr', '192.0.2.0/24', '192.0.2.0/24', '192.0.2.1/24'],
  ['macaddr', '08-00-2B-01-02-03', '08:00:2b:01:02:03', '08:00'],
  ['macaddr8', '08:00:2b:01:02:03:04:05', '08:00:2b:01:02:03:04:05', '08:00:2b'],
  ['interval', 'PT36H', 'PT36H', 'P1'],
  ['interval', 'P1Y2M-3DT-4H-5M-6.5S', 'P1Y2M-3DT-4H-5M-6.5S', '1 day'],
  ['int4range', '[1,10]', '[1,11)', '[10,1]'],
  ['numrange', 'empty', 'empty', 'none'],
  ['daterange', '[2026-01-01,)', '[2026-01-01,)', '[2026-13-01,)'],
  ['int4multirange', '{[1,3),[2,5)}', '{[1,5)}', '[1,2)'],
  ['money', '-1234.50', '-1234.50', 'much'],
  ['bit(3)', '101', '101', '10'],
  ['varbit', '10', '10', '2'],
  ['xml', '<a/>', '<a/>', '<a>'],
  ['point', '(1,2)', '(1,2)', 'here'],
  ['timetz', '10:30:00+02', '10:30:00+02', '25:00:00+02'],
  ['pg_lsn', '16/B374D848', '16/B374D848', '16'],
  ['oid', '4000000000', '4000000000', '9999999999'],
  ['address', '10.0.0.1', '10.0.0.1', '10.0.0.0.1'],
  ['inet[]', ['10.0.0.1'], ['10.0.0.1'], ['x'] as unknown as string],
  ['interval[]', ['P1D'], ['P1D'], ['soon'] as unknown as string],
  ['money[]', ['1.50'], ['1.50'], ['much'] as unknown as string],
  ['bigint[]', ['9007199254740993'], ['9007199254740993'], ['many'] as unknown as string],
  ['box[]', ['(1,1),(0,0)', '(2,2),(1,1)'], ['(1,1),(0,0)', '(2,2),(1,1)'], ['here'] as unknown as string],
  ['numeric[]', ['0.12345678901234567890'], ['0.12345678901234567890'], ['many'] as unknown as string],
];

onEachDatabase(({ it, dialect, start }) => {
  if (dialect === 'sqlite') {
    it('a column of an unknown type is warned about, if a service writes', async () => {
      const service = (further: ConfigObject): ConfigObject => ({
        table_name: 'shapes',
        columns: { id: {}, shape: {} },
        entity: { GET: {} },
        ...further,
      });
      const { application } = await start({
        script: 'CREATE TABLE shapes (id INTEGER PRIMARY KEY, shape GEOMETRY NOT NULL)',
        services: {
          Read: service({ route: '/read[/:id]' }),
          Written: service({ route: '/written[/:id]', collection: { POST: {} } }),
        },
      });
      expect(application.warnings.filter((text) => text.includes('GEOMETRY'))).toEqual([
        'The service Written of Tables-v1: the column "shape" of shapes has the type GEOMETRY, whose values clients can read and not write. It is NOT NULL and has no default, so that no row can be created. Give it a default, set it in a trigger or a hook, allow NULL, or use another type.',
      ]);
    });
    return;
  }
  const nameOf = (at: number): string => `c${at}`;
  let platform: TablePlatform;

  beforeAll(async () => {
    const service = (table: string, columns: ConfigObject, further: ConfigObject = {}): ConfigObject => ({
      table_name: table,
      route: `/${table}[/:id]`,
      collection_name: table,
      columns: { id: {}, ...columns },
      collection: { GET: {}, POST: {} },
      entity: { GET: {}, PUT: {}, PATCH: {} },
      ...further,
    });
    platform = await start({
      modules: ['documentation', 'documentation-formats'],
      script: `CREATE DOMAIN address AS inet CHECK (family(VALUE) = 4);
        CREATE TABLE things (id INTEGER PRIMARY KEY, ${TYPES.map(([type], at) => `${nameOf(at)} ${type}`).join(', ')});
        CREATE TABLE hosts (id INTEGER PRIMARY KEY, ip INET NOT NULL UNIQUE, pay MONEY NOT NULL, lease INTERVAL NOT NULL);
        CREATE TABLE networks (id CIDR PRIMARY KEY, label TEXT);
        CREATE TABLE texts (id INTEGER PRIMARY KEY, words TSVECTOR NOT NULL, later TSVECTOR);`,
      services: {
        Thing: service('things', Object.fromEntries(TYPES.map((_, at) => [nameOf(at), {}]))),
        Host: service(
          'hosts',
          { ip: {}, pay: {}, lease: {} },
          {
            filters: { ip: ['eq', 'in'], pay: ['eq', 'in', 'gte'], lease: ['lt'] },
            collection: { GET: { sort: ['lease', 'pay', 'ip'] }, POST: {} },
            page_size: 2,
          },
        ),
        Network: service('networks', { label: {} }),
        Text: service('texts', { words: {}, later: {} }),
      },
    });
  }, 60_000);

  const post = (path: string, body: object): Promise<Response> => platform.request(path, sendJson(body));
  const pointersOf = async (response: Response): Promise<unknown> => {
    const { errors = [] } = (await bodyOf(response)) as { errors?: { pointer: string }[] };
    return [response.status, errors[0]?.pointer];
  };

  it.each(TYPES.map(([type, sent, received, wrong], at) => ({ type, sent, received, wrong, at })))(
    'a value of the type $type is written, read, changed and refused',
    async ({ sent, received, wrong, at }) => {
      const name = nameOf(at);
      const made = await post('/things', { id: at, [name]: sent });
      expect([made.status, (await bodyOf(made))[name]]).toEqual([201, received]);
      const read = await platform.request(`/things/${at}`);
      expect((await bodyOf(read))[name]).toEqual(received);
      const tag = { 'If-Match': read.headers.get('etag') ?? '' };
      const patched = await platform.request(`/things/${at}`, sendJson({ [name]: received }, 'PATCH', tag));
      expect(patched.status).toBe(200);
      const [status, pointer] = (await pointersOf(
        await post('/things', { id: 1000 + at, [name]: wrong }),
      )) as [number, string];
      expect([status, pointer.split('/')[1]]).toEqual([422, name]);
    },
  );

  it('rows of such types are filtered and paged', async () => {
    for (const [id, pay, lease] of [
      [1, '5.00', 'P1D'],
      [2, '12.50', 'PT25H'],
      [3, '7.00', 'P1M'],
      [4, '1.25', 'PT1H'],
    ] as const)
      expect((await post('/hosts', { id, ip: `10.0.0.${id}`, pay, lease })).status).toBe(201);
    const idsOf = async (path: string): Promise<unknown> => {
      const { hosts } = (await bodyOf(await platform.request(path))) as { hosts: { id: number }[] };
      return hosts.map(({ id }) => id);
    };
    expect(await idsOf('/hosts?ip.eq=10.0.0.2')).toEqual([2]);
    expect(await idsOf('/hosts?ip.in=10.0.0.2,10.0.0.3')).toEqual([2, 3]);
    expect(await idsOf('/hosts?pay.gte=7.00')).toEqual([2, 3]);
    expect(await idsOf('/hosts?pay.in=12.50,-1,1.25')).toEqual([2, 4]);
    for (const query of ['pay.eq=NaN', 'pay.in=NaN', 'pay.in=1.5,infinity', 'pay.in=1.5,,2', 'pay.in=much'])
      expect((await platform.request(`/hosts?${query}`)).status).toBe(400);
    expect(await idsOf('/hosts?lease.lt=P1D')).toEqual([4]);
    for (const sort of ['lease', '-pay', 'ip']) {
      const ids: number[] = [];
      for (let path = `/hosts?sort=${sort}`; path !== '';) {
        const page = (await bodyOf(await platform.request(path))) as {
          hosts: { id: number }[];
          next_cursor: string | null;
        };
        ids.push(...page.hosts.map(({ id }) => id));
        path = page.next_cursor === null ? '' : `/hosts?sort=${sort}&cursor=${page.next_cursor}`;
      }
      expect(ids).toEqual({ lease: [4, 1, 2, 3], '-pay': [2, 3, 1, 4], ip: [1, 2, 3, 4] }[sort]);
    }
    const refused = await platform.request('/hosts?ip.eq=10.0.0.999');
    expect([refused.status, (await bodyOf(refused)).errors]).toEqual([
      400,
      [{ parameter: 'ip.eq', message: 'is not a value of this type' }],
    ]);
  });

  it('such a key has a Location that works, and one that does not exist is 404', async () => {
    const made = await post('/networks', { id: '192.0.2.0/24', label: 'test' });
    const location = made.headers.get('location') ?? '';
    expect([made.status, location]).toEqual([201, '/networks/192.0.2.0%2F24']);
    expect(await bodyOf(await platform.request(location))).toEqual({ id: '192.0.2.0/24', label: 'test' });
    for (const id of ['10.0.0.0%2F8', '999.0.0.1', '10.0.0.1%2F8', 'x'])
      expect((await platform.request(`/networks/${id}`)).status).toBe(404);
  });

  it('a type that clients cannot write is warned about, with what to do', () => {
    const warnings = platform.application.warnings.filter((text) => text.includes('tsvector'));
    expect(warnings).toEqual([
      'The service Text of Tables-v1: the column "words" of texts has the type tsvector, whose values clients can read and not write. It is NOT NULL and has no default, so that no row can be created. Give it a default, set it in a trigger or a hook, allow NULL, or use another type.',
      'The service Text of Tables-v1: the column "later" of texts has the type tsvector, whose values clients can read and not write. Use another type, or declare it as "read_only": true.',
    ]);
  });

  it('the values are documented with their notation', async () => {
    const response = await platform.request('/platform/documentation/Tables-v1', {
      headers: { Accept: 'application/vnd.oai.openapi+json' },
    });
    const text = await response.text();
    for (const known of ['An IPv4 or IPv6 address', 'A duration (ISO 8601).', 'A range of integers.'])
      expect(text).toContain(known);
  });
});

describe('an interval of PostgreSQL', () => {
  it.each([
    ['1 year 2 mons -3 days +04:05:06.7', 'P1Y2M-3DT4H5M6.7S'],
    ['-1 days +00:00:01', 'P-1DT1S'],
    ['-04:05:06', 'PT-4H-5M-6S'],
    ['00:00:00', 'PT0S'],
    ['1 mon', 'P1M'],
    ['100:00:00', 'PT100H'],
    ['00:00:00.05', 'PT0.05S'],
    ['P1D', 'P1D'],
  ])('%s is %s', (text, iso) => expect(isoDuration(text)).toBe(iso));
});
