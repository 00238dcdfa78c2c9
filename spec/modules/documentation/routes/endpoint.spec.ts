import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';

const HTML = 'text/html; charset=utf-8';
const APIDESC = 'application/vnd.apidesc+json';

let platform: TestPlatform;
beforeAll(async () => (platform = await startTestPlatform({ local: sampleAuthentication })));
afterAll(() => platform.stop());

const ask = (below: string, accept?: string, method = 'GET'): Promise<Response> =>
  platform.request(`/platform/documentation${below}`, {
    method,
    headers: accept === undefined ? {} : { Accept: accept },
  });

describe('the scope of the documentation', () => {
  it('defaults to the list of APIs, with names and versions', async () => {
    const answer = await ask('', 'application/json');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual([{ name: 'Atlas', versions: [1, 2] }]);
  });

  it.each([
    ['/Atlas', 2],
    ['/Atlas-v1', 1],
    ['/Atlas-v2', 2],
  ])('is an API at %s, in version %d', async (below, version) => {
    const api = await bodyOf(await ask(below, 'application/json'));
    expect(api).toMatchObject({ name: 'Atlas', version });
    expect(api.services).toMatchObject([{ name: 'Country' }, { name: 'Visit' }, { name: 'Distance' }]);
  });

  it.each(['/Atlas/Visit', '/Atlas-v1/Visit'])('is a service at %s', async (below) => {
    expect(await bodyOf(await ask(below, 'application/json'))).toMatchObject({
      name: 'Visit',
      route: '/atlas/visits[/:visit_id]',
      route_identifier_name: 'visit_id',
      // The query, and the new visit.
      operations: [{ http_method: 'GET' }, { http_method: 'POST' }, { http_method: 'POST' }],
      entity_operations: [{ http_method: 'GET' }, { http_method: 'PATCH' }, { http_method: 'DELETE' }],
    });
  });

  it('may be a procedure, without an entity', async () => {
    expect(await bodyOf(await ask('/Atlas/Distance', 'application/json'))).toMatchObject({
      route_identifier_name: null,
      operations: [{ http_method: 'GET', requires_authorization: false }],
      entity_operations: [],
    });
  });

  it.each([
    ['/Atlsa', { apis: ['Atlas'], did_you_mean: 'Atlas' }],
    ['/atlas', { apis: ['Atlas'], did_you_mean: 'Atlas' }],
    ['/Atlas-v3', { api: 'Atlas', versions: [1, 2] }],
    ['/Atlas-v0', { api: 'Atlas', versions: [1, 2] }],
    ['/Atlas/Countries', { api: 'Atlas', services: ['Country', 'Visit', 'Distance'] }],
    ['/Atlas-v1/Vist', { version: 1, did_you_mean: 'Visit' }],
    ['/__proto__', { apis: ['Atlas'] }],
    ['/Atlas/constructor', { services: ['Country', 'Visit', 'Distance'] }],
    ['/Atlas/Visit/GET', {}],
    ['/Atlas-vx', { apis: ['Atlas'] }],
  ])('is unknown at %s: responds 404 with the available names', async (below, expected) => {
    const answer = await ask(below, 'application/json');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await bodyOf(answer)).toMatchObject({ status: 404, title: 'Not Found', ...expected });
  });

  it('responds 404 with a page to browsers', async () => {
    const answer = await ask('/Atlsa', 'text/html');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe(HTML);
    expect(await answer.text()).toContain('<a href="/platform/documentation/Atlas">Atlas</a>');
  });
});

describe('the format of the documentation', () => {
  it.each([
    ['application/json', 'application/json'],
    ['Application/JSON', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    [APIDESC, APIDESC],
    ['text/html', HTML],
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/*', HTML],
    ['text/html;q=0.5, application/json;q=0.4', HTML],
    ['text/html;q=0, */*;q=0.1', 'application/json'],
    ['image/png, application/vnd.apidesc+json;q=0.1', APIDESC],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', HTML],
  ])('for Accept: %s is %s', async (accept, type) => {
    for (const below of ['', '/Atlas', '/Atlas-v1/Country']) {
      // fetch would send */* by default.
      const answer = await ask(below, accept ?? '*/*');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe(type);
      expect(answer.headers.get('vary')).toContain('Accept');
    }
  });

  it.each([
    ['json', 'application/json'],
    ['html', HTML],
    ['apidesc', APIDESC],
  ])('named %s in the query takes precedence over Accept', async (format, type) => {
    const answer = await ask(`/Atlas?format=${format}`, 'image/png');
    expect(answer.headers.get('content-type')).toBe(type);
  });

  it('that is not available gets a 406 with those that are', async () => {
    const answer = await ask('', 'image/png, text/plain');
    expect(answer.status).toBe(406);
    expect(answer.headers.get('vary')).toContain('Accept');
    expect(await bodyOf(answer)).toMatchObject({
      status: 406,
      available: [
        'application/json',
        'text/html',
        APIDESC,
        'application/vnd.oai.openapi+json;version=3.1',
        'application/yaml',
        'application/vnd.oai.openapi;version=3.1',
        'application/vnd.swagger+json',
        'text/markdown',
      ],
    });
  });

  it.each(['', 'png', 'JSON', '__proto__'])(
    'with the unknown name "%s" gets a 406 with the known ones',
    async (name) => {
      const answer = await ask(`?format=${name}`, 'application/json');
      expect(answer.status).toBe(406);
      expect(await bodyOf(answer)).toMatchObject({
        formats: ['json', 'html', 'apidesc', 'openapi', 'yaml', 'swagger', 'markdown'],
      });
    },
  );
});

describe('the methods of the documentation', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('do not include %s', async (method) => {
    for (const below of ['', '/Atlas', '/Atlas/Country']) {
      const answer = await ask(below, 'application/json', method);
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'OPTIONS']);
      expect(await bodyOf(answer)).toMatchObject({ status: 405, title: 'Method Not Allowed' });
    }
  });

  it('include HEAD: the fields of GET without a body', async () => {
    for (const accept of ['application/json', 'text/html', APIDESC]) {
      const [head, get] = [await ask('/Atlas', accept, 'HEAD'), await ask('/Atlas', accept)];
      expect(head.status).toBe(200);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
      expect(await head.text()).toBe('');
    }
  });

  it('include OPTIONS', async () => {
    const answer = await ask('/Atlas', undefined, 'OPTIONS');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toContain('GET');
  });
});

describe('with a base URL', () => {
  it('the documentation has the base URL too, and the root redirects to it', async () => {
    const based = await startTestPlatform({ local: { server: { base_url: '/gateway/one' } } });
    try {
      const page = await based.request('/gateway/one/platform/documentation', {
        headers: { Accept: 'text/html' },
      });
      expect(page.status).toBe(200);
      expect(await page.text()).not.toMatch(/(href|src)="\/(?!gateway\/one\/)/);
      expect((await based.request('/platform/documentation')).status).toBe(404);
      const home = await based.request('/gateway/one/');
      expect(home.headers.get('location')).toBe('/gateway/one/platform/documentation');
    } finally {
      await based.stop();
    }
  });
});
