import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { Sessions } from '../../src/client/sessions';
import { ROOT } from '../factories/platform';

/** The module of the console, which the client shares: as a script, because the tests are CommonJS. */
const code = readFileSync(path.join(ROOT, 'templates/assets/documentation/octets.js'), 'utf8');
const { octetsOf, textOf } = runInNewContext(`${code.replaceAll('export ', '')}; ({ octetsOf, textOf })`, {
  TextEncoder,
  TextDecoder,
  Uint8Array,
}) as Readonly<Record<'octetsOf' | 'textOf', (text: string) => string>>;

describe('the octets of a field', () => {
  it('are those of the text in UTF-8, and become the same text again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const octets = octetsOf(text);
        expect(Buffer.from(octets, 'latin1').toString('utf8')).toBe(text);
        expect(textOf(octets)).toBe(text);
      }),
    );
  });

  it('stay as they are if they are not UTF-8', () => {
    expect(textOf('R\xe4ume')).toBe('R\xe4ume');
  });
});

describe('the sessions of a client', () => {
  it('are valid for a folder and below it only', () => {
    const sessions = new Sessions<string>();
    const session = 'of the folder';
    sessions.set(new URL('https://a/b/c?d'), session);
    const found = (url: string): boolean => sessions.find(new URL(url)) === session;
    expect(['https://a/b/', 'https://a/b/x/y/z'].filter((url) => !found(url))).toEqual([]);
    expect(
      ['https://a/', 'https://a/b', 'https://a/bb/c', 'http://a/b/c', 'https://a:1/b/c'].filter(found),
    ).toEqual([]);
  });

  it('of the root are valid for the whole origin', () => {
    const sessions = new Sessions<string>();
    sessions.set(new URL('https://a/'), 'of the root');
    expect(sessions.find(new URL('https://a/x/y'))).toBe('of the root');
  });
});
