import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NunjucksRenderer, TemplateMap, ViewHelpers, ViewModel } from '../../../../src/framework';

let root = '';
beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'nunjucks-'))));
afterEach(() => rmSync(root, { recursive: true }));

/** Renders the first of these templates with content. */
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
  it('has the members of its content as variables, escaped', () => {
    expect(page({ show: '{{ name }}, {{ deep.er }}' }, { name: '<b>&"\'', deep: { er: 1 } })).toBe(
      '&lt;b&gt;&amp;&quot;&#39;, 1',
    );
  });

  it('has content that is not an object in the variable content', () => {
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
      'view_manager.template_map has no template "secret.txt". Available: show.',
    );
  });

  it('fails without a template, and with an unknown one', () => {
    expect(() => page({ show: '{% extends "none" %}' }, {})).toThrow(
      'view_manager.template_map has no template "none". Available: show.',
    );
    expect(() => page({}, {})).toThrow('ViewModel has no template.');
  });

  it('renders parts in order, with the variables of the page and their own', () => {
    const templates = {
      show: '{% for one in list %}[{{ part("item", { one: one }) }}]{% else %}none{% endfor %} of {{ name }}',
      item: '{{ one.name }} of {{ name }}{% for one in one.list %}({{ part("item", { one: one }) }}){% endfor %}',
    };
    const list = [
      { name: 'a', list: [{ name: 'b' }, { name: 'c', list: [{ name: '<d>' }] }] },
      { name: 'e' },
    ];
    expect(page(templates, { name: 'x', list })).toBe(
      '[a of x(b of x)(c of x(&lt;d&gt; of x))][e of x] of x',
    );
    expect(page(templates, { name: 'x', list: [] })).toBe('none of x');
  });

  it('renders a part as often as its placeholder occurs', () => {
    const templates = {
      show: '{% set shown = part("item", { at: 1 }) %}{% set left = part("item", { at: 2 }) %}{{ shown }}{{ part("item", { at: 3 }) }}{{ shown }}',
      item: '{{ at }}',
    };
    expect(page(templates, {})).toBe('131');
  });

  it('fails if a part fails', () => {
    expect(() => page({ show: '{{ part("nowhere") }}' }, {})).toThrow(
      'view_manager.template_map has no template "nowhere". Available: show.',
    );
  });

  it('is rendered in a step per part', () => {
    const entries = {
      show: '{% for at in list %}{{ part("item", { at: at }) }}{% endfor %}',
      item: '{{ at }},',
    };
    for (const [name, text] of Object.entries(entries)) writeFileSync(path.join(root, name), text);
    const map = new TemplateMap({ show: 'show', item: 'item' }, root, () => '');
    const list = Array.from({ length: 300 }, (_, at) => at);
    const steps = new NunjucksRenderer(map, new ViewHelpers()).steps(
      new ViewModel({ list }, { template: 'show' }),
    );
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count += 1;
    expect(count).toBeGreaterThan(list.length);
    expect(step.value).toBe(`${list.join(',')},`);
  });

  it('fails for a template with a syntax error', () => {
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

  it('have unique names', () => {
    const helpers = new ViewHelpers();
    helpers.add('bold', () => '');
    expect(() => helpers.add('bold', () => '')).toThrow('The view helper "bold" already exists.');
  });

  it('can be called in included templates', () => {
    const helpers = new ViewHelpers();
    helpers.add('shout', () => 'HEY');
    expect(page({ show: '{% include "part" %}', part: '{{ shout() }}' }, {}, helpers)).toBe('HEY');
  });
});
