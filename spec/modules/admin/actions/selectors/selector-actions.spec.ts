import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LOCAL_FILE, LocalConfiguration } from '../../../../../src/framework';
import { SelectorActions } from '../../../../../src/modules/admin/actions/selectors/selector-actions';
import type { Actor, Change } from '../../../../../src/modules/admin/changes/change';
import { ConfigurationChanges } from '../../../../../src/modules/admin/changes/configuration-changes';
import { startTestPlatform } from '../../../../factories/platform';
import { rejectionOf } from '../../../../factories/rejection';
import { reusedPlatform } from '../../../../factories/reused-platform';

const ADA: Actor = { name: 'ada', via: 'command' };

let changes: ConfigurationChanges;
let selectors: SelectorActions;
const { platform } = reusedPlatform(startTestPlatform);
beforeEach(() => {
  changes = new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root));
  selectors = new SelectorActions(changes);
});

const apply = async (change: Promise<Change>): Promise<readonly string[]> =>
  (await changes.apply(await change, ADA)).warnings;
const written = (): unknown => {
  const local: unknown = JSON.parse(readFileSync(path.join(platform.root, LOCAL_FILE), 'utf8'));
  return (local as Record<string, Record<string, unknown>>)['platform-content-negotiation']?.selectors;
};
const typesOf = async (selector: string, model: string): Promise<readonly string[] | undefined> =>
  (await selectors.get(selector)).models
    .find(({ name }) => name === model)
    ?.types.map(({ mediaType }) => mediaType);

describe('The list of selectors', () => {
  it('shows view models and media types in order, their sources, and the services that use the selector', async () => {
    const documentation = await selectors.get('Documentation');
    expect(documentation.models.slice(0, 2)).toEqual([
      {
        name: 'JsonModel',
        types: [
          {
            mediaType: 'application/json',
            source: 'the defaults of the module "documentation"',
            isOwn: false,
          },
        ],
      },
      expect.objectContaining({ name: 'ViewModel' }),
    ]);
    expect(documentation.usedBy).toEqual(['The documentation']);
    expect((await selectors.get('Json')).usedBy).toContain('The service Country of Atlas-v1');
  });

  it('reports an unknown name with the available ones', async () => {
    const problem = await rejectionOf(() => selectors.get('Nope'));
    expect([problem.status, problem.detail]).toEqual([
      404,
      'The selector "Nope" does not exist. Available: Json, HalJson, Documentation.',
    ]);
  });
});

describe('A selector', () => {
  it('is created, gets view models with media types, and is removed', async () => {
    await apply(selectors.prepareCreate('Reports'));
    expect(written()).toEqual({ Reports: {} });
    expect((await selectors.get('Reports')).models).toEqual([]);
    await apply(selectors.prepareAddModel('Reports', 'JsonModel', ['application/json', 'text/x-report']));
    expect(written()).toEqual({ Reports: { JsonModel: ['application/json', 'text/x-report'] } });
    await apply(selectors.prepareSetTypes('Reports', 'JsonModel', ['text/x-report']));
    expect(await typesOf('Reports', 'JsonModel')).toEqual(['text/x-report']);
    await apply(selectors.prepareRemoveModel('Reports', 'JsonModel'));
    expect(await typesOf('Reports', 'JsonModel')).toBeUndefined();
    await apply(selectors.prepareRemove('Reports'));
    expect(written()).toEqual({});
  });

  it('of a lower layer is removed, and created again without its media types', async () => {
    const lower = { Mine: { JsonModel: ['application/json'] } };
    const file = path.join(platform.root, 'config/autoload/selectors.global.json');
    writeFileSync(file, JSON.stringify({ 'platform-content-negotiation': { selectors: lower } }));
    await platform.host.reload();
    await apply(selectors.prepareRemove('Mine'));
    expect(written()).toEqual({ Mine: null });
    await apply(selectors.prepareCreate('Mine'));
    expect((await selectors.get('Mine')).models).toEqual([]);
  });

  it('of a lower layer is removed, and created again with a view model that has further media types there', async () => {
    const lower = { Mine: { JsonModel: ['application/json'], ViewModel: ['text/html'] } };
    const file = path.join(platform.root, 'config/autoload/selectors.global.json');
    writeFileSync(file, JSON.stringify({ 'platform-content-negotiation': { selectors: lower } }));
    await platform.host.reload();
    await apply(selectors.prepareRemove('Mine'));
    await apply(selectors.prepareCreate('Mine', { model: 'JsonModel', types: ['text/x-json'] }));
    expect(written()).toEqual({ Mine: { JsonModel: ['text/x-json'], ViewModel: null } });
    expect((await selectors.get('Mine')).models.map(({ name }) => name)).toEqual(['JsonModel']);
    expect(await typesOf('Mine', 'JsonModel')).toEqual(['application/json', 'text/x-json']);
  });

  it('is not created under an existing or invalid name', async () => {
    expect((await rejectionOf(() => selectors.prepareCreate('Json'))).status).toBe(409);
    for (const name of ['', '__proto__', '1st', 'a b', 'a/b', '<script>']) {
      const problem = await rejectionOf(() => selectors.prepareCreate(name));
      expect([problem.status, problem.extensions.errors]).toEqual([
        422,
        [{ pointer: '/name', message: expect.stringContaining('starting with a letter') as string }],
      ]);
    }
  });

  it('is not created under a name that is too long, whose length is named', async () => {
    const problem = await rejectionOf(() => selectors.prepareCreate('x'.repeat(65)));
    expect([problem.status, problem.extensions.errors]).toEqual([
      422,
      [{ pointer: '/name', message: 'The name has 65 characters. Use at most 64.' }],
    ]);
  });

  it('is not removed while services use it, which are named', async () => {
    const problem = await rejectionOf(() => selectors.prepareRemove('Documentation'));
    expect([problem.status, problem.detail]).toEqual([
      409,
      'The selector "Documentation" is in use by the documentation. Remove it there first.',
    ]);
  });
});

