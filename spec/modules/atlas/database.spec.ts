import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { ConfigObject } from '../../../src/framework';
import { startTestPlatform, ROOT, type TestPlatform } from '../../factories/platform';
import { PostgresServer } from '../../factories/database/postgres';
import { withPrograms } from '../../factories/processes/programs';
import { basic, bodyOf, sendJson } from '../../factories/http/requests';
import { ServerProcesses } from '../../factories/processes/server-process';
import { HOSTING } from '../../factories/processes/start-refusal';
import { authenticatedBy, PEOPLE } from '../../fixtures/people';

const ATLAS = [...HOSTING, 'atlas'];

const project = (adapters: ConfigObject = {}) => ({
  modules: ATLAS,
  local: { ...authenticatedBy('basic'), 'platform-db': { adapters } },
  files: PEOPLE,
});

/** The same requests, whatever the database. */
function behaviour(it: jest.It, adapter: () => Promise<ConfigObject>): void {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform(project(await adapter()))), 60_000);
  afterAll(() => platform.stop());

  const get = async (path: string) => bodyOf(await platform.request(path));
  const codes = async (query: string) => {
    const { countries, total_items } = await get(`/v1/atlas/countries?${query}`);
    const found = (countries as { country_code: string }[]).map(({ country_code }) => country_code);
    return { codes: found.slice(0, 3), total_items };
  };
  const visits = (init: RequestInit = {}, below = '') => {
    const headers = new Headers(init.headers);
    headers.set('Authorization', basic('ada', 'password'));
    return platform.request(`/v1/atlas/visits${below}`, { ...init, headers });
  };

  it('starts without warnings', () => {
    expect(platform.application.warnings).toEqual([]);
  });

  it.each([
    ['', ['AF', 'AL', 'DZ'], 250],
    ['sort=-area', ['RU', 'AQ', 'CA'], 250],
    ['area.gte=5000000&sort=area', ['AU', 'BR', 'US'], 7],
    ['subregion.in=Western Europe,Northern Europe&page_size=3', ['BE', 'DK', 'EE'], 24],
    ['region=europe&language=GERMAN', ['BE', 'DE', 'LI'], 4],
    ['q=LAND&region=Europe&sort=-name', ['AX', 'GB', 'CH'], 9],
    ["q=d'Ivoire", ['CI'], 1],
    ['q=%25', [], 0],
    ['q=åland', ['AX'], 1],
    ['q=ÅLAND', ['AX'], 1],
    ['q=RÉPUBLIQUE', [], 0],
    ['q=SÃO TOMÉ', ['ST'], 1],
    ['q=chIȘ', ['MD'], 1],
    ['q=Aland', ['NZ'], 1],
    ['q=islands%0Aåland', [], 0],
    ['language=MĀORI', ['NZ'], 1],
    ['language=norwegian BOKMÅL', ['NO'], 1],
    ['language=maor', [], 0],
    ['language=nor%0Anorwegian', [], 0],
  ])('lists the countries of ?%s', async (query, found, total) => {
    const result = await codes(query);
    expect(result.total_items).toBe(total);
    expect(result.codes).toEqual(found);
  });

  it('lists countries by nested filters', async () => {
    const filter = { and: [{ area: { gte: 5_000_000 } }, { not: { subregion: { in: ['North America'] } } }] };
    const init = sendJson({ filter, sort: ['-area'], page_size: 2 });
    const found = await bodyOf(await platform.request('/v1/atlas/countries/query', init));
    expect((found.countries as { country_code: string }[]).map(({ country_code }) => country_code)).toEqual([
      'RU',
      'AQ',
    ]);
  });

  it('embeds the countries with a common border, by name', async () => {
    expect(await get('/v1/atlas/countries/pt?embed=borders&fields=name')).toEqual({
      name: 'Portugal',
      borders: [{ country_code: 'ES', name: 'Spain' }],
    });
    const { borders } = await get('/v2/atlas/countries/AT?embed=borders');
    expect((borders as { country_code: string }[]).map(({ country_code }) => country_code)).toEqual([
      'CZ',
      'DE',
      'HU',
      'IT',
      'LI',
      'SK',
      'SI',
      'CH',
    ]);
    expect((await get('/v1/atlas/countries/IS?embed=borders')).borders).toEqual([]);
  });

  it('nests currencies, languages and coordinates in version 2, in order', async () => {
    const text = await (await platform.request('/v2/atlas/countries/DE')).text();
    expect(text).toContain(
      '"currencies":[{"code":"EUR","name":"Euro","symbol":"€"}],"languages":[{"code":"deu","name":"German"}],"area":357114,"location":{"latitude":51,"longitude":9}',
    );
  });

  it('measures distances', async () => {
    expect(await get('/v1/atlas/distance?from=de&to=FR')).toEqual({
      from: 'DE',
      to: 'FR',
      kilometres: 757.7,
    });
  });

  it('keeps visits, changes those in the expected state only, and deletes them', async () => {
    const created = await visits(sendJson({ country_code: 'de' }));
    expect(created.status).toBe(201);
    const { visit_id: id, ...visit } = await bodyOf(created);
    expect(visit).toEqual({ country_code: 'DE', visited_on: null, note: '' });
    expect((await visits(sendJson({ country_code: 'XX' }))).status).toBe(422);
    const below = `/${String(id)}`;
    const stale = sendJson({ note: 'x' }, 'PATCH', { 'If-Match': '"stale"' });
    expect((await visits(stale, below)).status).toBe(412);
    const changed = await visits(sendJson({ country_code: 'fr', visited_on: '2025-06-21' }, 'PATCH'), below);
    expect(await bodyOf(changed)).toMatchObject({ country_code: 'FR', visited_on: '2025-06-21' });
    expect((await visits({ method: 'DELETE' }, below)).status).toBe(204);
    expect(await bodyOf(await visits())).toMatchObject({ visits: [], total_items: 0 });
  });

  it('filters, sorts and searches visits by the words of their text', async () => {
    const made: string[] = [];
    for (const [country_code, visited_on, note] of [
      ['FR', '2025-06-21', 'Rain, and good bread.'],
      ['DE', '2024-01-02', 'Café au lait; no bread'],
      ['AT', null, 'Snow'],
    ] as const) {
      const { visit_id } = await bodyOf(await visits(sendJson({ country_code, visited_on, note })));
      made.push(String(visit_id));
    }
    const codesOf = async (answer: Promise<Response>): Promise<unknown> => {
      const body = await bodyOf(await answer);
      const found = body.visits as { country_code: string }[] | undefined;
      return found === undefined
        ? body
        : [found.map(({ country_code }) => country_code).join(), body.total_items];
    };
    for (const [query, found, total] of [
      ['', 'FR,DE,AT', 3],
      ['q=bread', 'FR,DE', 2],
      ['q=GOOD brea', 'FR', 1],
      ['q=rea', '', 0],
      ['q=café', 'DE', 1],
      ['q=" OR 1', '', 0],
      ['country_code.eq=de', 'DE', 1],
      ['country_code.in=DE,AT&sort=-country_code', 'DE,AT', 2],
      ['visited_on.gte=2025-01-01', 'FR', 1],
      ['visited_on.lte=2024-12-31&q=bread', 'DE', 1],
      ['visited_on.is=null', 'AT', 1],
      ['visited_on.is=not_null&sort=visited_on&page_size=1&page=2', 'FR', 2],
      ['sort=country_code', 'AT,DE,FR', 3],
    ] as const)
      expect([query, await codesOf(visits({}, `?${query}`))]).toEqual([query, [found, total]]);
    const nested = { filter: { not: { country_code: { in: ['DE'] } } }, q: 'snow' };
    expect(await codesOf(visits(sendJson(nested), '/query'))).toEqual(['AT', 1]);
    for (const unknown of ['note.eq=Snow', 'username.eq=bob', 'sort=note'])
      expect((await visits({}, `?${unknown}`)).status).toBe(400);
    await visits(sendJson({ note: 'Sun' }, 'PATCH'), `/${made[2]}`);
    expect(await codesOf(visits({}, '?q=snow'))).toEqual(['', 0]);
    expect(await codesOf(visits({}, '?q=sun'))).toEqual(['AT', 1]);
    for (const id of made) await visits({ method: 'DELETE' }, `/${id}`);
    expect(await codesOf(visits({}, '?q=sun'))).toEqual(['', 0]);
  });

  it.each(['x', '1', '6f0d1c1e-9f5c-7a39-8c0f-0d2a9c1f7b11'])('has no visit %s', async (id) => {
    for (const init of [{}, sendJson({ note: 'x' }, 'PATCH'), { method: 'DELETE' }])
      expect((await visits(init, `/${id}`)).status).toBe(404);
  });
}

