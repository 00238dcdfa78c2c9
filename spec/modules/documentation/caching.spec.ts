import { ContainerModule } from 'inversify';
import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { JsonModel, type Module } from '../../../src/platform';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../factories/platform';
import { basic } from '../../factories/requests';
import { authenticatedBy, PEOPLE } from '../../fixtures/people';

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
  readonly body: Buffer;
}

/** Over `node:http`, as `fetch` undoes codings by itself. */
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
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('Documentation', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ local: sampleAuthentication })));
  afterAll(() => platform.stop());

  const each = SCOPES.flatMap((scope) => FORMATS.map((accept) => [scope, accept] as const));

  it.each(each)(
    'at "%s" as %s is the same in every coding, under tags of their own',
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

  it.each(each)('at "%s" as %s is not sent again to who has it', async (scope, accept) => {
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

  it('has another tag in every format, and the same one every time', async () => {
    const tags = await Promise.all(
      FORMATS.map(async (accept) => (await read(platform, '/Atlas', { accept })).headers.etag),
    );
    const again = await Promise.all(
      FORMATS.map(async (accept) => (await read(platform, '/Atlas', { accept })).headers.etag),
    );
    expect(again).toEqual(tags);
    // The vendor type's and OpenAPI's own, too, though they name the same document.
    expect(new Set(tags).size).toBe(FORMATS.length);
  });

  it('says what it varies by, and is to be asked for anew', async () => {
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

  it('answers HEAD with the fields of GET', async () => {
    for (const headers of [
      { accept: 'application/json' },
      { accept: 'text/html', 'accept-encoding': 'br' },
    ]) {
      const [get, head] = [
        await read(platform, '/Atlas', headers),
        await read(platform, '/Atlas', headers, 'HEAD'),
      ];
      expect(head.body).toHaveLength(0);
      // Every answer has a date and an id of its own.
      const own = { date: undefined, 'x-request-id': undefined };
      expect({ ...head.headers, ...own }).toEqual({ ...get.headers, ...own });
    }
  });

  it('links to its other formats, each of which is there', async () => {
    const { headers } = await read(platform, '/Atlas-v1/Country', { accept: 'text/html' });
    const links = [...String(headers.link).matchAll(/<([^>]+)>; rel="alternate"; type="([^"]+)"/g)];
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

  it('is listed where machines look for it, by addresses that answer', async () => {
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

  it.each(['identity', 'gzip', 'br'])('is not listed again to who has the list in %s', async (coding) => {
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

describe('Documentation that users sign in to', () => {
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

  it('is for them alone to keep', async () => {
    const { headers } = await read(platform, '', { authorization: basic('ada', 'password') });
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(headers.vary).toContain('Authorization');
  });

  it('gives no 304 to who could not read it', async () => {
    const authorization = basic('ada', 'password');
    const { headers } = await read(platform, '', { authorization });
    const etag = headers.etag ?? '';
    expect((await read(platform, '', { authorization, 'if-none-match': etag })).status).toBe(304);
    const wrong = await read(platform, '', { authorization: basic('ada', 'no'), 'if-none-match': etag });
    expect(wrong.status).toBe(401);
  });
});

describe('A format that an operator adds', () => {
  /** Shows what no cache may keep, and says nothing of caching. */
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

  it('is rendered every time, unless its view model says that it may be kept', async () => {
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

  it('hears the events of the view at every request, though the bytes are kept', async () => {
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