describe('A view model of a selector', () => {
  it('must be bound in the container', async () => {
    const models = await selectors.viewModels();
    expect(models).toEqual(expect.arrayContaining(['ApidescModel', 'JsonModel', 'ViewModel']));
    expect(models).not.toContain('HttpAdapter');
    for (const name of ['HttpAdapter', 'Nope', 'constructor', '__proto__']) {
      const problem = await rejectionOf(() => selectors.prepareAddModel('Json', name, ['text/x-a']));
      expect(problem.extensions.errors).toEqual([
        {
          pointer: '/model',
          message: expect.stringContaining(`View model "${name}" does not exist`) as string,
        },
      ]);
    }
  });

  it('can be added to a selector once', async () => {
    const problem = await rejectionOf(() => selectors.prepareAddModel('Json', 'JsonModel', ['text/x-a']));
    expect(problem.extensions.errors).toEqual([
      { pointer: '/model', message: expect.stringContaining('already') as string },
    ]);
  });

  it('is rejected at its field for invalid media types, media ranges and duplicates', async () => {
    const types = ['json', 'text/*', 'text/x-a', 'TEXT/X-A', 'text/x;q'];
    const problem = await rejectionOf(() => selectors.prepareAddModel('Json', 'ViewModel', types));
    expect(problem.extensions.errors).toEqual([
      { pointer: '/types/0', message: '"json" is not a media type. Enter one such as "application/json".' },
      { pointer: '/types/1', message: '"text/*" is a media range. Enter media types without wildcards.' },
      { pointer: '/types/3', message: '"TEXT/X-A" is listed twice.' },
      {
        pointer: '/types/4',
        message: '"text/x;q" is not a media type. Enter one such as "application/json".',
      },
    ]);
    const empty = await rejectionOf(() => selectors.prepareAddModel('Json', 'ViewModel', []));
    expect(empty.extensions.errors).toEqual([
      { pointer: '/types', message: 'Enter at least one media type.' },
    ]);
    // What no Content-Type can have.
    for (const type of [
      'text/x; q="日"',
      'text/x;\nq=1',
      'text/x\n;q=1',
      'text/x; q="\u0007"',
      'text/x; q="\u007f"',
    ]) {
      const refused = await rejectionOf(() => selectors.prepareAddModel('Json', 'ViewModel', [type]));
      expect(refused.extensions.errors).toMatchObject([{ pointer: '/types/0' }]);
    }
  });

  it('keeps media types of lower layers and writes only the added ones', async () => {
    await apply(selectors.prepareSetTypes('Documentation', 'JsonModel', ['application/json', 'text/x-json']));
    expect(written()).toEqual({ Documentation: { JsonModel: ['text/x-json'] } });
    expect(await typesOf('Documentation', 'JsonModel')).toEqual(['application/json', 'text/x-json']);
    const problem = await rejectionOf(() =>
      selectors.prepareSetTypes('Documentation', 'JsonModel', ['text/x-json']),
    );
    expect(problem.extensions.errors).toEqual([
      {
        pointer: '/types',
        message:
          'application/json is defined in the defaults of the module "documentation" and cannot be removed on its own. Keep it, or remove the view model.',
      },
    ]);
    await apply(selectors.prepareSetTypes('Documentation', 'JsonModel', ['application/json']));
    expect(written()).toEqual({ Documentation: {} });
  });

  it('is removed although a lower layer defines it, and can be added again', async () => {
    expect(selectors.isDefinedInLowerLayer('Documentation', 'ApidescModel')).toBe(true);
    await apply(selectors.prepareRemoveModel('Documentation', 'ApidescModel'));
    expect(written()).toEqual({ Documentation: { ApidescModel: null } });
    const type = 'application/vnd.apidesc+json';
    const without = await platform.request('/platform/documentation/Atlas', { headers: { accept: type } });
    expect(without.status).toBe(406);
    await apply(selectors.prepareAddModel('Documentation', 'ApidescModel', [type]));
    const again = await platform.request('/platform/documentation/Atlas', { headers: { accept: type } });
    expect(again.headers.get('content-type')).toBe(type);
  });

  it('causes a warning if it shares a media type with another, naming the one that is used', async () => {
    const warnings = await apply(selectors.prepareAddModel('Json', 'ApidescModel', ['Application/JSON']));
    expect(warnings).toContain(
      'The selector "Json" lists application/json for JsonModel and ApidescModel; JsonModel is used.',
    );
    expect((await selectors.get('Json')).ambiguousTypes).toHaveLength(1);
  });

  it('renders the documentation as a new media type immediately', async () => {
    await apply(selectors.prepareSetTypes('Documentation', 'ViewModel', ['text/html', 'text/x-page']));
    const answer = await platform.request('/platform/documentation', { headers: { accept: 'text/x-page' } });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('<!doctype html>')]);
  });
});

describe('The explanation of a negotiation', () => {
  it('names the view model of the chosen media type', async () => {
    const html = await selectors.explain('Documentation', 'text/html, */*;q=0.1');
    expect([html.explanation.chosen, html.viewModel]).toEqual(['text/html', 'ViewModel']);
    const none = await selectors.explain('Documentation', 'image/png');
    expect([none.explanation.chosen, none.viewModel]).toEqual([undefined, undefined]);
    expect((await rejectionOf(() => selectors.explain('Nope', 'text/html'))).status).toBe(404);
  });
});
