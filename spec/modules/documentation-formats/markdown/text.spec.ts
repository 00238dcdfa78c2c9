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

/** What a reader sees of a line. */
const seen = (text: string): string =>
  markdown
    .parseInline(text, {})
    .flatMap(({ children }) => children ?? [])
    .map(({ content }) => content)
    .join('');

const printable = fc.string({ unit: fc.constantFrom(...Array.from('ab \\`*_{}[]<>#|~&;!')), maxLength: 30 });

it('shows plain text as it is, whatever marks are in it', () => {
  fc.assert(
    fc.property(printable, (text) => {
      // A character reference such as &lt; is one by itself; the alphabet makes none that is known.
      expect(seen(plain(text))).toBe(text.replace(/\s+/g, ' ').trim());
    }),
  );
});

it('shows a code span as it is, backticks and all', () => {
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

it('keeps every row of a table in its cells', () => {
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

it('fences code so that no fence inside ends it', () => {
  expect(block('', '```\nx\n````')).toBe('`````\n```\nx\n````\n`````');
});

it('puts the headings of a description below its own', () => {
  expect(prose('# A\n\ntext # not\n\n###### B', 2)).toBe('### A\n\ntext # not\n\n###### B');
});
