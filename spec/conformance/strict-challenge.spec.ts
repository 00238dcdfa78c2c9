import fc from 'fast-check';
import { parseChallenges, type StrictChallenge } from './strict-challenge';
import { anyText } from '../factories/any-text';

const token = fc.stringMatching(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,8}$/);
const quotable = fc
  .array(fc.integer({ min: 0, max: 255 }), { maxLength: 12 })
  .map((codes) => String.fromCharCode(...codes.filter((code) => code === 9 || (code >= 32 && code !== 127))));
const parameter = fc.oneof(
  fc.record({ name: token, value: token, quoted: fc.constant(false) }),
  fc.record({ name: token, value: quotable, quoted: fc.constant(true) }),
);
const challenge = fc.oneof(
  fc.record<StrictChallenge>({
    scheme: token,
    token68: fc.constant(undefined),
    parameters: fc.uniqueArray(parameter, {
      minLength: 1,
      maxLength: 6,
      selector: ({ name }) => name.toLowerCase(),
    }),
  }),
  fc.record<StrictChallenge>({
    scheme: token,
    token68: fc.base64String({ minLength: 4 }),
    parameters: fc.constant([]),
  }),
);

function write({ scheme, token68, parameters }: StrictChallenge): string {
  const written = parameters.map(
    ({ name, value, quoted }) => `${name}=${quoted ? `"${value.replace(/["\\]/g, '\\$&')}"` : value}`,
  );
  return `${scheme} ${token68 ?? written.join(', ')}`;
}

describe('the strict parser of challenges', () => {
  it('reads the example of RFC 9110, 11.6.1', () => {
    expect(
      parseChallenges('Basic realm="simple", Newauth realm="apps", type=1, title="Login to \\"apps\\""'),
    ).toEqual([
      { scheme: 'Basic', token68: undefined, parameters: [{ name: 'realm', value: 'simple', quoted: true }] },
      {
        scheme: 'Newauth',
        token68: undefined,
        parameters: [
          { name: 'realm', value: 'apps', quoted: true },
          { name: 'type', value: '1', quoted: false },
          { name: 'title', value: 'Login to "apps"', quoted: true },
        ],
      },
    ]);
  });

  it('reads a scheme alone, and one with a token68', () => {
    expect(parseChallenges('Negotiate, NTLM TlRMTVNTUAAC==')).toEqual([
      { scheme: 'Negotiate', token68: undefined, parameters: [] },
      { scheme: 'NTLM', token68: 'TlRMTVNTUAAC==', parameters: [] },
    ]);
  });

  it.each([
    ['nothing', ''],
    ['a leading comma', ', Basic realm="a"'],
    ['a trailing comma', 'Basic realm="a",'],
    ['an empty element', 'Basic realm="a", , charset="UTF-8"'],
    ['space before the equals sign', 'Basic realm ="a"'],
    ['space after the equals sign', 'Basic realm= "a"'],
    ['a tab after the scheme', 'Basic\trealm="a"'],
    ['an open quote', 'Basic realm="a'],
    ['a quote inside a quoted string', 'Basic realm="a"b"'],
    ['a control character', 'Basic realm="a\x01"'],
    ['a character that is not an octet', 'Basic realm="Ā"'],
    ['a value without name', 'Basic ="a"'],
    ['a name without value', 'Basic realm="a", charset='],
    ['a value that is not a token', 'Digest uri=/a'],
    ['a parameter twice', 'Basic realm="a", REALM="b"'],
    ['parameters without comma', 'Basic realm="a" charset="UTF-8"'],
    ['semicolons', 'Basic realm="a"; charset="UTF-8"'],
    ['a token68 and parameters', 'Basic abc==, realm="a"'],
  ])('rejects %s', (_, field) => {
    expect(() => parseChallenges(field)).toThrow(SyntaxError);
  });

  it('round-trips every list of challenges', () => {
    fc.assert(
      fc.property(fc.array(challenge, { minLength: 1, maxLength: 4 }), (challenges) => {
        expect(parseChallenges(challenges.map(write).join(', '))).toEqual(challenges);
      }),
    );
  });

  it('reads no prefix: it consumes the whole input', () => {
    fc.assert(
      fc.property(challenge, fc.constantFrom('"', ' "', '\x00', '\n', ' \x7f', ',', ';x'), (one, garbage) => {
        expect(() => parseChallenges(write(one) + garbage)).toThrow(SyntaxError);
      }),
    );
  });

  it('throws only syntax errors for any input', () => {
    fc.assert(
      fc.property(anyText(), (field) => {
        try {
          expect(parseChallenges(field).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError);
        }
      }),
    );
  });
});
