import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NunjucksRenderer, TemplateMap, ViewHelpers, ViewModel } from '../../../src/framework';

let root = '';
beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'nunjucks-'))));
afterEach(() => rmSync(root, { recursive: true }));

/** Renders the first of these templates with a content. */
function page(
  templates: Readonly<Record<string, string>>,
  content: unknown,
  helpers: ViewHelpers = new ViewHelpers(),
): string {
  const entries = Object.entries(templates).map(([name, text], at) => {
    writeFileSync(path.join(root, `${at}.njk`), text);
    return [name, `${at}.njk`] as const;
  });
  const map = new TemplateMap(Object.fromEntries(entries), root, () => '');
  return new NunjucksRenderer(map, helpers).render(new ViewModel(content, { template: entries[0]?.[0] }));
}

describe('A page', () => {
  it('has the members of its content for variables, escaped', () => {
    expect(page({ show: '{{ name }}, {{ deep.er }}' }, { name: '<b>&"\'', deep: { er: 1 } })).toBe(
      '&lt;b&gt;&amp;&quot;&#39;, 1',
    );
  });

  it('has content that is no map under its own name', () => {
    expect(page({ show: '{{ content | join("-") }}' }, [1, 2])).toBe('1-2');
  });

  it('includes and extends other templates by their names in the map', () => {
    const templates = {
      'shop/show': '{% extends "shop/layout" %}{% block main %}{% include "shop/part" %}{% endblock %}',
      'shop/layout': '<main>{% block main %}{% endblock %}</main>',
      'shop/part': 'part of {{ name }}',
    };
    expect(page(templates, { name: 'x' })).toBe('<main>part of x</main>');
  });

  it('cannot include a file that is not in the map', () => {
    writeFileSync(path.join(root, 'secret.txt'), 'secret');
    expect(() => page({ show: '{% include "secret.txt" %}' }, {})).toThrow(
      'There is no template "secret.txt"',
    );
  });

  it('is an error when its template is unknown, or none is named', () => {
    expect(() => page({ show: '{% extends "none" %}' }, {})).toThrow('There is no template "none"');
    expect(() => page({}, {})).toThrow('ViewModel names no template.');
  });

  it('is an error when the template is', () => {
    expect(() => page({ show: '{% if %}' }, {})).toThrow();
  });
});

describe('View helpers', () => {
  it('that return text are escaped', () => {
    const helpers = new ViewHelpers();
    helpers.add('shout', (text: string) => `<${text.toUpperCase()}>`);
    expect(page({ show: '{{ shout(name) }}' }, { name: 'a' }, helpers)).toBe('&lt;A&gt;');
  });

  it('that return HTML are not', () => {
    const helpers = new ViewHelpers();
    helpers.add('bold', (text: string) => `<b>${text}</b>`, 'html');
    expect(page({ show: '{{ bold("a") }}' }, {}, helpers)).toBe('<b>a</b>');
  });

  it('that return a list are lists in templates', () => {
    const helpers = new ViewHelpers();
    helpers.add('numbers', () => [1, 2]);
    expect(page({ show: '{% for n in numbers() %}[{{ n }}]{% endfor %}' }, {}, helpers)).toBe('[1][2]');
  });

  it('have one name each', () => {
    const helpers = new ViewHelpers();
    helpers.add('bold', () => '');
    expect(() => helpers.add('bold', () => '')).toThrow('There is a view helper "bold" already.');
  });

  it('may be called in included templates', () => {
    const helpers = new ViewHelpers();
    helpers.add('shout', () => 'HEY');
    expect(page({ show: '{% include "part" %}', part: '{{ shout() }}' }, {}, helpers)).toBe('HEY');
  });
});
