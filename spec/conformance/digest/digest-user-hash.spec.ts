import { digestTable, useBench } from '../bench';
import { digest, without, type Sign, type DigestParameters } from '../digest-client';
import { fronts, digestOf, octetsOf, targets } from '../guarded-platform';

const JASON = octetsOf('Jäsøn Doe');

/** Signed for a user, with a hashed name. */
function hashed(sign: Sign, user: string, name: string, flag = 'true'): DigestParameters {
  return { ...sign({ username: user }), username: `"${name}"`, userhash: flag };
}

const hashOf = (user: string, realm = 'Atlas'): string => digestOf('SHA-256', `${user}:${realm}`);

describe.each(fronts)('hashed user names of Digest (RFC 7616, 3.4.4), over %s', (front) => {
  const bench = useBench(front);

  describe('as a hash', () => {
    digestTable(bench, [
      ['a hash', 'is accepted', (sign) => digest(hashed(sign, 'guide', hashOf('guide')))],
      ['a hash of a name in UTF-8', 'is accepted', (sign) => digest(hashed(sign, JASON, hashOf(JASON)))],
      [
        'a hash with a quoted userhash',
        'is accepted',
        (sign) => digest(hashed(sign, 'guide', hashOf('guide'), '"true"')),
      ],
      ['a name with userhash=false', 'is accepted', (sign) => digest({ ...sign(), userhash: 'false' })],
      ['a name with userhash=true', 'is rejected', (sign) => digest({ ...sign(), userhash: 'true' })],
      [
        'a hash without userhash',
        'is rejected',
        (sign) => digest(without(hashed(sign, 'guide', hashOf('guide')), 'userhash')),
      ],
      [
        'a hash with userhash=false',
        'is rejected',
        (sign) => digest(hashed(sign, 'guide', hashOf('guide'), 'false')),
      ],
      [
        'a hash with userhash=1',
        'is rejected',
        (sign) => digest(hashed(sign, 'guide', hashOf('guide'), '1')),
      ],
      [
        'a hash with an empty userhash',
        'is rejected',
        (sign) => digest(hashed(sign, 'guide', hashOf('guide'), '""')),
      ],
      [
        'a hash for another realm',
        'is rejected',
        (sign) => digest(hashed(sign, 'guide', hashOf('guide', 'http-auth@example.org'))),
      ],
      [
        'a hash of another algorithm',
        'is rejected',
        (sign) => digest(hashed(sign, 'guide', digestOf('MD5', 'guide:Atlas'))),
      ],
      ['a hash of an unknown user', 'is rejected', (sign) => digest(hashed(sign, 'guide', hashOf('nobody')))],
      ['a hash of another user', 'is rejected', (sign) => digest(hashed(sign, 'guide', hashOf(JASON)))],
      [
        'a hash without its last digit',
        'is rejected',
        (sign) => digest(hashed(sign, 'guide', hashOf('guide').slice(0, -1))),
      ],
      [
        'a hash that the digest was computed over',
        'is rejected',
        (sign) => digest({ ...sign({ username: hashOf('guide'), password: 'explore' }), userhash: 'true' }),
      ],
    ]);

    it('use the hash of the algorithm, also for MD5', async () => {
      const { sign } = await bench().client(targets.old);
      const authorization = digest(hashed(sign, 'guide', digestOf('MD5', 'guide:http-auth@example.org')));
      bench().expect(await bench().request({ target: targets.old, authorization }), 'is accepted');
    });
  });
});
