import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import {
  block,
  code,
  plain,
  prose,
  table,
} from '../../../../src/modules/documentation-formats/markdown/text';

const markdown = new MarkdownIt();

/** Renders a line as a reader sees it. */
const rendered = (text: string): string =>
  markdown
    .parseInline(text, {})
    .flatMap(({ children }) => children ?? [])
    .map(({ content }) => content)
    .join('');

const marks = Array.from('ab \\`*_{}[]<>#|~&;!');
const printable = fc.string({ unit: fc.constantFrom(...marks, '&lt;', '&#65;', '&#x41;'), maxLength: 30 });

it('shows plain text unchanged, with any special characters', () => {
  fc.assert(
    fc.property(printable, (text) => {
      expect(rendered(plain(text))).toBe(text.replace(/\s+/g, ' ').trim());
    }),
  );
});

it('shows a code span unchanged, including backticks', () => {
  fc.assert(
    fc.property(printable, (text) => {
      const line = text.replace(/\s+/g, ' ');
      fc.pre(line.trim() !== '');
      expect(markdown.parseInline(code(line), {})[0]?.children?.map(({ type }) => type)).toEqual([
        'code_inline',
      ]);
    }),
  );
});

it('keeps the content of tables in its cells', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(printable, printable), { minLength: 1, maxLength: 4 }), (rows) => {
      const html = new MarkdownIt().render(
        table(
          ['A', 'B'],
          rows.map((row) => row.map(plain)),
        ),
      );
      expect(html.match(/<tr>/g)).toHaveLength(rows.length + 1);
      expect(html.match(/<td>/g)).toHaveLength(rows.length * 2);
    }),
  );
});

it('uses a fence that the code does not contain', () => {
  expect(block('', '```\nx\n````')).toBe('`````\n```\nx\n````\n`````');
});

it('lowers the headings of a description', () => {
  expect(prose('# A\n\ntext # not\n\n###### B', 2)).toBe('### A\n\ntext # not\n\n###### B');
});

it.each([
  ['a fence', '# A\n```sh\n# comment\n```\n# B', '## A\n```sh\n# comment\n```\n## B'],
  ['tildes', '~~~\n# a\n```\n# b\n~~~~ \n# C', '~~~\n# a\n```\n# b\n~~~~ \n## C'],
  ['a longer fence', '````\n```\n# a\n````\n# B', '````\n```\n# a\n````\n## B'],
  ['CRLF', '```\r\n# a\r\n```\r\n# B', '```\r\n# a\r\n```\r\n## B'],
  ['a list', '- ```\n  # a\n  ```\n\n# B', '- ```\n  # a\n  ```\n\n## B'],
  ['a list that ends', '1. ```\n   # a\n# B', '1. ```\n   # a\n## B'],
  ['a code span', '```# a``` b\n# B', '```# a``` b\n## B'],
  ['underlined headings', 'A\n=\n\nB\n---\r\nC', '## A\n\n### B\r\nC'],
  ['rules', 'a\n\n---\n\n- b\n---\n\n- c\nd\n---', 'a\n\n---\n\n- b\n---\n\n- c\nd\n---'],
  ['a paragraph of two lines', 'a\r\nb\r\n---', 'a\r\nb\r\n---'],
  ['a definition of a link before a rule', '[a]: https://a.example\n---', '[a]: https://a.example\n---'],
  ['two rules', '***\n---', '***\n---'],
  ['an underlined heading in a list', '1. a\n\n   b\n   ---', '1. a\n\n   ### b'],
  ['an underlined heading after another one', '# A\nB\n===', '## A\n## B'],
  ['underlined code', '```\na\n---\n```\n---', '```\na\n---\n```\n---'],
  ['code without an end', '# A\n```\n# a', '## A\n```\n# a\n```'],
  ['code of a list without an end', '- ```\n  # a', '- ```\n  # a'],
  ['HTML', 'a\n<PRE>\n# a\n\nb\n---\n</pre>\n# C', 'a\n<PRE>\n# a\n\nb\n---\n</pre>\n## C'],
  ['a comment', '<!-- a\n# b -->\nC\n=', '<!-- a\n# b -->\n## C'],
  ['a comment in one line', '<!-- a --> b\n# C', '<!-- a --> b\n## C'],
  ['HTML in code', '```\n<!--\n```\n# C', '```\n<!--\n```\n## C'],
])('lowers headings outside of code: %s', (_, text, lowered) => {
  expect(prose(text, 1)).toBe(lowered);
});

it.each(['```sh\ncode', '~~~~\ncode\n~~~', '- ```\n  code', '- a\n\n  ```\n  code', 'a\n````\n```'])(
  'ends the code of a description with it: %j',
  (text) => {
    const html = new MarkdownIt().render(`${prose(text, 1)}\n\n# Next`);
    expect(html).toContain('<h1>Next</h1>');
  },
);

it.each(['<pre>\n\ncode', 'a\n<!-- b', '<script src="a">', '<?php\n\n', '<![CDATA[\n# a', '<!X'])(
  'ends the HTML of a description with it: %j',
  (text) => {
    const html = new MarkdownIt({ html: true }).render(`${prose(text, 1)}\n\n# Next`);
    expect(html).toContain('<h1>Next</h1>');
  },
);

it('distinguishes an escaped from a plain vertical line in the code of a table', () => {
  const texts = ['^a\\|b$', 'a|b', '`\\|`', '\\\\|<*_&amp;', '$(\\|) http://a.example'];
  const html = new MarkdownIt({ html: true, linkify: true }).render(
    table(
      ['A'],
      texts.map((text) => [`Pattern ${code(text)}, ${plain('`\\|`')}`]),
    ),
  );
  const cells = [...html.matchAll(/<td>(.*)<\/td>/g)].map(([, cell]) => cell);
  const escaped = new MarkdownIt().utils.escapeHtml;
  expect(cells).toEqual(texts.map((text) => `Pattern <code>${escaped(text)}</code>, \`\\|\``));
});

it('writes code without an escaped vertical line as a code span', () => {
  expect(table(['A'], [[code('a|b')]])).toContain('| `a\\|b` |');
});
