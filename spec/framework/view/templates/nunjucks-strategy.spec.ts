import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  NunjucksRenderer,
  NunjucksStrategy,
  Response,
  TemplateMap,
  View,
  ViewHelpers,
  ViewModel,
} from '../../../../src/framework';
import { cpuTimeOf } from '../../../factories/measure/cpu-time';

let root = '';
beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'nunjucks-'))));
afterEach(() => rmSync(root, { recursive: true }));

/** Returns a renderer of these templates. */
function rendererOf(
  templates: Readonly<Record<string, string>>,
  helpers: ViewHelpers = new ViewHelpers(),
): NunjucksRenderer {
  const entries = Object.entries(templates).map(([name, text], at) => {
    writeFileSync(path.join(root, `${at}.njk`), text);
    return [name, `${at}.njk`] as const;
  });
  const map = new TemplateMap(Object.fromEntries(entries), root, () => '');
  return new NunjucksRenderer(map, helpers);
}

/** Renders the first of these templates with content. */
function page(templates: Readonly<Record<string, string>>, content: unknown, helpers?: ViewHelpers): string {
  const [template] = Object.keys(templates);
  return rendererOf(templates, helpers).render(new ViewModel(content, { template }));
}

describe('A page', () => {
  it('has the members of its content as variables, escaped', () => {
    expect(page({ show: '{{ name }}, {{ deep.er }}' }, { name: '<b>&"\'', deep: { er: 1 } })).toBe(
      '&lt;b&gt;&amp;&quot;&#39;, 1',
    );
  });

  it.each([undefined, 'text/html', 'application/xhtml+xml', 'application/pdf', 'text/outline'])(
    'is HTML, also for a selector that has the type %s',
    (mediaType) => {
      class OutlineModel extends ViewModel {}
      const view = new View();
      view.events.attachGroup(new NunjucksStrategy(rendererOf({ show: '<br>' })));
      const response = new Response(200);
      expect(view.render(new OutlineModel({}, { template: 'show', mediaType }), response)).toBeUndefined();
      expect(response.fields.get('Content-Type')).toBe('text/html; charset=utf-8');
    },
  );

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

  it.each([
    ['itself', '{% unless %}', '1:4', 'unknown block tag: unless'],
    ['an included template', '\n  {% if %}', '2:9', 'unexpected token: %}'],
    ['a template that it extends', '\n\n{{ 5 ; }}', '3:6', 'expected variable end'],
  ])('names the line and column of a syntax error in %s', (kind, text, at, reason) => {
    const around: Readonly<Record<string, string>> = {
      'an included template': '\n\n\n{% include "shop/broken" %}',
      'a template that it extends': '{% extends "shop/broken" %}',
    };
    const templates = { 'shop/show': around[kind] ?? text, 'shop/broken': text };
    const file = path.join(root, kind === 'itself' ? '0.njk' : '1.njk');
    expect(() => page(templates, {})).toThrow(
      new Error(`The template cannot be rendered: ${file}:${at}: ${reason}`),
    );
  });

  it.each([
    ['a misspelt view helper', '{{ stoc() }}', '8', 'stoc() does not exist. Did you mean "stock"?'],
    ['a misspelt accessor', '{{ shop.getNam() }}', '15', 'shop["getNam"]() does not exist.'],
    ['a view helper that fails', '{{ fail() }}', '8', 'TypeError: No stock.'],
    ['a failure of several lines', '{{ list() }}', '8', 'TypeError: No stock of:\n(tea)'],
  ])('names the template, line and column of %s', (_, call, column, reason) => {
    const helpers = new ViewHelpers();
    helpers.add('stock', () => 7);
    helpers.add('fail', () => {
      throw new TypeError('No stock.');
    });
    helpers.add('list', () => {
      throw new TypeError('No stock of:\n(tea)');
    });
    const templates = {
      'shop/show': '{% include "shop/page" %}',
      'shop/page': `{% extends "shop/layout" %}\n{% block main %}\n${call}\n{% endblock %}`,
      'shop/layout':
        '{% from "shop/macros" import link %}\n{{ link() }}<main>{% block main %}{% endblock %}</main>',
      'shop/macros': '{% macro link() %}{% endmacro %}',
    };
    expect(() => page(templates, { shop: {} }, helpers)).toThrow(
      new Error(`The template cannot be rendered: ${path.join(root, '1.njk')}:3:${column}: ${reason}`),
    );
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['the first line', { show: '{{ fail() }}' }, '0.njk:1:8'],
    [
      'the first line of an included one',
      { show: '\n{% include "b" %}', b: '<p>{{ fail() }}' },
      '1.njk:1:11',
    ],
    [
      'the line after an included one',
      { show: '{% include "b" %}\n\n{{ fail() }}', b: '{{ 1 }}' },
      '0.njk:3:8',
    ],
    ['one that it extends', { show: '{% extends "b" %}', b: '\n\n{{ fail() }}' }, '1.njk:3:8'],
    [
      'a block that it renders with super()',
      {
        show: '{% extends "b" %}{% block x %}\n\n{{ super() }}{% endblock %}',
        b: '\n\n\n{% block x %}\n{{ fail() }}{% endblock %}',
      },
      '1.njk:5:8',
    ],
    [
      'a block that follows super()',
      {
        show: '{% extends "b" %}\n{% block x %}{{ super() }}\n{{ fail() }}{% endblock %}',
        b: '{% block x %}{{ 1 }}{% endblock %}',
      },
      '0.njk:3:8',
    ],
    ['one that it imports', { show: '\n{% import "b" as b %}', b: '\n\n\n{{ fail() }}' }, '1.njk:4:8'],
    [
      'a call of an imported macro',
      { show: '\n\n{% from "b" import m %}\n{{ m() }}', b: '{% macro m() %}{{ fail() }}{% endmacro %}' },
      '0.njk:4:5',
    ],
  ])('names the file and line of the template that fails: %s', (_, templates, at) => {
    const helpers = new ViewHelpers();
    helpers.add('fail', () => {
      throw new Error('No stock.');
    });
    expect(() => page(templates, {}, helpers)).toThrow(
      new Error(`The template cannot be rendered: ${path.join(root, at)}: No stock.`),
    );
  });

  it('names no line if Nunjucks does not know it', () => {
    expect(() => page({ show: '\n\n{{ "x" | unknown }}' }, {})).toThrow(
      new Error(`The template cannot be rendered: ${path.join(root, '0.njk')}: filter not found: unknown`),
    );
  });

  it('renders the blocks that blocks of several templates replace', () => {
    const templates = {
      show: '{% extends "b" %}{% block x %}1{{ super() }}1{% endblock %}{% block y %}4{{ super() }}4{% endblock %}',
      b: '{% extends "c" %}{% block x %}2{{ super() }}2{% endblock %}',
      c: '{% block x %}3{% endblock %}{% block y %}5{% endblock %}',
    };
    expect(page(templates, {})).toBe('12321454');
  });

  it('may call super() in each of 300 blocks', () => {
    const blocks = (content: string): string =>
      Array.from({ length: 300 }, (_, at) => `{% block b${at} %}${content}{% endblock %}`).join('');
    expect(page({ show: `{% extends "b" %}${blocks('{{ super() }}')}`, b: blocks('x') }, {})).toBe(
      'x'.repeat(300),
    );
  });

  it('fails if a view helper is asynchronous', () => {
    const helpers = new ViewHelpers();
    helpers.add('stock', () => Promise.resolve(7));
    expect(() => page({ show: '{{ stock() }}' }, {}, helpers)).toThrow(
      'The view helper "stock" returned a promise. Return the value.',
    );
  });

  it.each(['part', 'range', 'cycler', 'joiner', 'stock'])('keeps its function %s', (name) => {
    const helpers = new ViewHelpers();
    helpers.add('stock', () => 7);
    expect(() => helpers.add(name, () => 8)).toThrow(`The view helper "${name}" already exists.`);
    expect(() => helpers.add('total', undefined as unknown as () => number)).toThrow(
      'The view helper "total" is undefined. Pass a function.',
    );
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

  it('renders a tree of templates that include themselves', () => {
    const tree = (depth: number): object => ({ name: depth, list: depth === 0 ? [] : [tree(depth - 1)] });
    const templates = {
      show: '{{ one.name }}{% for one in one.list %},{% include "show" %}{% include "leaf" %}{% endfor %}',
      leaf: '',
    };
    const numbers = Array.from({ length: 91 }, (_, at) => 90 - at);
    expect(page(templates, { one: tree(90) })).toBe(numbers.join());
  });

  it('includes and imports any number of templates one after the other', () => {
    const templates = {
      show: '{% for at in list %}{% include "child" %}{% import "macros" as m %}{{ m.two() }}{% endfor %}',
      child: '{% extends "layout" %}{% block main %}{{ at }}{% endblock %}',
      layout: '<{% block main %}{% endblock %}>',
      macros: '{% macro two() %}2{% endmacro %}',
    };
    const list = Array.from({ length: 500 }, (_, at) => at);
    expect(page(templates, { list })).toBe(list.map((at) => `<${at}>2`).join(''));
  });

  it.each([
    '{% include name %}',
    '{% extends name %}',
    '{% import "show" as x %}',
    '{% from "show" import x %}',
    '{% if name %}{% include "show" %}{% endif %}',
    '{% if name %}{% include name %}{% include name %}{% endif %}',
    '{{ part(name) }}',
    '{% block main %}{% include name %}{% endblock %}',
    '{% macro x() %}{% include "show" %}{% endmacro %}{{ x() }}',
    '{% for at in [1, 2] %}{% include "other" %}{% endfor %}',
  ])('fails at once if it is within itself without end: %s', async (show) => {
    const other = '{% import "show" as shown %}';
    const used = await cpuTimeOf(() => {
      for (let turn = 0; turn < 2; turn++)
        expect(() => page({ show, other }, { name: 'show' })).toThrow(
          /^Templates are nested more than 1(?:00|,000|000) levels deep/,
        );
    });
    expect(used).toBeLessThan(1_000);
  });

  it('is rendered after one that failed, and by a helper within another one', () => {
    const helpers = new ViewHelpers();
    const templates = {
      show: '{% if deep %}{% include "show" %}{% else %}{{ inner() }}{% endif %}',
      inner: 'in',
    };
    const renderer = rendererOf(templates, helpers);
    helpers.add('inner', () => renderer.render(new ViewModel({}, { template: 'inner' })));
    const render = (deep: boolean): string => renderer.render(new ViewModel({ deep }, { template: 'show' }));
    expect(() => render(true)).toThrow('more than 100 levels deep');
    expect(render(false)).toBe('in');
  });

  it('has its parts in place around a page that a helper renders within it', () => {
    const helpers = new ViewHelpers();
    const templates = {
      show: '{{ part("a") }}{{ inner() }}{{ part("b") }}',
      inner: '({{ part("b") }})',
      a: 'A',
      b: 'B',
    };
    const renderer = rendererOf(templates, helpers);
    helpers.add('inner', () => renderer.render(new ViewModel({}, { template: 'inner' })));
    expect(renderer.render(new ViewModel({}, { template: 'show' }))).toBe('A(B)B');
  });

  it('fails for a template with a syntax error', () => {
    expect(() => page({ show: '{% if %}' }, {})).toThrow();
  });

  it.each([
    '{% include "inner" %}',
    '{% extends "inner" %}',
    '{% import "inner" as inner %}',
    '{{ part("inner") }}',
  ])('fails if %s has a syntax error, each time, and is rendered once it is corrected', (outer) => {
    const renderer = rendererOf({ outer, inner: 'a {% if %}' });
    const render = (): string => renderer.render(new ViewModel({}, { template: 'outer' }));
    for (let time = 0; time < 2; time++) expect(render).toThrow(/1\.njk:\d+:\d+: unexpected token: %}/);
    writeFileSync(path.join(root, '1.njk'), 'a');
    expect(render()).toBe(outer.includes('import') ? '' : 'a');
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

  it('return nothing but HTML and text', () => {
    const helpers = new ViewHelpers();
    expect(() => helpers.add('bold', () => '<b>', 'HTML' as 'html')).toThrow(
      'The view helper "bold" returns the string "HTML". Pass \'html\' for markup, or \'text\'.',
    );
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
