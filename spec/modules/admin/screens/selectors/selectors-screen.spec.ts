import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LOCAL_FILE } from '../../../../../src/framework';
import { startAdminPlatform } from '../../../../factories/admin/admin';
import { fieldsOf } from '../../../../factories/admin/page-form';
import { textOf } from '../../../../factories/admin/admin-pages';
import { reusedPlatform } from '../../../../factories/reused-platform';

const { platform } = reusedPlatform(startAdminPlatform);

const page = async (below: string): Promise<string> => (await platform.ada.get(below)).text();
const local = (): unknown => JSON.parse(readFileSync(path.join(platform.root, LOCAL_FILE), 'utf8'));
const selectorsIn = (): unknown =>
  (local() as Record<string, Record<string, unknown>>)['platform-content-negotiation']?.selectors;

/** Submits a form and confirms its preview. */
async function change(below: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const shown = await (await platform.ada.post(below, fields)).text();
  const done = await platform.ada.post(below, fieldsOf(shown, 'confirm'));
  expect([done.status, shown]).toEqual([303, expect.stringContaining('Difference') as string]);
  return done.headers.get('location') ?? '';
}

describe('The content negotiation page', () => {
  it('lists selectors with view models, media types and the services that use them', async () => {
    const text = textOf(await page('/selectors'));
    expect(text).toContain('ApidescModel application/vnd.apidesc+json');
    expect(text).toMatch(/Documentation .* The documentation/);
  });

  it('creates a selector, and adds, changes and removes a view model with media types', async () => {
    expect(await change('/selectors', { name: 'Reports' })).toBe('/platform/admin/selectors/Reports');
    await change('/selectors/Reports', { model: 'JsonModel', types: 'application/json\r\ntext/x-report, ' });
    expect(selectorsIn()).toEqual({ Reports: { JsonModel: ['application/json', 'text/x-report'] } });
    expect(textOf(await page('/selectors/Reports'))).toContain('Added JsonModel');
    await change('/selectors/Reports/models/JsonModel', { types: 'text/x-report' });
    expect(selectorsIn()).toEqual({ Reports: { JsonModel: ['text/x-report'] } });
    await change('/selectors/Reports/models/JsonModel/remove', {});
    expect(await change('/selectors/Reports/remove', {})).toBe('/platform/admin/selectors');
    expect(selectorsIn()).toEqual({});
  });

  it('renders the documentation as an added media type immediately', async () => {
    await change('/selectors/Documentation/models/ViewModel', {
      types: 'text/html\ntext/x-page',
    });
    const answer = await platform.request('/platform/documentation', { headers: { accept: 'text/x-page' } });
    expect(await answer.text()).toContain('<!doctype html>');
  });

  it('shows the form again with its input, and each error at its field', async () => {
    const taken = await platform.ada.post('/selectors', { name: 'Json' });
    const again = await taken.text();
    expect([taken.status, textOf(again)]).toEqual([
      409,
      expect.stringContaining('The selector "Json" already exists. Choose another name.') as string,
    ]);
    expect(again).toContain('id="name-error"');
    const wrong = await platform.ada.post('/selectors/Json', { model: 'Nope', types: 'text/*\njson' });
    const body = await wrong.text();
    expect(wrong.status).toBe(422);
    expect(body).toContain('text/*\njson</textarea>');
    expect(body).toMatch(/id="model-error">View model/);
    expect(body).toMatch(/id="types-error">"?(&quot;)?text\/\*/);
    const empty = await platform.ada.post('/selectors/Json', {});
    expect([empty.status, textOf(await empty.text())]).toEqual([
      422,
      expect.stringContaining('Enter at least one media type.') as string,
    ]);
  });

  it('reports that there are no changes to save', async () => {
    const answer = await platform.ada.post('/selectors/Json/models/JsonModel', { types: 'application/json' });
    expect([answer.status, textOf(await answer.text())]).toEqual([
      422,
      expect.stringContaining('No changes to save.') as string,
    ]);
  });

  it('does not remove a selector that services use, which are named', async () => {
    expect(textOf(await page('/selectors/Documentation'))).toContain('In use.');
    const answer = await platform.ada.post('/selectors/Documentation/remove', {});
    expect([answer.status, textOf(await answer.text())]).toEqual([
      409,
      expect.stringContaining('in use by the documentation') as string,
    ]);
  });

  it('explains that an entry of a lower layer can only be removed as a whole', async () => {
    const entry = '/selectors/Documentation/models/ApidescModel';
    expect(textOf(await page(entry))).toContain(
      'application/vnd.apidesc+json is defined in the defaults of the module "documentation-apidesc" and cannot be removed here',
    );
    const response = await platform.ada.post(entry, { types: 'text/x-a' });
    expect(textOf(await response.text())).toContain('Keep it, or remove the view model.');
    await change(`${entry}/remove`, {});
    expect(selectorsIn()).toEqual({ Documentation: { ApidescModel: null } });
  });

  it('shows a concurrent change instead of overwriting it', async () => {
    const form = await page('/selectors/Documentation/models/ViewModel');
    const tag = /name="tag" value="([0-9a-f]+)"/.exec(form)?.[1] ?? '';
    await change('/selectors/Documentation/models/JsonModel', { types: 'application/json\ntext/x-first' });
    const late = await platform.ada.post('/selectors/Documentation/models/ViewModel', {
      tag,
      types: 'text/html\ntext/x-second',
    });
    expect([late.status, textOf(await late.text())]).toEqual([
      200,
      expect.stringMatching(/changed by someone else.*text\/x-first/s) as string,
    ]);
  });

  it.each([
    ['/selectors/Documentation', { model: 'nope', types: 'text/x-second' }],
    ['/selectors/Documentation/models/ViewModel', { types: 'text/*' }],
  ])('shows a concurrent change after the form was corrected: %s', async (below, wrong) => {
    const { tag = '' } = Object.fromEntries(fieldsOf(await page(below), 'types'));
    await change('/selectors/Documentation/models/JsonModel', { types: 'application/json\ntext/x-first' });
    const refused = await platform.ada.post(below, { ...wrong, tag });
    expect(refused.status).toBe(422);
    const again = fieldsOf(await refused.text(), 'types');
    const corrected = {
      ...Object.fromEntries(again),
      model: 'HalJsonModel',
      types: 'text/html\ntext/x-second',
    };
    const late = await platform.ada.post(below, corrected);
    expect([late.status, textOf(await late.text())]).toEqual([
      200,
      expect.stringMatching(/changed by someone else.*text\/x-first/s) as string,
    ]);
  });

  it('responds with 404 for unknown names and 405 for unsupported methods', async () => {
    for (const below of ['/selectors/Nope', '/selectors/Json/models/Nope', '/selectors/__proto__']) {
      expect((await platform.ada.get(below)).status).toBe(404);
      expect((await platform.ada.post(below, { types: 'text/x-a', model: 'JsonModel' })).status).toBe(404);
    }
  });

  it('displays input as text', async () => {
    const script = '"><script>alert(1)</script>';
    const answers = [
      await platform.ada.post('/selectors', { name: script }),
      await platform.ada.post('/selectors/Json', { model: script, types: script }),
      await platform.ada.post('/selectors/Json/models/JsonModel', { types: script }),
      await platform.ada.get(`/selectors/Json?accept=${encodeURIComponent(script)}`),
      await platform.ada.get(`/selectors/${encodeURIComponent(script)}`, { accept: 'text/html' }),
    ];
    for (const answer of answers) expect(await answer.text()).not.toContain('<script>alert');
  });
});

describe('The Accept tester', () => {
  it('explains the negotiation step by step', async () => {
    const field = encodeURIComponent('text/html;q=0.5, application/*+json, nonsense, image/png;q=0');
    const text = textOf(await page(`/selectors/Documentation?accept=${field}`));
    expect(text).toContain('application/json, rendered by JsonModel.');
    expect(text).toContain('nonsense Invalid: ignored.');
    expect(text).toContain('text/html Rank');
    expect(text).toContain('lower weight');
  });

  it('explains a 406, and the result of a request without the header', async () => {
    expect(textOf(await page('/selectors/Documentation?accept=image/png'))).toContain('406 Not Acceptable');
    expect(textOf(await page('/selectors/Documentation'))).toContain(
      'application/json, rendered by JsonModel: no Accept header, so the first type is used.',
    );
  });
});
