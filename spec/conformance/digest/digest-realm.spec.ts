import { digestTable, useBench, type DigestCase } from '../bench';
import { digest, parameterOf } from '../digest-client';
import { octetsOf, targets } from '../guarded-platform';

describe('realm and opaque of Digest (RFC 7616, 3.3)', () => {
  const bench = useBench();

  describe('that differ from the challenge', () => {
    const changed = (name: 'realm' | 'opaque', value: (right: string) => string): DigestCase['2'] => {
      return (sign, challenge) => digest(sign({ [name]: value(parameterOf(challenge, name)) }));
    };
    digestTable(bench, [
      ['another realm', 'is rejected', changed('realm', () => 'Other')],
      ['a realm of another adapter', 'is rejected', changed('realm', () => 'http-auth@example.org')],
      ['a realm in lower case', 'is rejected', changed('realm', (right) => right.toLowerCase())],
      ['a realm with a trailing space', 'is rejected', changed('realm', (right) => `${right} `)],
      ['a part of the realm', 'is rejected', changed('realm', (right) => right.slice(0, -1))],
      ['a longer realm', 'is rejected', changed('realm', (right) => `${right}s`)],
      ['an empty realm', 'is rejected', changed('realm', () => '')],
      ['another opaque', 'is rejected', changed('opaque', () => 'f'.repeat(32))],
      ['an opaque in upper case', 'is rejected', changed('opaque', (right) => right.toUpperCase())],
      ['a part of the opaque', 'is rejected', changed('opaque', (right) => right.slice(0, -1))],
      ['a longer opaque', 'is rejected', changed('opaque', (right) => `${right}0`)],
      ['an empty opaque', 'is rejected', changed('opaque', () => '')],
    ]);

    it('rejects the opaque of another adapter', async () => {
      const other = await bench().client(targets.old);
      const { sign } = await bench().client();
      const authorization = digest(sign({ opaque: parameterOf(other.challenge, 'opaque') }));
      bench().expect(await bench().request({ target: targets.digest, authorization }), 'is rejected');
    });
  });

  describe('with commas, equals signs and non-ASCII letters in the realm', () => {
    digestTable(
      bench,
      [
        ['the realm as it was sent', 'is accepted', (sign) => digest(sign())],
        ['the realm in ISO-8859-1', 'is rejected', (sign) => digest(sign({ realm: 'R\xe4ume, nonce=1; x' }))],
        ['the realm up to its comma', 'is rejected', (sign) => digest(sign({ realm: octetsOf('Räume') }))],
        ['a name in UTF-8', 'is accepted', (sign) => digest(sign({ username: octetsOf('Jäsøn Doe') }))],
      ],
      targets.strange,
    );
  });
});
