import fc from 'fast-check';
import { GRAMMARS } from '../../../../src/modules/documentation/samples/highlight/grammars';
import { highlight } from '../../../../src/modules/documentation/samples/highlight/highlight';
import {
  SAMPLE_LANGUAGES,
  type SampleLanguage,
} from '../../../../src/modules/documentation/samples/languages';
import type { SampleCall } from '../../../../src/modules/documentation/samples/sample-call';

const languages = Object.keys(GRAMMARS) as (keyof typeof GRAMMARS)[];

/** The text of HTML without its elements, and the kinds of its tokens. */
const textOf = (html: string): string =>
  html
    .replace(/<span class="token-\w+">|<\/span>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
const tokensOf = (html: string): readonly string[] =>
  [...html.matchAll(/<span class="token-(\w+)">(.*?)<\/span>/gs)].map(
    ([, kind, text]) => `${kind} ${textOf(text!)}`,
  );

const calls = (credentials: SampleCall['credentials'], value: unknown): SampleCall => ({
  method: 'POST',
  path: '/v1/things',
  query: [],
  accept: 'application/json',
  credentials,
  body: { type: 'application/json', value },
  answersJson: true,
});
const codeOf = (language: SampleLanguage, call: SampleCall): string =>
  SAMPLE_LANGUAGES[language]
    .sampleOf(call, 'http://127.0.0.1:8080')
    .map(({ code }) => code)
    .join('\n');

describe('highlighted code', () => {
  it.each(languages)('has the same text, and no other markup: %s', (language) => {
    const odd = fc.constantFrom(
      '<b>',
      '&amp;',
      '"',
      "'",
      '"""',
      '`',
      '\\',
      '\n',
      '//',
      '#',
      '$x',
      '1e5',
      '</span>',
      "@'",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(odd, fc.string({ unit: 'grapheme' }))), (parts) => {
        const code = parts.join('');
        const html = highlight(code, language);
        expect(textOf(html)).toBe(code);
        expect(
          html.replace(/<span class="token-(comment|name|string|number|keyword)">|<\/span>/g, ''),
        ).not.toMatch(/[<>]/);
      }),
    );
  });

  it('distinguishes keys, strings, numbers and words of JSON', () => {
    expect(tokensOf(highlight('{ "a b": "c: \\"d\\"", "e": [-1.5e3, true, null] }', 'json'))).toEqual([
      'name "a b"',
      'string "c: \\"d\\""',
      'name "e"',
      'number -1.5e3',
      'keyword true',
      'keyword null',
    ]);
  });

  it.each(Object.keys(SAMPLE_LANGUAGES) as SampleLanguage[])(
    'has the address as one string: %s',
    (language) => {
      const tokens = tokensOf(highlight(codeOf(language, calls('digest', {})), language));
      const address = tokens.filter((token) => token.includes('http://127.0.0.1:8080/v1/things'));
      expect(address).toHaveLength(1);
      expect(address[0]).toMatch(/^string /);
      expect(tokens.some((token) => token.startsWith('keyword '))).toBe(true);
    },
  );

  it.each(['php', 'go', 'java', 'csharp', 'ruby', 'powershell', 'curl', 'httpie'] as const)(
    'has a body of several lines as one string: %s',
    (language) => {
      const body = { name: `It's "red"; // not # a comment`, also: ['1', '2', '3'] };
      const tokens = tokensOf(highlight(codeOf(language, calls('basic', body)), language));
      const strings = tokens.filter((token) => token.includes('not # a comment'));
      expect(strings).toHaveLength(1);
      expect(strings[0]).toMatch(/^string [\s\S]*"also"/);
      expect(tokens.filter((token) => token.startsWith('comment '))).toEqual([]);
    },
  );

  it('is in one colour if it is long', () => {
    expect(highlight(`["${'x'.repeat(20_000)}"]`, 'json')).not.toContain('<span');
  });
});
