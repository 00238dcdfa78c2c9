import fc from 'fast-check';
import { CredentialParameters } from '../../../../../src/modules/mvc-auth/http/credential-parameters';
import {
  readDigestCredentials,
  type DigestCredentials,
} from '../../../../../src/modules/mvc-auth/http/digest/digest-credentials';
import { anyText } from '../../../../factories/any-text';

const right: Readonly<Record<string, string>> = {
  username: 'Mufasa',
  realm: 'api',
  nonce: 'n',
  uri: '/',
  response: 'ab'.repeat(16),
  opaque: 'o',
  algorithm: 'MD5',
  qop: 'auth',
  nc: '0000000A',
  cnonce: 'c',
};

function parametersOf(entries: readonly (readonly [string, string])[]): CredentialParameters {
  const parameters = new CredentialParameters();
  for (const [name, value] of entries) parameters.add(name, value);
  return parameters;
}

function read(change: Readonly<Record<string, string | undefined>> = {}): DigestCredentials | undefined {
  const entries = Object.entries({ ...right, ...change }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return readDigestCredentials({ scheme: 'digest', parameters: parametersOf(entries) });
}

describe('the parameters of a Digest response', () => {
  it('are parsed, with nc as it was written', () => {
    expect(read()).toEqual({ ...right, userhash: false, session: false, count: 10 });
    expect(read({ response: 'AB'.repeat(16) })?.response).toBe('ab'.repeat(16));
  });

  it('mean MD5 without an algorithm (RFC 7616, 3.3), and a session variant when it is named', () => {
    expect(read({ algorithm: undefined })).toMatchObject({ algorithm: 'MD5', session: false });
    expect(read({ algorithm: 'md5-SESS' })).toMatchObject({ algorithm: 'MD5', session: true });
    expect(read({ algorithm: '-sess' })).toBeUndefined();
  });

  it.each(Object.keys(right).filter((name) => name !== 'algorithm'))('are invalid without %s', (name) => {
    expect(read({ [name]: undefined })).toBeUndefined();
  });

  it.each([
    ["UTF-8''J%C3%A4s%C3%B8n%20Doe", 'Jäsøn Doe'],
    ["utf-8'en'J%c3%a4s", 'Jäs'],
    ["UTF-8''%22%3A", '":'],
  ])('have the name %s in extended notation (RFC 5987)', (extended, username) => {
    expect(read({ username: undefined, 'username*': extended })).toMatchObject({ username });
  });

  it.each([
    "ISO-8859-1''J%E4s",
    "UTF-8''J%E4s",
    "UTF-8''",
    'UTF-8',
    "UTF-8''J%C3%",
    "UTF-8''J%ZZ",
    "UTF-8''a b",
    "UTF-8''J\u00c3\u00a4s",
  ])('are invalid with the extended name %s', (extended) => {
    expect(read({ username: undefined, 'username*': extended })).toBeUndefined();
  });

  it('are invalid with a hashed name in another notation or length', () => {
    const hashed = { userhash: 'true', username: 'ab'.repeat(16) };
    expect(read(hashed)).toMatchObject({ userhash: true });
    expect(read({ ...hashed, userhash: 'TRUE' })).toMatchObject({ userhash: true });
    expect(read({ ...hashed, username: 'AB'.repeat(16) })).toMatchObject({ username: 'ab'.repeat(16) });
    for (const username of ['ab', 'xy'.repeat(16), `x${'b'.repeat(31)}`, `${'b'.repeat(31)}x`])
      expect(read({ ...hashed, username })).toBeUndefined();
    expect(
      read({ ...hashed, username: undefined, 'username*': `UTF-8''${'ab'.repeat(16)}` }),
    ).toBeUndefined();
  });

  it('have a plain name with userhash=false in any letter case, and no other value', () => {
    expect(read({ userhash: 'FALSE' })).toMatchObject({ userhash: false, username: 'Mufasa' });
    for (const userhash of ['', 'no', 'false ']) expect(read({ userhash })).toBeUndefined();
  });

  it('are invalid with an empty name, and with both forms of a name', () => {
    expect(read({ username: '' })).toBeUndefined();
    expect(read({ 'username*': "UTF-8''Mufasa" })).toBeUndefined();
  });

  // It is repeated in Authentication-Info.
  it.each(['a\n', '\ta', 'a\x7f', '\xe4a', ''])('are invalid with the cnonce %j', (cnonce) => {
    expect(read({ cnonce })).toBeUndefined();
  });

  it.each(['0000001', '000000001', '0000000g', 'g0000001', '00000000', '0000000\u0131'])(
    'are invalid with the nonce count %s (RFC 7616, 3.4)',
    (nc) => {
      expect(read({ nc })).toBeUndefined();
    },
  );

  it('have the nonce count of all eight digits', () => {
    expect(read({ nc: '89abCDEF' })?.count).toBe(0x89abcdef);
  });

  it('are invalid with a name that is not UTF-8', () => {
    expect(read({ username: 'J\u00e4s' })).toBeUndefined();
  });

  it('never make the parser throw', () => {
    const names = fc.constantFrom(...Object.keys(right), 'username*', 'userhash', 'other');
    fc.assert(
      fc.property(fc.dictionary(names, anyText()), (change) => {
        read(change);
        readDigestCredentials({ scheme: 'digest', parameters: parametersOf(Object.entries(change)) });
      }),
    );
  });
});
