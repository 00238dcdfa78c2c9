import fc from 'fast-check';
import { fileNameOf, fileOf, relativeAddress } from '../../../src/command-line/docs/export-path';
import { addressesOf, readdress } from '../../../src/command-line/docs/page-links';
import { anyText } from '../../factories/any-text';

describe('the name of an exported file', () => {
  it('equals a plain name', () => {
    expect(fileNameOf('Atlas-v2')).toBe('Atlas-v2');
  });

  it('is valid on every system, whatever the name', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), (name) => {
        expect(fileNameOf(name)).toMatch(/^[\w~-]{1,89}$/);
      }),
    );
    for (const name of ['..', '.', '', 'con', 'NUL', '../../etc/passwd', 'a\\b', 'a\0b']) {
      expect(fileNameOf(name)).toMatch(/^[\w~-]+$/);
      expect(fileNameOf(name)).not.toBe(name);
    }
  });

  it('is different for different names', () => {
    fc.assert(
      fc.property(anyText(), anyText(), (one, other) => {
        expect(fileNameOf(one) === fileNameOf(other)).toBe(Buffer.from(one).equals(Buffer.from(other)));
      }),
    );
    expect(fileNameOf('a/b')).not.toBe(fileNameOf('a~2fb'));
    expect(fileNameOf('x'.repeat(500))).not.toBe(fileNameOf('x'.repeat(501)));
  });
});

it.each([
  [{ scope: [], query: '', format: undefined }, 'text/html; charset=utf-8', 'index.html'],
  [{ scope: ['Atlas-v2'], query: '', format: 'html' }, 'text/html', 'Atlas-v2/index.html'],
  [
    { scope: ['Atlas-v2', 'Country'], query: '', format: 'json' },
    'application/json',
    'Atlas-v2/Country/documentation.json',
  ],
  [
    { scope: [], query: '', format: 'openapi' },
    'application/vnd.oai.openapi+json;version=3.1',
    'openapi.json',
  ],
  [{ scope: [], query: '', format: 'yaml' }, 'application/yaml', 'documentation.yaml'],
  [{ scope: [], query: '', format: 'markdown' }, 'text/markdown; charset=utf-8', 'markdown.md'],
  [{ scope: [], query: '', format: 'apiblueprint' }, 'text/vnd.apiblueprint+markdown', 'apiblueprint.md'],
  [{ scope: [], query: '', format: 'picture' }, 'image/png', 'picture.bin'],
  [{ scope: ['A-v2'], query: 'compare-1', format: undefined }, 'text/html', 'A-v2/index-compare-1.html'],
])('%j of type %s is the file %s', (place, type, file) => {
  expect(fileOf(place, type)).toBe(file);
});

it('leads from one file to another with a relative path', () => {
  expect(relativeAddress('index.html', 'Atlas-v2/index.html')).toBe('Atlas-v2/index.html');
  expect(relativeAddress('Atlas-v2/Country/index.html', 'assets/platform.css')).toBe(
    '../../assets/platform.css',
  );
});

describe('the URLs of a page', () => {
  const page = `<a class="x" href="/a?b=1&amp;c=&quot;">text href="/no"</a><img src='/i.png'><link rel=icon href=/f>
<code>&lt;a href="/no"&gt;</code><p title='<a href="/no">'>`;

  it('are found in any quoting, and only where they are URLs', () => {
    expect(addressesOf(page)).toEqual(['/a?b=1&c="', '/i.png', '/f']);
  });

  it('are replaced in place, or removed', () => {
    expect(readdress(page, (address) => (address === '/f' ? undefined : 'x?"&'))).toBe(
      `<a class="x" href="x?&quot;&amp;">text href="/no"</a><img src="x?&quot;&amp;"><link rel=icon>
<code>&lt;a href="/no"&gt;</code><p title='<a href="/no">'>`,
    );
  });

  it('are removed together with elements that need a server', () => {
    expect(
      readdress('<b>1</b><script src="/s.js"></script><form action="/f"><input></form>2', () => 'x'),
    ).toBe('<b>1</b>2');
  });
});
