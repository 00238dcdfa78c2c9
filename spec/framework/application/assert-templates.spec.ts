import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Module } from '../../../src/framework';
import { checkTemplates } from '../../../src/framework/view/check-templates';
import { ALL_MODULES, ROOT, startTestPlatform } from '../../factories/platform';
import { startRefusal } from '../../factories/processes/start-refusal';

const SHOW = 'platform-documentation/show';

/** Returns the startup error of a project that overrides a documentation template. */
const refusalOf = (text: string, name = SHOW): Promise<string> =>
  startRefusal({
    modules: ['documentation'],
    local: { view_manager: { template_map: { [name]: 'templates/my.njk' } } },
    files: { 'templates/my.njk': text },
  });

describe('A template of an operator', () => {
  it.each([
    [
      '{% if a %}\n  {{ a }}',
      '2:10: the template "platform-documentation/show": parseIf: expected elif, else, or endif, got end of file',
    ],
    ['\n{{ a b }}', '2:6: the template "platform-documentation/show": expected variable end'],
    ['\n {% fi %}', '2:5: the template "platform-documentation/show": unknown block tag: fi'],
    [
      '{% block a %}{% endblock %}\n{% block a %}{% endblock %}',
      ': the template "platform-documentation/show": Block "a" defined more than once.',
    ],
    [
      '\n{{ a | uper }}',
      '2:8: the template "platform-documentation/show": filter "uper" does not exist. Did you mean "upper"?',
    ],
  ])('that cannot be compiled is an error at startup, with its position: %j', async (text, message) => {
    expect(await refusalOf(text)).toMatch(/^templates\/my\.njk(?::\d+:\d+)?: /);
    expect(await refusalOf(text)).toContain(message);
  });

  it.each([
    '{% include "platform/layuot" %}',
    '{% extends "platform/layuot" %}',
    '{% import "platform/layuot" as x %}',
    '{% from "platform/layuot" import x %}',
    '{% include "platform/layuot" if narrow else "platform/layout" %}',
    '{{ part("platform/layuot", { a: 1 }) }}',
    '{% set x %}{% include "platform/layuot" %}{% endset %}',
    '{% macro x() %}{% if a %}{{ a }}{% else %}{% include "platform/layuot" %}{% endif %}{% endmacro %}',
  ])('that references an unknown one is an error at startup, with its position: %s', async (text) => {
    expect(await refusalOf(`<p>\n${text}`)).toMatch(
      /^templates\/my\.njk:2:\d+: the template "platform-documentation\/show": template "platform\/layuot" does not exist\. Did you mean "platform\/layout"\?$/,
    );
  });

  it.each([
    ['platform-documentation/shwo', SHOW],
    ['platform/erorr', 'platform/error'],
    ['platfrom/error', 'platform/error'],
  ])('with a misspelled name is an error at startup: %s', async (name, suggestion) => {
    expect(await refusalOf('', name)).toBe(
      `config/autoload/local.json:4:7: view_manager.template_map: the template "${name}" is never used. Did you mean "${suggestion}"?`,
    );
  });

  it.each([
    `{% include "${SHOW}" %}`,
    `{% extends "${SHOW}" %}`,
    `{% import "${SHOW}" as x %}`,
    `{% from "${SHOW}" import x %}`,
    `{{ part("${SHOW}") }}`,
    `{% set x %}{% include "${SHOW}" %}{% endset %}`,
    `{% include "${SHOW}" ignore missing %}`,
  ])('that always references itself is an error at startup: %s', async (text) => {
    expect(await refusalOf(`<p>\n${text}`)).toMatch(
      /^templates\/my\.njk:2:\d+: the template "platform-documentation\/show" always renders itself again: "platform-documentation\/show" \(templates\/my\.njk\) → "platform-documentation\/show" \(templates\/my\.njk\)\. Remove/,
    );
  });

  it('that references itself through others, also those of the platform, is an error at startup, once', async () => {
    const map = { 'platform/layout': 'a.njk', 'shop/b': 'b.njk' };
    const message = await startRefusal({
      modules: ['documentation'],
      local: { view_manager: { template_map: map } },
      files: { 'a.njk': '{% include "shop/b" %}', 'b.njk': '{% include "platform/error" %}' },
    });
    expect(message.split('\n')).toEqual([
      expect.stringMatching(
        /"platform\/layout" \(a\.njk\) → "shop\/b" \(b\.njk\) → "platform\/error" \(.*error\.njk\) → "platform\/layout" \(a\.njk\)\./,
      ),
    ]);
  });

  it.each([
    `{% if list %}{% include "${SHOW}" %}{% endif %}`,
    `{% for one in list %}{% include "${SHOW}" %}{% endfor %}`,
    `{% for one in list %}{{ part("${SHOW}", { list: one.list }) }}{% endfor %}`,
    `{% macro tree(list) %}{% include "${SHOW}" %}{% endmacro %}`,
    `{% include "${SHOW}" if list else "platform/layout" %}`,
    `{{ list and part("${SHOW}") }}`,
    `{% block one %}{% include "${SHOW}" %}{% endblock %}`,
    '{% include name %}',
  ])('that may reference itself starts: %s', async (text) => {
    const platform = await startTestPlatform({
      modules: ['documentation'],
      local: { view_manager: { template_map: { [SHOW]: 'a.njk' } } },
      files: { 'a.njk': text },
    });
    await platform.stop();
  });

  it('can be referenced by other templates and by variables, and have a new name', async () => {
    const platform = await startTestPlatform({
      modules: ['documentation'],
      local: {
        view_manager: {
          template_map: {
            [SHOW]: 'a.njk',
            'platform-documentation/part-of-mine': 'b.njk',
            'shop/list': 'b.njk',
          },
        },
      },
      files: {
        'a.njk': '{% include "platform-documentation/part-of-mine" %}{% include any or "shop/list" %}',
        'b.njk': 'b',
      },
    });
    const answer = await platform.request('/platform/documentation', { headers: { Accept: 'text/html' } });
    await platform.stop();
    expect(answer.status).toBe(200);
  });
});

