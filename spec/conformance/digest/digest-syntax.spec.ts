import { digestTable, useBench } from '../bench';
import { digest, unquote, without, type DigestParameters } from '../digest-client';

function reversed(parameters: DigestParameters): DigestParameters {
  return Object.fromEntries(Object.entries(parameters).reverse());
}

function sorted(parameters: DigestParameters): DigestParameters {
  return Object.fromEntries(Object.entries(parameters).sort(([a], [b]) => a.localeCompare(b)));
}

/** Moves the parameter to the front. */
function first(name: string, parameters: DigestParameters): DigestParameters {
  return { [name]: parameters[name] ?? '', ...without(parameters, name) };
}

function renamed(parameters: DigestParameters, rename: (name: string) => string): DigestParameters {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [rename(name), value]));
}

function requoted(parameters: DigestParameters, ...names: readonly string[]): DigestParameters {
  const change = (value: string): string => (value.startsWith('"') ? unquote(value) : `"${value}"`);
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, names.includes(name) ? change(value) : value]),
  );
}

describe('the grammar of Digest credentials (RFC 9110, 11.4; RFC 7616, 3.4)', () => {
  const bench = useBench();

  describe('the order of parameters', () => {
    digestTable(bench, [
      ['the usual order', 'is accepted', (sign) => digest(sign())],
      ['the reversed order', 'is accepted', (sign) => digest(reversed(sign()))],
      ['the order of the alphabet', 'is accepted', (sign) => digest(sorted(sign()))],
      ['a response first', 'is accepted', (sign) => digest(first('response', sign()))],
      ['a qop first', 'is accepted', (sign) => digest(first('qop', sign()))],
      ['an unknown parameter first', 'is accepted', (sign) => digest({ foo: 'bar', ...sign() })],
      ['an unknown parameter last', 'is accepted', (sign) => digest({ ...sign(), foo: '"b, a=r"' })],
      [
        'challenge parameters',
        'is accepted',
        (sign) => digest({ ...sign(), domain: '"/"', stale: 'false', charset: 'UTF-8' }),
      ],
    ]);
  });

  describe('letter case', () => {
    digestTable(bench, [
      ['a scheme in lower case', 'is accepted', (sign) => digest(sign(), ', ', 'digest ')],
      ['a scheme in upper case', 'is accepted', (sign) => digest(sign(), ', ', 'DIGEST ')],
      ['a scheme in mixed case', 'is accepted', (sign) => digest(sign(), ', ', 'dIgEsT ')],
      ['names in upper case', 'is accepted', (sign) => digest(renamed(sign(), (name) => name.toUpperCase()))],
      [
        'capitalized names',
        'is accepted',
        (sign) => digest(renamed(sign(), (name) => name.charAt(0).toUpperCase() + name.slice(1))),
      ],
      ['a longer scheme', 'is rejected', (sign) => digest(sign(), ', ', 'Digests ')],
      ['a shorter scheme', 'is rejected', (sign) => digest(sign(), ', ', 'Diges ')],
      ['a scheme with a look-alike letter', 'is rejected', (sign) => digest(sign(), ', ', 'D\xedgest ')],
      ['another scheme before the parameters', 'is rejected', (sign) => digest(sign(), ', ', 'Basic ')],
      ['no scheme', 'is rejected', (sign) => digest(sign(), ', ', '')],
    ]);
  });

  describe('quotes around tokens, and missing quotes', () => {
    const names = ['username', 'realm', 'nonce', 'response', 'opaque', 'algorithm', 'qop', 'nc', 'cnonce'];
    digestTable(bench, [
      ...names.map(
        (name) =>
          [
            `${name} in the other notation`,
            'is accepted',
            (sign: () => DigestParameters) => digest(requoted(sign(), name)),
          ] as const,
      ),
      ['every parameter in the other notation', 'is accepted', (sign) => digest(requoted(sign(), ...names))],
      [
        'a uri without quotes, which is not a token,',
        'is rejected',
        (sign) => digest(requoted(sign(), 'uri')),
      ],
      ['a name in single quotes', 'is rejected', (sign) => digest({ ...sign(), username: "'guide'" })],
      ['an open quote', 'is rejected', (sign) => digest({ ...sign(), cnonce: '"0a4f113b' })],
      ['a quote at the end only', 'is rejected', (sign) => digest({ ...sign(), username: 'guide"' })],
      [
        'a letter after a closing quote',
        'is rejected',
        (sign) => digest({ ...sign(), username: '"guide"x' }),
      ],
      [
        'a pair of quoted strings in a row',
        'is rejected',
        (sign) => digest({ ...sign(), username: '"gui""de"' }),
      ],
    ]);
  });

  describe('quoted pairs', () => {
    digestTable(bench, [
      ['a needless quoted pair', 'is accepted', (sign) => digest({ ...sign(), username: '"\\g\\uide"' })],
      [
        'a nonce of quoted pairs',
        'is accepted',
        (sign) => {
          const parameters = sign();
          return digest({
            ...parameters,
            nonce: `"${unquote(parameters.nonce ?? '').replace(/./g, '\\$&')}"`,
          });
        },
      ],
      [
        'a name with backslash and quotes',
        'is accepted',
        (sign) => digest(sign({ username: 'back\\slash "quote"' })),
      ],
      [
        'a backslash before the closing quote',
        'is rejected',
        (sign) => digest({ ...sign(), username: '"guide\\"' }),
      ],
      ['a backslash outside of quotes', 'is rejected', (sign) => digest({ ...sign(), username: '\\guide' })],
      [
        'a backslash that is part of the name',
        'is rejected',
        (sign) => digest({ ...sign(), username: '"\\\\guide"' }),
      ],
    ]);
  });
});
