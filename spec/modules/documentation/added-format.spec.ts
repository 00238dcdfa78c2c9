import { readFileSync } from 'node:fs';
import path from 'node:path';
import { priorities, registerStrategy, type BootstrapEvent, type Module } from '../../../src/platform';
import { ROOT, startTestPlatform, type TestPlatform, type TestProject } from '../../factories/platform';
import { bodyOf } from '../../factories/http/requests';
import { startRefusal } from '../../factories/processes/start-refusal';
import { BLUEPRINT_TYPE, BlueprintModule, type BlueprintStrategy } from '../../fixtures/blueprint-module';

const blueprint = new BlueprintModule();

/** A module that registers the strategy at bootstrap. */
const atBootstrap: Module = {
  name: 'eager',
  onBootstrap: ({ application }: BootstrapEvent) =>
    registerStrategy(application, 'BlueprintStrategy', 'eager'),
};

/** A custom listener that registers the strategy on each request. */
const atEveryRender: Module = {
  name: 'diligent',
  onBootstrap: ({ application }: BootstrapEvent) => {
    const { events, services, view } = application;
    const register = async (): Promise<void> => {
      const strategy = await services.get<BlueprintStrategy>('BlueprintStrategy');
      view.events.attachGroup(strategy);
    };
    events.attach('render', register, priorities.render.strategies);
  },
};

const ways: readonly (readonly [string, TestProject])[] = [
  ['at bootstrap', { extra: [blueprint, atBootstrap] }],
  ['at the render event, on every request', { extra: [blueprint, atEveryRender] }],
  [
    'at the render event, by configuration alone',
    { extra: [blueprint], local: { view_manager: { render_strategies: ['BlueprintStrategy'] } } },
  ],
  [
    'at bootstrap, by configuration alone',
    { extra: [blueprint], local: { view_manager: { strategies: ['BlueprintStrategy'] } } },
  ],
];

describe.each(ways)('a format with a strategy registered %s', (_way, project) => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform(project)));
  afterAll(() => platform.stop());

  const get = (accept: string, below = ''): Promise<Response> =>
    platform.request(`/platform/documentation${below}`, { headers: { Accept: accept } });

  it.each([
    ['', '# Atlas\n'],
    ['/Atlas', '# Atlas\n## Country\n## Visit\n## Distance\n'],
    ['/Atlas-v1/Visit', '## Visit\n'],
  ])('renders the documentation%s under its media type', async (below, text) => {
    const answer = await get(BLUEPRINT_TYPE, below);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(BLUEPRINT_TYPE);
    expect(await answer.text()).toBe(text);
  });

  it('does not change the built-in formats', async () => {
    await get(BLUEPRINT_TYPE);
    for (const [accept, type] of [
      ['application/json', 'application/json'],
      ['application/vnd.apidesc+json', 'application/vnd.apidesc+json'],
      ['text/html', 'text/html; charset=utf-8'],
      ['*/*', 'application/json'],
    ] as const) {
      const answer = await get(accept, '/Atlas');
      expect(answer.headers.get('content-type')).toBe(type);
      expect(await answer.text()).not.toMatch(/^# Atlas/);
    }
  });

  it('does not change problems', async () => {
    const answer = await get(BLUEPRINT_TYPE, '/Nothing');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  it('is listed in a 406 and on pages', async () => {
    const refused = await bodyOf(await get('image/png'));
    expect(refused.available).toContain(BLUEPRINT_TYPE);
    const page = await (await get('text/html')).text();
    expect(page).toContain(`href="?format=blueprint" rel="alternate" type="${BLUEPRINT_TYPE}"`);
    const answer = await platform.request('/platform/documentation?format=blueprint');
    expect(answer.headers.get('content-type')).toBe(BLUEPRINT_TYPE);
  });

  it('does not add listeners on each request', async () => {
    await get(BLUEPRINT_TYPE);
    const { events } = platform.application.view;
    const before = [events.count('renderer'), events.count('response')];
    await Promise.all(Array.from({ length: 20 }, () => get(BLUEPRINT_TYPE)));
    expect([events.count('renderer'), events.count('response')]).toEqual(before);
  });
});

describe('the platform does not start', () => {
  it.each(['strategies', 'render_strategies'])('with an unknown name in view_manager.%s', async (key) => {
    const refusal = await startRefusal({
      extra: [blueprint],
      local: { view_manager: { [key]: ['BlueprintStratgy'] } },
    });
    expect(refusal).toMatch(
      new RegExp(`^config/autoload/local\\.json:\\d+:\\d+: view_manager\\.${key}\\[0\\]: `),
    );
    expect(refusal).toContain('no module binds a view strategy named "BlueprintStratgy"');
    expect(refusal).toContain('BlueprintStrategy');
  });

  it('with a view model name that no module binds', async () => {
    const local = {
      'platform-content-negotiation': { selectors: { Documentation: { WordModel: ['application/msword'] } } },
    };
    expect(await startRefusal({ local })).toContain('selectors.Documentation.WordModel');
  });
});

it('takes less than 40 lines in addition to model and renderer to add a format', () => {
  const text = readFileSync(path.join(ROOT, 'spec/fixtures/blueprint-module.ts'), 'utf8');
  const [, glue = ''] = text.split('// Everything below is required to add a format.');
  expect(glue.split('\n').filter((line) => line.trim() !== '').length).toBeLessThan(40);
  expect([...text.matchAll(/from '(.+)'/g)].map(([, from]) => from)).toEqual(['../../src/platform']);
});
