import { readFileSync } from 'node:fs';
import path from 'node:path';
import { errors } from '../../../../src/framework/problem/errors';
import { ROOT, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { textOf } from '../../../factories/http/requests';

interface ProblemDocument {
  readonly type: string;
}

const problemOf = async (response: Response): Promise<ProblemDocument> =>
  JSON.parse(await textOf(response)) as ProblemDocument;

describe('the error reference', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      local: {
        server: { base_url: '/gateway' },
        'platform-mvc-auth': { authorization: { '@documentation': 'authenticated' } },
      },
    });
  });
  afterAll(() => platform.stop());

  it('is a public page with an entry per error, even if the documentation is not public', async () => {
    const page = await platform.request('/gateway/platform/errors', { headers: { accept: 'text/html' } });
    const html = await textOf(page);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('vary')).toContain('Accept');
    for (const code of Object.keys(errors)) expect(html).toContain(`<h2 id="${code}">${code}</h2>`);
    // A status at the beginning of a paragraph is not a numbered list.
    expect(html).toContain('<p>400. The request could not be understood.');
    expect(html).not.toContain('<ol start');
    // Other files of docs/ are not served.
    expect(html).not.toMatch(/href="[^"]*\.md/);
    // HTML in Markdown is shown as text.
    expect(html).not.toMatch(/&lt;\/\w+&gt;/);
  });

  it('is available as Markdown, and responds 406 for other formats', async () => {
    const answer = await platform.request('/gateway/platform/errors', {
      headers: { accept: 'text/markdown' },
    });
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await textOf(answer)).toMatch(/^# Errors\n/);
    const refused = await platform.request('/gateway/platform/errors', { headers: { accept: 'image/png' } });
    expect([refused.status, (await problemOf(refused)).type]).toEqual([
      406,
      '/gateway/platform/errors#not_acceptable',
    ]);
  });

  it('is the target of problem types', async () => {
    const { type } = await problemOf(await platform.request('/gateway/nowhere'));
    expect(type).toBe('/gateway/platform/errors#route_not_found');
    const url = new URL(type, platform.origin);
    const html = await textOf(await fetch(url, { headers: { accept: 'text/html' } }));
    expect(html).toContain(`id="${url.hash.slice(1)}"`);
  });

  it('has the entries of the published file', () => {
    const { files } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      readonly files: readonly string[];
    };
    expect(files).toContain('docs');
  });
});

describe('the page of a problem', () => {
  it('names the invalid parameters of a query', async () => {
    const platform = await startTestPlatform();
    const answer = await platform.request('/v2/atlas/countries?page=0', {
      headers: { accept: 'text/html,*/*;q=0.8' },
    });
    const html = await textOf(answer);
    await platform.stop();
    expect(answer.status).toBe(400);
    expect(html).toContain('<dt><code>page</code></dt>');
  });
});

describe('the type of a problem', () => {
  it('is absolute with a configured public URL', async () => {
    const platform = await startTestPlatform({
      local: { server: { public_url: 'https://api.example.com' } },
    });
    try {
      const { type } = await problemOf(await platform.request('/nowhere'));
      expect(type).toBe('https://api.example.com/platform/errors#route_not_found');
    } finally {
      await platform.stop();
    }
  });

  it('is the section of the RFC without an error reference', async () => {
    const platform = await startTestPlatform({ modules: ['content-negotiation', 'hosting'] });
    try {
      const { type } = await problemOf(await platform.request('/nowhere'));
      expect(type).toBe('https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5');
    } finally {
      await platform.stop();
    }
  });

  it.each(['https://api.example.com/', 'https://api.example.com/a?b', 'api.example.com'])(
    'rejects the public URL %s',
    async (url) => {
      const local = { server: { public_url: url } };
      await expect(startTestPlatform({ local })).rejects.toThrow(
        /server\.public_url.*without a slash at the end/s,
      );
    },
  );
});
