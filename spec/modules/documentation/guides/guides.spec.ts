import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { attributes } from '../../../factories/browser/crawl';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { makeProject } from '../../../factories/platform';
import { GuideImages } from '../../../../src/modules/documentation/guides/guide-images';
import {
  authentication,
  CLUB_ADAPTERS,
  CLUB_FILES,
  ClubModule,
  PASSWORD,
} from '../../../fixtures/club-module';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>alert(1)</script></svg>';

const FILES = {
  'secret.png': 'not for readers',
  'texts/10-start.md': [
    '# Start',
    'The plan: ![The "plan"](images/the%20plan.svg "A plan")',
    '## Install',
    '### On Linux',
    '#### In detail',
    '## Contents of page',
    '## Content',
    '![](images/dot.png)',
    '![Secret](../secret.png) ![Encoded](..%2fsecret.png) ![Text](notes.txt) ![Missing](gone.png)',
    '![Elsewhere](https://example.com/x.png) ![Root](/x.png) ![Data](data:image/png;base64,AAAA)',
  ].join('\n\n'),
  'texts/20-next.md':
    '# Next one\n\nThe next  \nguide.\n\n[Latin-1](caf%E9.md) [Start](./10-start.md#install)\n',
  // As some editors for Windows write files.
  'texts/30-last.md': '\ufeff# Last one\r\n\r\nDone.',
  'texts/images/the plan.svg': SVG,
  'texts/images/dot.png': 'a picture',
  'texts/notes.txt': 'No picture.',
};

describe('a guide', () => {
  let platform: TestPlatform;
  let page: string;
  beforeAll(async () => {
    platform = await startTestPlatform({
      files: FILES,
      local: { server: { base_url: '/gateway' }, 'platform-documentation': { guides: 'texts' } },
    });
    page = await read('start');
  });
  afterAll(() => platform.stop());

  const read = async (guide: string): Promise<string> =>
    (await platform.request(`/gateway/platform/guides/${guide}`)).text();
  const images = (): readonly URL[] =>
    attributes(page.slice(page.indexOf('<main')), 'src').map(
      (src) => new URL(src, `${platform.origin}/gateway/platform/guides/start`),
    );

  it('lists its headings of levels two and three', () => {
    const [, contents = ''] = /<nav class="contents"([^]*?)<\/nav>/.exec(page) ?? [];
    expect(attributes(contents, 'href')).toEqual([
      '#install',
      '#on-linux',
      '#contents-of-page-2',
      '#content-2',
    ]);
    expect(contents).toContain('<li class="inner"><a href="#on-linux">On Linux</a></li>');
  });

  it('has no list of contents with fewer than two headings', async () => {
    expect(await read('next')).not.toContain('class="contents"');
  });

  it('has a title after a byte order mark', async () => {
    expect(await read('last')).toContain('<h1>Last one</h1>');
  });

  it('links to the previous and the next guide', async () => {
    const links = (html: string): readonly string[] =>
      [...html.matchAll(/<a rel="(\w+)" href="([^"]+)">/g)].map(
        ([, rel = '', href = '']) => `${rel} ${href}`,
      );
    expect(links(page)).toEqual(['next next']);
    expect(links(await read('next'))).toEqual(['prev start', 'next last']);
    expect(links(await read('last'))).toEqual(['prev next']);
  });

  it('is listed and found with its first paragraph, at the top level', async () => {
    const headers = { accept: 'text/html' };
    const list = await (await platform.request('/gateway/platform/documentation', { headers })).text();
    expect(list).toContain('<p class="quiet">The next guide.</p>');
    const found = await (await platform.request('/gateway/platform/search?q=next+one', { headers })).text();
    expect(found).toContain('<span class="found-where">guide</span>');
  });

  it('shows images of its folder', async () => {
    expect(page).toContain('alt="The &quot;plan&quot;" title="A plan"');
    const [plan, dot, ...others] = images();
    expect(others).toEqual([]);
    expect(plan?.pathname).toMatch(/^\/gateway\/platform\/guides\/images\/[\da-f]{12}-the-plan\.svg$/);
    const answer = await fetch(plan ?? '');
    expect(await answer.text()).toBe(SVG);
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const etag = answer.headers.get('etag') ?? '';
    expect((await fetch(plan ?? '', { headers: { 'If-None-Match': etag } })).status).toBe(304);
    const head = await fetch(dot ?? '', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('shows the alternative text of other images, and reports those of relative paths at startup', () => {
    for (const text of ['Secret', 'Encoded', 'Text', 'Missing', 'Elsewhere', 'Root', 'Data'])
      expect(page).toMatch(new RegExp(`[> ]${text}[< ]`));
    const warnings = platform.application.warnings.filter((text) => text.includes('image "'));
    expect(warnings.map((text) => /image ".*(?=\. Its)/.exec(text)?.[0])).toEqual([
      'image "../secret.png", which is outside the folder of the guides',
      'image "..%2fsecret.png", which is outside the folder of the guides',
      'image "notes.txt", whose file type is not supported; supported: .avif, .gif, .jpeg, .jpg, .png, .svg, .webp',
      'image "gone.png", which cannot be read',
    ]);
  });

  it.each(['..%2f..%2fsecret.png', 'the-plan.svg', 'dot.png', '%00'])(
    'serves no other file: %s',
    async (name) => {
      const answer = await platform.request(`/gateway/platform/guides/images/${name}`);
      expect(answer.status).toBe(404);
    },
  );
});

it('Images of guides that require authentication are for their readers', async () => {
  const platform = await startTestPlatform({
    extra: [new ClubModule()],
    files: { ...FILES, ...CLUB_FILES },
    local: {
      ...authentication(CLUB_ADAPTERS, { '@documentation': 'basic' }, { '@documentation': 'authenticated' }),
      'platform-documentation': { guides: 'texts' },
    },
  });
  try {
    const headers = { Authorization: basic('bob', PASSWORD) };
    const page = await (await platform.request('/platform/guides/start', { headers })).text();
    const image = attributes(page, 'src').find((src) => src.endsWith('.svg') && src.includes('plan')) ?? '';
    expect((await platform.request(`/platform/guides/${image}`)).status).toBe(401);
    const answer = await platform.request(`/platform/guides/${image}`, { headers });
    expect(answer.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
  } finally {
    await platform.stop();
  }
});

it('A symbolic link to a file outside the folder is not served', () => {
  const root = makeProject({ files: FILES });
  symlinkSync(path.join(root, 'secret.png'), path.join(root, 'texts', 'link.png'));
  const images = new GuideImages(path.join(root, 'texts'));
  expect(images.urlOf('link.png', 'start.md')).toBeUndefined();
  expect(images.urlOf('images/dot.png', 'start.md')).toMatch(/^images\/[\da-f]{12}-dot\.png$/);
});
