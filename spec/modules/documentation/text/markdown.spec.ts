import fc from 'fast-check';
import { markdown } from '../../../../src/modules/documentation/text/markdown';

describe('markdown', () => {
  it('renders CommonMark', () => {
    expect(markdown('Pages hold **25**.')).toBe('<p>Pages hold <strong>25</strong>.</p>\n');
  });

  it('shows HTML as text', () => {
    expect(markdown('<script>alert(1)</script>')).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n');
  });

  it('loads nothing from other hosts: images become their alternative text', () => {
    expect(markdown('![a <map>](https://example.org/x.png)')).toBe('<p>a &lt;map&gt;</p>\n');
  });

  it('adds rel="noopener" to links, and creates no implicit links', () => {
    expect(markdown('[here](https://example.org/)')).toBe(
      '<p><a href="https://example.org/" rel="noopener">here</a></p>\n',
    );
    expect(markdown('https://example.org')).not.toContain('<a');
    expect(markdown('[no](javascript:alert(1))')).not.toContain('<a');
  });

  it('does not affect the outline of the page', () => {
    expect(markdown('# Big')).toBe('<p><strong>Big</strong></p>\n');
  });

  it('lets readers scroll wide tables with the keyboard', () => {
    expect(markdown('| a |\n| - |\n| b |')).toMatch(/^<table tabindex="0">/);
  });

  it('never writes an element from HTML in the text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('<img src=x>', '![', '](', ')', '<script>', '`', '\n', '# ', 'a')),
        (parts) => {
          expect(markdown(parts.join(''))).not.toMatch(/<(img|script|h\d)/);
        },
      ),
    );
  });
});