describe('A block of a template of an operator', () => {
  const SERVICE = 'platform-documentation/service';
  /** Returns the warnings of a project whose templates are in files that are named after them. */
  const warningsOf = async (texts: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const names = Object.keys(texts);
    const platform = await startTestPlatform({
      modules: ['documentation'],
      local: {
        view_manager: { template_map: Object.fromEntries(names.map((name) => [name, `${name}.njk`])) },
      },
      files: Object.fromEntries(names.map((name) => [`${name}.njk`, texts[name] ?? ''])),
    });
    await platform.stop();
    return platform.application.warnings.filter((one) => one.includes('the block'));
  };

  it('that the layout lacks is a warning with its position and the names that exist', async () => {
    const text = '{% extends "platform/layout" %}\n\n  {% block contnet %}{% endblock %}';
    expect(await warningsOf({ [SERVICE]: text })).toEqual([
      expect.stringMatching(
        /^platform-documentation\/service\.njk:3:6: the template "platform-documentation\/service": the block "contnet" is never rendered, as "platform\/layout" has no block of this name\. Did you mean "content"\? Available: .*title, .*content.*\.$/,
      ),
    ]);
  });

  it('is compared with those of all templates that its template extends', async () => {
    const warnings = await warningsOf({
      'shop/base':
        '{% extends "platform/layout" %}{% block content %}{% block list %}{% endblock %}{% endblock %}{% block lost %}{% endblock %}',
      [SERVICE]: '{% extends "shop/base" %}\n{% block list %}{% endblock %}{% block lost %}{% endblock %}',
    });
    expect(warnings.map((one) => one.split(':', 2).join(':'))).toEqual(
      expect.arrayContaining(['shop/base.njk:1', 'platform-documentation/service.njk:2']),
    );
    expect(warnings).toHaveLength(2);
    for (const one of warnings) expect(one).toContain('the block "lost"');
  });

  it.each([
    ['of a template that extends none', '{% block any %}{% endblock %}'],
    [
      'within one that is rendered',
      '{% extends "platform/layout" %}{% block content %}{% block any %}{% endblock %}{% endblock %}',
    ],
    [
      'of a template that may extend none',
      '{% if a %}{% extends "platform/layout" %}{% endif %}{% block any %}{% endblock %}',
    ],
    [
      'of a template that may extend another one as well',
      '{% extends "platform/layout" %}{% if a %}{% extends "platform/error" %}{% endif %}{% block any %}{% endblock %}',
    ],
    ['of a template that extends one by a variable', '{% extends layout %}{% block any %}{% endblock %}'],
  ])('%s causes no warning', async (_, text) => {
    expect(await warningsOf({ [SERVICE]: text })).toEqual([]);
  });
});

describe('A template of an external module', () => {
  it('is checked at startup', async () => {
    const extra: Module = {
      name: 'shop',
      defaults: { view_manager: { template_map: { 'shop/a': 'a.njk' } } },
    };
    expect(
      await startRefusal({ modules: [], extra: [extra], files: { 'a.njk': '{% include "shop/b" %}' } }),
    ).toMatch(
      /^a\.njk:1:\d+: the template "shop\/a": template "shop\/b" does not exist\. Did you mean "shop\/a"\?$/,
    );
  });
});

describe('The templates of the platform', () => {
  it('compile, reference only existing templates, and are all in the map', async () => {
    const platform = await startTestPlatform({ modules: [...ALL_MODULES, 'openid', 'admin'] });
    const { templates } = platform.application;
    await platform.stop();
    const find = (name: string) => ({ name, file: templates.fileOf(name), shown: name });
    const all = templates.names.map(find);
    const { errors, warnings } = checkTemplates(all, templates.names, find);
    expect([...errors, ...warnings]).toEqual([]);
    const files = readdirSync(path.join(ROOT, 'templates'), { recursive: true, encoding: 'utf8' })
      // Those of a new project are not pages.
      .filter((name) => name.endsWith('.njk') && !name.startsWith('project/'))
      .map((name) => path.join(ROOT, 'templates', name));
    expect(all.map(({ file }) => file).sort()).toEqual(files.sort());
  });
});
