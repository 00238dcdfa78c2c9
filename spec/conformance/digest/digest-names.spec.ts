import { digestTable, useBench } from '../bench';
import { digest, without, type Sign, type DigestParameters } from '../digest-client';
import { digestOf, octetsOf } from '../guarded-platform';

const JASON = octetsOf('Jäsøn Doe');
const EXTENDED = "UTF-8''J%C3%A4s%C3%B8n%20Doe";

/** Signed for a user, with the name in extended notation. */
function extended(sign: Sign, name: string, user = JASON): DigestParameters {
  return { 'username*': name, ...without(sign({ username: user }), 'username') };
}

describe('Digest user names (RFC 7616, 3.4 and 4)', () => {
  const bench = useBench();

  describe('as username', () => {
    digestTable(bench, [
      ['a name in ASCII', 'is accepted', (sign) => digest(sign())],
      ['a name in UTF-8', 'is accepted', (sign) => digest(sign({ username: JASON }))],
      ['a name beyond Latin', 'is accepted', (sign) => digest(sign({ username: octetsOf('日本') }))],
      [
        'a name with quotes and backslash',
        'is accepted',
        (sign) => digest(sign({ username: 'back\\slash "quote"' })),
      ],
      [
        'a name in ISO-8859-1',
        'is rejected',
        (sign) => digest(sign({ username: 'J\xe4s\xf8n Doe', password: 'Secret, or not?' })),
      ],
      [
        'a name that is decomposed',
        'is rejected',
        (sign) =>
          digest(sign({ username: octetsOf('Jäsøn Doe'.normalize('NFD')), password: 'Secret, or not?' })),
      ],
      [
        'a name with percent signs',
        'is rejected',
        (sign) => digest({ ...sign({ username: JASON }), username: '"J%C3%A4s%C3%B8n%20Doe"' }),
      ],
      [
        'a name in another letter case',
        'is rejected',
        (sign) => digest(sign({ username: 'Guide', password: 'explore' })),
      ],
      [
        'a name with a trailing space',
        'is rejected',
        (sign) => digest(sign({ username: 'guide ', password: 'explore' })),
      ],
      [
        'a name with a leading tab',
        'is rejected',
        (sign) => digest(sign({ username: '\tguide', password: 'explore' })),
      ],
      ['an unknown name', 'is rejected', (sign) => digest(sign({ username: 'nobody' }))],
      [
        'an unknown name with the password of another',
        'is rejected',
        (sign) => digest(sign({ username: 'nobody', password: 'explore' })),
      ],
      [
        'a name with realm and colon',
        'is rejected',
        (sign) => digest(sign({ username: 'guide:Atlas', password: 'explore' })),
      ],
      [
        'a split of name and realm elsewhere',
        'is rejected',
        (sign) => digest(sign({ username: 'guide:At', realm: 'las', password: 'explore' })),
      ],
      [
        'a name that Object.prototype has',
        'is rejected',
        (sign) => digest(sign({ username: 'constructor' })),
      ],
      ['a name of 10 KB', 'is rejected', (sign) => digest(sign({ username: 'x'.repeat(10_000) }))],
      ['a name cut inside a character', 'is rejected', (sign) => digest(sign({ username: 'J\xc3' }))],
      [
        'a name in an overlong form',
        'is rejected',
        (sign) => digest(sign({ username: '\xc1\xa7uide', password: 'explore' })),
      ],
    ]);
  });

  describe('as username*', () => {
    digestTable(bench, [
      ['a name in UTF-8', 'is accepted', (sign) => digest(extended(sign, EXTENDED))],
      [
        'a name with its language',
        'is accepted',
        (sign) => digest(extended(sign, EXTENDED.replace("''", "'da'"))),
      ],
      [
        'a name with the charset in lower case',
        'is accepted',
        (sign) => digest(extended(sign, EXTENDED.replace('UTF', 'utf'))),
      ],
      [
        'a name with hexadecimal in lower case',
        'is accepted',
        (sign) => digest(extended(sign, "UTF-8''J%c3%a4s%c3%b8n%20Doe")),
      ],
      ['a name in ASCII', 'is accepted', (sign) => digest(extended(sign, "UTF-8''guide", 'guide'))],
      [
        'a name that is encoded throughout',
        'is accepted',
        (sign) => digest(extended(sign, "UTF-8''%67%75%69%64%65", 'guide')),
      ],
      [
        'a name with userhash=false',
        'is accepted',
        (sign) => digest({ ...extended(sign, EXTENDED), userhash: 'false' }),
      ],
      [
        'a name with userhash=true',
        'is rejected',
        (sign) => digest({ ...extended(sign, EXTENDED), userhash: 'true' }),
      ],
      [
        'a hash with userhash=true',
        'is rejected',
        (sign) =>
          digest({ ...extended(sign, `UTF-8''${digestOf('SHA-256', `${JASON}:Atlas`)}`), userhash: 'true' }),
      ],
      [
        'a name with username',
        'is rejected',
        (sign) => digest({ ...extended(sign, EXTENDED), username: `"${JASON}"` }),
      ],
      [
        'a name with an empty username',
        'is rejected',
        (sign) => digest({ ...extended(sign, EXTENDED), username: '""' }),
      ],
      ['a name without charset', 'is rejected', (sign) => digest(extended(sign, 'guide', 'guide'))],
      ['a name with an empty charset', 'is rejected', (sign) => digest(extended(sign, "''guide", 'guide'))],
      [
        'a name without the second apostrophe',
        'is rejected',
        (sign) => digest(extended(sign, "UTF-8'guide", 'guide')),
      ],
      [
        'a name in ISO-8859-1',
        'is rejected',
        (sign) => digest(extended(sign, "ISO-8859-1''J%E4s%F8n%20Doe")),
      ],
      [
        'a name in UTF-8 that is ISO-8859-1',
        'is rejected',
        (sign) => digest(extended(sign, "UTF-8''J%E4s%F8n%20Doe")),
      ],
      [
        'a name in an overlong form',
        'is rejected',
        (sign) => digest(extended(sign, "UTF-8''%C1%A7uide", 'guide')),
      ],
      ['a name with a surrogate', 'is rejected', (sign) => digest(extended(sign, "UTF-8''%ED%A0%80"))],
      [
        'a name with half of an escape',
        'is rejected',
        (sign) => digest(extended(sign, "UTF-8''guid%6", 'guide')),
      ],
      [
        'a name with an invalid escape',
        'is rejected',
        (sign) => digest(extended(sign, "UTF-8''guid%zz", 'guide')),
      ],
      ['an empty name', 'is rejected', (sign) => digest(extended(sign, "UTF-8''", ''))],
      ['a name with a NUL', 'is rejected', (sign) => digest(extended(sign, "UTF-8''guide%00", 'guide'))],
    ]);
  });
});
