import { contrast } from '../../../../src/modules/documentation/pages/colour';
import { attributes } from '../../../factories/browser/crawl';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { startRefusal } from '../../../factories/processes/start-refusal';

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect width="16" height="16"/></svg>';

const GUIDES = {
  'texts/10-second.md':
    '# Paging\n\nHow lists come in **pages**.\n\n## The next page\n\nSee [the first](02-first-steps.md#why).',
  'texts/02-first-steps.md':
    '# First steps\n\nWhat to do first.\n\n## Why\n\n<script>alert(1)</script>\n\n## Why\n\n![x](https://evil.example/x.png) [bad](javascript:alert(1))',
  'texts/notes.txt': 'No guide.',
};

describe('customized pages', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      files: { 'logo.svg': LOGO, ...GUIDES },
      local: {
        'platform-documentation': {
          name: 'Example & Sons',
          logo: 'logo.svg',
          accent: { light: '#7a1f5c', dark: '#f0a8d8' },
          footer: 'By [us](https://example.org/imprint). <b>No markup.</b>',
          guides: 'texts',
        },
      },
    });
  });
  afterAll(() => platform.stop());

  const read = async (path: string): Promise<string> =>
    (await platform.request(path, { headers: { accept: 'text/html' } })).text();

  it.each(['/platform/documentation', '/platform/documentation/Atlas', '/platform/documentation/Atlsa'])(
    'have name, logo, accent and footer: %s',
    async (path) => {
      const text = await read(path);
      expect(text).toContain('Example &amp; Sons');
      expect(text).not.toContain('API documentation');
      expect(text).toContain('<a href="https://example.org/imprint" rel="noopener">us</a>');
      expect(text).toContain('&lt;b&gt;No markup.&lt;/b&gt;');
      const [logo = ''] = attributes(text, 'src').filter((src) => src.includes('logo'));
      expect((await platform.request(logo)).headers.get('content-type')).toBe('image/svg+xml');
      const styles = attributes(text, 'href').find((href) => href.includes('accent.css')) ?? '';
      expect(await (await platform.request(styles)).text()).toContain('--accent: #7a1f5c');
    },
  );

  it('list the guides in the order of their files', async () => {
    const text = await read('/platform/documentation');
    expect(text.indexOf('First steps')).toBeGreaterThan(0);
    expect(text.indexOf('First steps')).toBeLessThan(text.indexOf('Paging'));
    expect(text).toContain('How lists come in pages.');
  });

  it('show a guide with escaped text and links to guides', async () => {
    const answer = await platform.request('/platform/guides/first-steps');
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(answer.headers.get('etag')).not.toBeNull();
    const text = await answer.text();
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('<h2 id="why">');
    expect(text).toContain('<h2 id="why-2">');
    expect(text).not.toMatch(/evil\.example|href="javascript:/);
    expect(await read('/platform/guides/second')).toContain('href="first-steps#why"');
  });

  it('find guides and their headings', async () => {
    const { results } = (await (await platform.request('/platform/search?q=the+next+page')).json()) as {
      results: readonly Record<string, unknown>[];
    };
    expect(results[0]).toMatchObject({
      kind: 'guide',
      title: 'The next page',
      within: 'Paging',
      url: '/platform/guides/second#the-next-page',
      text: '',
    });
  });

  it('suggest the closest guide', async () => {
    const answer = await platform.request('/platform/guides/frist-steps', {
      headers: { accept: 'text/html' },
    });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain(
      'Did you mean <a href="/platform/guides/first-steps">first-steps</a>?',
    );
  });
});

describe('settings of the documentation', () => {
  const refusal = (settings: object, files: Record<string, string> = {}): Promise<string> =>
    startRefusal({ files, local: { 'platform-documentation': { ...settings } } });

  it('are rejected with a message', async () => {
    expect(await refusal({ logo: 'none.svg' })).toMatch(
      /platform-documentation\.logo is "none\.svg", but the file/,
    );
    expect(await refusal({ logo: 'logo.exe' }, { 'logo.exe': '' })).toContain(
      'which is not a supported image type',
    );
    expect(await refusal({ guides: 'nowhere' })).toMatch(/guides is "nowhere", which cannot be read/);
    expect(await refusal({ guides: 'a' }, { 'a/1-x.md': '', 'a/2-x.md': '' })).toContain(
      'two files define the guide "x"',
    );
    expect(await refusal({ accent: { light: 'red', dark: '#ffffff' } })).toContain('six hexadecimal digits');
  });

  it('warn about low contrast', async () => {
    const platform = await startTestPlatform({
      local: { 'platform-documentation': { accent: { light: '#ffee00', dark: '#ffee00' } } },
    });
    const warnings = platform.application.warnings.filter((text) => text.includes('accent'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('platform-documentation.accent.light is #ffee00');
    await platform.stop();
  });

  it('measure contrast by WCAG', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });
});