describe('Atlas on the embedded database', () => behaviour(it, () => Promise.resolve({})));

const postgresTests = withPrograms('postgres');
postgresTests.describe('Atlas on PostgreSQL', () => {
  let server: PostgresServer;
  behaviour(postgresTests.it, async () => {
    server = await PostgresServer.start();
    return { atlas: { adapter: 'PostgresAdapter', options: { url: server.url() } } };
  });
  afterAll(() => server.close());
});

describe('the database of Atlas', () => {
  const servers = new ServerProcesses();
  afterEach(() => servers.clear());

  const visit = async (origin: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('Authorization', basic('ada', 'password'));
    return fetch(`${origin}/v1/atlas/visits`, { ...init, headers });
  };

  it('keeps visits over a restart', async () => {
    const root = servers.project(project());
    const first = servers.start(['--root', root]);
    expect((await visit(await first.origin(), sendJson({ country_code: 'DE' }))).status).toBe(201);
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    const second = servers.start(['--root', root]);
    expect(await bodyOf(await visit(await second.origin()))).toMatchObject({
      visits: [{ country_code: 'DE' }],
      total_items: 1,
    });
    expect(existsSync(path.join(root, 'data/atlas.sqlite'))).toBe(true);
  });

  it('is filled once by several servers that start at the same moment', async () => {
    const root = servers.project(project());
    const started = Array.from({ length: 3 }, () => servers.start(['--root', root]));
    for (const server of started) {
      const response = await fetch(`${await server.origin()}/v1/atlas/countries?page_size=1`);
      expect(await bodyOf(response)).toMatchObject({ total_items: 250 });
    }
  });

  it('is explained if its folder cannot be written; the documentation is available', async () => {
    const { modules, local, files } = project();
    // A file instead of the folder, which refuses the superuser as well.
    const platform = await startTestPlatform({
      modules: [...modules, 'documentation'],
      local,
      files: { ...files, data: '' },
    });
    try {
      expect(platform.application.warnings).toContainEqual(
        expect.stringContaining('set platform-db.adapters.atlas.options.file to a file in one that is.'),
      );
      for (const path of ['/atlas/countries/DE', '/atlas/distance?from=DE&to=FR']) {
        const response = await platform.request(path);
        expect([path, response.status]).toEqual([path, 503]);
        expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      }
      expect((await platform.request('/platform/documentation/Atlas-v1')).status).toBe(200);
    } finally {
      await platform.stop();
    }
  });

  it('can be the PostgreSQL of compose.yaml, as README.md configures it', () => {
    const { services } = parse(readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8')) as {
      services: { database: { environment: Record<string, string>; ports: string[] } };
    };
    const { environment, ports } = services.database;
    const url = `postgres://${environment.POSTGRES_USER}:${environment.POSTGRES_PASSWORD}@127.0.0.1:5432/${environment.POSTGRES_DB}`;
    expect(ports).toEqual(['127.0.0.1:5432:5432']);
    expect(readFileSync(path.join(ROOT, 'README.md'), 'utf8')).toContain(url);
  });
});
