import { digestTable, useBench } from './bench';
import { digest, without, type Sign, type Written } from './digest-client';
import { digestOf, octetsOf } from './guarded-platform';

const JASON = octetsOf('Jäsøn Doe');
const EXTENDED = "UTF-8''J%C3%A4s%C3%B8n%20Doe";

/** Signed for a user, with the name in extended notation. */
function extended(sign: Sign, name: string, user = JASON): Written {
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
        'is refused',
        (sign) => digest(sign({ username: 'J\xe4s\xf8n Doe', password: 'Secret, or not?' })),
      ],
      [
        'a name that is decomposed',
        'is refused',
        (sign) =>
          digest(sign({ username: octetsOf('Jäsøn Doe'.normalize('NFD')), password: 'Secret, or not?' })),
      ],
      [
        'a name with percent signs',
        'is refused',
        (sign) => digest({ ...sign({ username: JASON }), username: '"J%C3%A4s%C3%B8n%20Doe"' }),
      ],
      [
        'a name in other letter case',
        'is refused',
        (sign) => digest(sign({ username: 'Guide', password: 'explore' })),
      ],
      [
        'a name with a space behind',
        'is refused',
        (sign) => digest(sign({ username: 'guide ', password: 'explore' })),
      ],
      [
        'a name with a tab in front',
        'is refused',
        (sign) => digest(sign({ username: '\tguide', password: 'explore' })),
      ],
      ['an unknown name', 'is refused', (sign) => digest(sign({ username: 'nobody' }))],
      [
        'an unknown name with the password of another',
        'is refused',
        (sign) => digest(sign({ username: 'nobody', password: 'explore' })),
      ],
      [
        'a name with realm and colon',
        'is refused',
        (sign) => digest(sign({ username: 'guide:Atlas', password: 'explore' })),
      ],
      [
        'a split of name and realm elsewhere',
        'is refused',
        (sign) => digest(sign({ username: 'guide:At', realm: 'las', password: 'explore' })),
      ],
      ['a name that objects inherit', 'is refused', (sign) => digest(sign({ username: 'constructor' }))],
      ['a name of 10 KB', 'is refused', (sign) => digest(sign({ username: 'x'.repeat(10_000) }))],
      ['a name cut inside of a character', 'is refused', (sign) => digest(sign({ username: 'J\xc3' }))],
      [
        'a name in an overlong form',
        'is refused',
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
        'a name that is encoded all over',
        'is accepted',
        (sign) => digest(extended(sign, "UTF-8''%67%75%69%64%65", 'guide')),
      ],
      [
        'a name beside userhash=false',
        'is accepted',
        (sign) => digest({ ...extended(sign, EXTENDED), userhash: 'false' }),
      ],
      [
        'a name beside userhash=true',
        'is refused',
        (sign) => digest({ ...extended(sign, EXTENDED), userhash: 'true' }),
      ],
      [
        'a hash beside userhash=true',
        'is refused',
        (sign) =>
          digest({ ...extended(sign, `UTF-8''${digestOf('SHA-256', `${JASON}:Atlas`)}`), userhash: 'true' }),
      ],
      [
        'a name beside username',
        'is refused',
        (sign) => digest({ ...extended(sign, EXTENDED), username: `"${JASON}"` }),
      ],
      [
        'a name beside an empty username',
        'is refused',
        (sign) => digest({ ...extended(sign, EXTENDED), username: '""' }),
      ],
      ['a name without charset', 'is refused', (sign) => digest(extended(sign, 'guide', 'guide'))],
      ['a name with an empty charset', 'is refused', (sign) => digest(extended(sign, "''guide", 'guide'))],
      [
        'a name without the second apostrophe',
        'is refused',
        (sign) => digest(extended(sign, "UTF-8'guide", 'guide')),
      ],
      ['a name in ISO-8859-1', 'is refused', (sign) => digest(extended(sign, "ISO-8859-1''J%E4s%F8n%20Doe"))],
      [
        'a name in UTF-8 that is ISO-8859-1',
        'is refused',
        (sign) => digest(extended(sign, "UTF-8''J%E4s%F8n%20Doe")),
      ],
      [
        'a name in an overlong form',
        'is refused',
        (sign) => digest(extended(sign, "UTF-8''%C1%A7uide", 'guide')),
      ],
      ['a name with a surrogate', 'is refused', (sign) => digest(extended(sign, "UTF-8''%ED%A0%80"))],
      [
        'a name with half of an escape',
        'is refused',
        (sign) => digest(extended(sign, "UTF-8''guid%6", 'guide')),
      ],
      [
        'a name with an escape that is none',
        'is refused',
        (sign) => digest(extended(sign, "UTF-8''guid%zz", 'guide')),
      ],
      ['an empty name', 'is refused', (sign) => digest(extended(sign, "UTF-8''", ''))],
      ['a name with a NUL', 'is refused', (sign) => digest(extended(sign, "UTF-8''guide%00", 'guide'))],
    ]);
  });
});
