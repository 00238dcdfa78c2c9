import { ContainerModule } from 'inversify';
import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { JsonModel, type Module } from '../../../../src/platform';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { authenticatedBy, PEOPLE } from '../../../fixtures/people';

const FORMATS = [
  'application/json',
  'text/html',
  'application/vnd.apidesc+json',
  'application/vnd.oai.openapi+json',
  'application/yaml',
  'application/vnd.swagger+json',
  'text/markdown',
];
const SCOPES = ['', '/Atlas', '/Atlas-v1', '/Atlas/Visit'];

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The lines of `Link`. */
  readonly links: readonly string[];
  readonly body: Buffer;
}

/** Over `node:http`, because `fetch` decodes content. */
function read(
  platform: TestPlatform,
  scope: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(`${platform.origin}/platform/documentation${scope}`, { method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      const { statusCode: status = 0, headers, headersDistinct } = answer;
      const { link: links = [] } = headersDistinct;
      answer.on('end', () => resolve({ status, headers, links, body: Buffer.concat(parts) }));
    })
      .on('error', reject)
      .end();
  });
}

describe('the caching of documentation', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ local: sampleAuthentication })));
  afterAll(() => platform.stop());

  const each = SCOPES.flatMap((scope) => FORMATS.map((accept) => [scope, accept] as const));

  it.each(each)(
    'at "%s" as %s: each coding has the same content, and its own entity tag',
    async (scope, accept) => {
      const plain = await read(platform, scope, { accept });
      const gzip = await read(platform, scope, { accept, 'accept-encoding': 'gzip' });
      const br = await read(platform, scope, { accept, 'accept-encoding': 'gzip, br' });
      expect([plain, gzip, br].map(({ status }) => status)).toEqual([200, 200, 200]);
      const isSmall = plain.body.length < 860;
      expect([gzip, br].map(({ headers }) => headers['content-encoding'])).toEqual(
        isSmall ? [undefined, undefined] : ['gzip', 'br'],
      );
      if (isSmall) return;
      expect(gunzipSync(gzip.body)).toEqual(plain.body);
      expect(brotliDecompressSync(br.body)).toEqual(plain.body);
      expect(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size).toBe(3);
      expect(gzip.headers['content-length']).toBe(String(gzip.body.length));
    },
  );

  it.each(each)('at "%s" as %s: responds 304 if it is current', async (scope, accept) => {
    for (const coding of ['identity', 'gzip', 'br']) {
      const headers = { accept, 'accept-encoding': coding };
      const { headers: first } = await read(platform, scope, headers);
      const again = await read(platform, scope, {
        ...headers,
        'if-none-match': `"other", ${first.etag ?? ''}`,
      });
      expect(again.status).toBe(304);
      expect(again.body).toHaveLength(0);
      expect(again.headers.etag).toBe(first.etag);
      expect(again.headers.vary).toBe(first.vary);
      expect(again.headers['cache-control']).toBe(first['cache-control']);
    }
  });

  it('has a stable entity tag per format', async () => {
    const tags = await Promise.all(
      FORMATS.map(async (accept) => (await read(platform, '/Atlas', { accept })).headers.etag),
    );
    const again = await Promise.all(
      FORMATS.map(async (accept) => (await read(platform, '/Atlas', { accept })).headers.etag),
    );
    expect(again).toEqual(tags);
    // The vendor type and that of OpenAPI differ too, although the document is the same.
    expect(new Set(tags).size).toBe(FORMATS.length);
  });

  it('has Vary, and requires revalidation', async () => {
    const { headers } = await read(platform, '', {});
    expect(headers.vary?.split(', ').sort()).toEqual(['Accept', 'Accept-Encoding']);
    expect(headers['cache-control']).toBe('no-cache');
  });

  it('does not depend on Host', async () => {
    for (const accept of FORMATS) {
      const [one, other] = await Promise.all(
        ['a.example', 'b.example:99'].map((host) => read(platform, '/Atlas', { accept, host })),
      );
      expect(one?.body).toEqual(other?.body);
    }
  });

  it('responds to HEAD with the fields of GET', async () => {
    for (const headers of [
      { accept: 'application/json' },
      { accept: 'text/html', 'accept-encoding': 'br' },
    ]) {
      const [get, head] = [
        await read(platform, '/Atlas', headers),
        await read(platform, '/Atlas', headers, 'HEAD'),
      ];
      expect(head.body).toHaveLength(0);
      // Each response has its own date and request ID.
      const own = { date: undefined, 'x-request-id': undefined };
      expect({ ...head.headers, ...own }).toEqual({ ...get.headers, ...own });
    }
  });

  it('links to its other formats in one field line', async () => {
    const { links: lines } = await read(platform, '/Atlas-v1/Country', { accept: 'text/html' });
    expect(lines).toHaveLength(1);
    const links = [...String(lines[0]).matchAll(/<([^>]+)>; rel="alternate"; type="([^"]+)"/g)];
    expect(links.map(([, , type]) => type)).toEqual([
      'application/json',
      'application/vnd.apidesc+json',
      'application/vnd.oai.openapi+json;version=3.1',
      'application/yaml',
      'application/vnd.swagger+json',
      'text/markdown',
    ]);
    for (const [, target = '', type = ''] of links) {
      const answer = await platform.request(target);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')?.replace(/; charset.*/, '')).toBe(type);
    }
  });

  it('is linked to from the API', async () => {
    const answer = await platform.request('/v1/atlas/countries/DE');
    const target = /<([^>]+)>; rel="service-desc"/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
    const description: unknown = await (await platform.request(target)).json();
    expect(description).toMatchObject({ openapi: '3.1.1', info: { title: 'Atlas', version: '1' } });
  });

  it('is listed in the API catalog, with working URLs', async () => {
    const answer = await platform.request('/.well-known/api-catalog');
    expect(answer.headers.get('content-type')).toContain('application/linkset+json');
    type Link = { readonly href: string; readonly type?: string };
    const { linkset } = (await answer.json()) as {
      linkset: { anchor: string; item: Link[]; 'service-desc'?: Link[]; 'service-doc'?: Link[] }[];
    };
    expect(linkset.map(({ anchor }) => anchor)).toEqual([
      '/.well-known/api-catalog',
      '/platform/documentation/Atlas-v1',
      '/platform/documentation/Atlas-v2',
    ]);
    expect(linkset[0]?.item.map(({ href }) => href)).toEqual(linkset.slice(1).map(({ anchor }) => anchor));
    expect(linkset[2]?.item.map(({ href }) => href)).toContain('/v2/atlas/countries');
    for (const one of linkset) {
      const described = [...(one['service-desc'] ?? []), ...(one['service-doc'] ?? [])];
      for (const { href } of described) expect((await platform.request(href)).status).toBe(200);
      for (const href of [one.anchor, ...one.item.map((item) => item.href)])
        expect((await platform.request(href)).status).not.toBe(404);
    }
  });

  it.each(['identity', 'gzip', 'br'])('responds 304 for the API catalog in %s', async (coding) => {
    const path = '/.well-known/api-catalog';
    const headers = { 'accept-encoding': coding };
    const { headers: first } = await platform.request(path, { headers });
    expect(first.get('etag')).toMatch(/^"/);
    const again = await platform.request(path, {
      headers: { ...headers, 'if-none-match': first.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    expect(again.headers.get('cache-control')).toBe(first.get('cache-control'));
  });
});

describe('documentation that requires authentication', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const people = authenticatedBy('people');
    const { authentication } = people['platform-mvc-auth'] as { readonly authentication: object };
    const map = { '@documentation': 'people' };
    platform = await startTestPlatform({
      files: PEOPLE,
      local: { 'platform-mvc-auth': { authentication: { ...authentication, map } } },
    });
  });
  afterAll(() => platform.stop());

  it('is private', async () => {
    const { headers } = await read(platform, '', { authorization: basic('ada', 'password') });
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(headers.vary).toContain('Authorization');
  });

  it('does not respond 304 to guests', async () => {
    const authorization = basic('ada', 'password');
    const { headers } = await read(platform, '', { authorization });
    const etag = headers.etag ?? '';
    expect((await read(platform, '', { authorization, 'if-none-match': etag })).status).toBe(304);
    const wrong = await read(platform, '', { authorization: basic('ada', 'no'), 'if-none-match': etag });
    expect(wrong.status).toBe(401);
  });
});

