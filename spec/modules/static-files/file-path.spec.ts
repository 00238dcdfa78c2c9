import fc from 'fast-check';
import { filePathOf, hasExtension } from '../../../src/modules/static-files/file-path';

describe('the file that a path names', () => {
  it('has decoded segments', () => {
    expect(filePathOf('/a%20b/%C3%A9.js')).toEqual({ segments: ['a b', 'é.js'], isDirectory: false });
    expect(filePathOf('/a:b.js')?.segments).toEqual(process.platform === 'win32' ? undefined : ['a:b.js']);
    expect(filePathOf('/docs/')).toEqual({ segments: ['docs'], isDirectory: true });
    expect(filePathOf('/')).toEqual({ segments: [], isDirectory: true });
    expect(filePathOf('')).toEqual({ segments: [], isDirectory: false });
  });

  it('is none for paths that lead out of the folder, or are not names of files', () => {
    const refused = [
      '/../secret',
      '/a/../b',
      '/%2e%2e/secret',
      '/%2E./secret',
      '/..%2fsecret',
      '/..%5csecret',
      '/a\\b',
      '/a%00.js',
      '/%zz',
      '/a//b',
      '//evil.example/',
      '//',
      '/./a',
    ];
    expect(refused.map(filePathOf)).toEqual(refused.map(() => undefined));
  });

  it('is none for hidden files, except for well-known locations', () => {
    for (const path of ['/.env', '/.git/config', '/a/.env', '/%2eenv', '/a/.well-known/b'])
      expect(filePathOf(path)).toBeUndefined();
    expect(filePathOf('/.well-known/security.txt')?.segments).toEqual(['.well-known', 'security.txt']);
  });

  it('never has a segment that separates paths or begins with a dot, whatever the path', () => {
    const piece = fc.constantFrom('/', '.', '..', '%2e', '%2f', '%5c', '\\', '%00', '%', '%c0%af', 'a', 'é');
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        for (const segment of filePathOf(`/${pieces.join('')}`)?.segments ?? []) {
          expect(segment).not.toMatch(/^$|[\0/\\]/);
          expect(segment === '.well-known' || !segment.startsWith('.')).toBe(true);
        }
      }),
    );
  });

  it('has an extension if it is an asset', () => {
    const named = (path: string): boolean =>
      hasExtension(filePathOf(path) ?? { segments: [], isDirectory: false });
    expect(['/app.js', '/v1.2/users', '/a.b.', '/users', '/'].map(named)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