describe('a custom format', () => {
  /** Renders content that must not be cached, and does not declare whether it is cacheable. */
  class ClockModel extends JsonModel {
    override serialize(): unknown {
      return { now: process.hrtime.bigint().toString() };
    }
  }
  class StillModel extends ClockModel {
    static override readonly cacheable = true;
  }
  const clocks: Module = {
    name: 'clocks',
    services: new ContainerModule(({ bind }) => {
      bind('ClockModel').toConstantValue(ClockModel);
      bind('StillModel').toConstantValue(StillModel);
    }),
  };
  const selectors = {
    Documentation: { ClockModel: ['application/clock+json'], StillModel: ['application/still+json'] },
  };

  it('is rendered each time, unless its view model is cacheable', async () => {
    const platform = await startTestPlatform({
      extra: [clocks],
      local: { 'platform-content-negotiation': { selectors } },
    });
    const twice = async (accept: string): Promise<readonly string[]> => [
      (await read(platform, '', { accept })).body.toString(),
      (await read(platform, '', { accept })).body.toString(),
    ];
    const [first, second] = await twice('application/clock+json');
    expect(first).not.toBe(second);
    expect((await read(platform, '', { accept: 'application/clock+json' })).headers.etag).toBeUndefined();
    const [still, same] = await twice('application/still+json');
    expect(same).toBe(still);
    await platform.stop();
  });

  it('triggers the events of the view on each request, although the bytes are cached', async () => {
    let heard = 0;
    const listening: Module = {
      name: 'listening',
      onBootstrap: ({ application }) => {
        application.view.events.attach('response', () => heard++, 300);
      },
    };
    const platform = await startTestPlatform({ extra: [listening] });
    for (let times = 0; times < 3; times++) await read(platform, '', { accept: 'application/json' });
    expect(heard).toBe(3);
    await platform.stop();
  });
});
