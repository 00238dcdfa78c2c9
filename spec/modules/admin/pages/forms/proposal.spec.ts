import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ADMIN, startAdminPlatform, type AdminClient } from '../../../../factories/admin/admin';
import { fieldsOf as pageFields, withFields } from '../../../../factories/admin/page-form';
import { reusedPlatform } from '../../../../factories/reused-platform';
import { setTestTimeout } from '../../../../factories/test-timeout';
import { WAITING, WaitingModule } from '../../../../fixtures/waiting-module';

setTestTimeout(60);

let ada: AdminClient;
const { platform } = reusedPlatform(() => startAdminPlatform({ extra: [new WaitingModule()] }));
beforeEach(() => {
  ({ ada } = platform);
});

const timeout = (): unknown => platform.application.configuration.valueAt(WAITING);
const local = (): string => readFileSync(path.join(platform.root, 'config/autoload/local.json'), 'utf8');
/** The hidden fields of a confirmation form, as submitted by a browser. */
const fieldsOf = (page: string): [string, string][] =>
  [
    ...(/<main[\s\S]*$/.exec(page)?.[0] ?? '').matchAll(
      /<input type="hidden" name="([^"]*)" value="([^"]*)">/g,
    ),
  ].map(([, name = '', value = '']) => [
    name,
    value
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&quot;/g, '"')
      .replace(/&amp;/g, '&'),
  ]);

describe('A change submitted by a form', () => {
  it('is previewed first and changes nothing', async () => {
    const before = local();
    const shown = await ada.post('/waiting', { seconds: '25' });
    const page = await shown.text();
    expect(shown.status).toBe(200);
    expect(page).toContain('server.shutdown_timeout');
    expect(page).toMatch(/<del>10<\/del>|<ins>25<\/ins>/);
    expect(local()).toBe(before);
    expect(timeout()).toBe(10);
  });

  it('is applied after confirmation with all submitted fields, and can be undone', async () => {
    const page = await (
      await ada.post('/waiting', [
        ['seconds', '25'],
        ['many', 'a'],
        ['many', '<b>'],
      ])
    ).text();
    const fields = fieldsOf(page);
    expect(fields.filter(([name]) => name === 'many')).toEqual([
      ['many', 'a'],
      ['many', '<b>'],
    ]);
    const done = await ada.post('/waiting', fields);
    expect(done.status).toBe(303);
    expect(done.headers.get('location')).toBe(`${ADMIN}/waiting?done=yes`);
    expect(timeout()).toBe(25);
    const next = await (await ada.get('/waiting')).text();
    expect(next).toContain('Waits 25 seconds.');
    expect(next).toMatch(/action="\/platform\/admin\/revisions\/\d+\/undo"/);
    expect(await (await ada.get('/waiting')).text()).not.toContain('Waits 25 seconds.');
  });

  it('shows the form again if it is invalid', async () => {
    const refused = await ada.post('/waiting', { seconds: '<i>' });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('&lt;i&gt; is not a number.');
  });

  it('shows the form again if something cannot be reached', async () => {
    const refused = await ada.post('/waiting', { seconds: 'away' });
    expect([refused.status, await refused.text()]).toEqual([
      503,
      expect.stringMatching(/is currently unavailable[^]*<form/),
    ]);
  });

  it('shows the form again if the configuration would be invalid', async () => {
    const refused = await ada.post('/waiting', { seconds: '-1' });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('server.shutdown_timeout');
    expect(timeout()).toBe(10);
  });

  it('shows the form again after a 409', async () => {
    const refused = await ada.post('/waiting', { seconds: 'taken' });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('Choose another name.');
  });

  it('is rejected with the reason if it would lock the administrator out', async () => {
    const refused = await ada.post('/waiting', { seconds: '1', enabled: 'no' });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('This would lock you out');
    expect(local()).not.toContain('platform-admin');
  });

  it('is previewed again if another part of the file has changed before the confirmation', async () => {
    const fields = fieldsOf(await (await ada.post('/waiting', { seconds: '25' })).text());
    const file = path.join(platform.root, 'config/autoload/local.json');
    writeFileSync(file, local().replace('{', '{ "view_manager": { "display_exceptions": false },'));
    const again = await ada.post('/waiting', fields);
    expect(again.status).toBe(200);
    const page = await again.text();
    expect(page).toContain('Another part of the configuration has changed since.');
    expect(timeout()).toBe(10);
    expect((await ada.post('/waiting', fieldsOf(page))).status).toBe(303);
    expect(timeout()).toBe(25);
    expect(local()).toContain('display_exceptions');
  });

  it('is previewed again if it has other edits when it is confirmed', async () => {
    const texts = '/apis/Atlas-v1/texts';
    await ada.save(texts, { '/description': 'Other.' });
    const shown = await (await ada.post(texts, { '/description': '' })).text();
    // The change would now set the value to null, which hides that of the lower file.
    const lower = path.join(platform.root, 'config/autoload/texts.global.json');
    const hosting = { apis: { Atlas: { description: 'Lower.' } } };
    writeFileSync(lower, JSON.stringify({ 'platform-hosting': hosting }));
    await platform.host.reload();
    const again = await ada.post(texts, fieldsOf(shown));
    const page = await again.text();
    expect([again.status, page]).toEqual([200, expect.stringContaining('<ins>null</ins>') as string]);
    expect(local()).toContain('Other.');
    expect((await ada.post(texts, fieldsOf(page))).status).toBe(303);
    expect(local()).toContain('"description": null');
  });

  it('is kept or given up next to an edit by hand that is not loaded yet', async () => {
    const tag = await tagNow();
    await ada.save('/waiting', { seconds: '15', tag });
    const seen = await tagNow();
    const file = path.join(platform.root, 'config/autoload/local.json');
    writeFileSync(file, local().replace('15', '40'));
    const shown = await ada.post('/waiting', { seconds: '25', tag: seen });
    const page = await shown.text();
    expect([shown.status, page]).toEqual([200, expect.stringContaining('Changed by hand in a file')]);
    const review = await ada.post('/waiting', fieldsOf(page));
    const difference = await review.text();
    expect([review.status, difference]).toEqual([200, expect.stringContaining('Save changes')]);
    expect((await ada.post('/waiting', fieldsOf(difference))).status).toBe(303);
    expect(timeout()).toBe(25);
  });

  it('is shown next to a concurrent change and requires another confirmation', async () => {
    const tag = await tagNow();
    const theirs = fieldsOf(await (await ada.post('/waiting', { seconds: '40' })).text());
    await ada.post('/waiting', theirs);
    const second = await ada.post('/waiting', { seconds: '25', tag });
    expect(second.status).toBe(200);
    const page = await second.text();
    expect(page).toContain('Waits 40 seconds');
    expect(page).toContain('Waits 25 seconds');
    expect(page).toMatch(/<del>40<\/del>[\s\S]*<ins>25<\/ins>/);
    expect(timeout()).toBe(40);
    const seen = await (await ada.post('/waiting', fieldsOf(page))).text();
    expect(timeout()).toBe(40);
    expect((await ada.post('/waiting', fieldsOf(seen))).status).toBe(303);
    expect(timeout()).toBe(25);
  });

  it('is not shown next to a concurrent change again when it is edited after the decision to keep it', async () => {
    const texts = '/apis/Atlas-v1/texts';
    const opened = withFields(pageFields(await (await ada.get(texts)).text(), '/description'), [
      '/description',
      'Mine.',
    ]);
    await ada.save(texts, { '/description': 'Theirs.' });
    const conflict = await (await ada.post(texts, opened)).text();
    expect(conflict).toContain('This was changed by someone else');
    const review = await (await ada.post(texts, pageFields(conflict, 'tag'))).text();
    const edited = await ada.post(texts, [...pageFields(review, 'confirm'), ['edit', 'yes']]);
    const again = pageFields(await edited.text(), '/description');
    expect(Object.fromEntries(again)).toHaveProperty('/description', 'Mine.');
    const shown = await (await ada.post(texts, again)).text();
    expect(shown).toContain('Save changes');
    await ada.save(texts, { '/description': 'Theirs, later.' });
    expect(await (await ada.post(texts, again)).text()).toContain('This was changed by someone else');
  });

  it('leads to the same page of a list with the concurrent change', async () => {
    const tag = await tagNow();
    await ada.post('/waiting', fieldsOf(await (await ada.post('/waiting', { seconds: '40' })).text()));
    const refused = await ada.post('/waiting?page=3&draft=old', { seconds: '25', tag });
    expect(await refused.text()).toContain(`href="${ADMIN}/waiting?page=3">Load their version`);
  });

  it('cannot be confirmed from another site', async () => {
    const fields = fieldsOf(await (await ada.post('/waiting', { seconds: '25' })).text());
    expect((await platform.stranger().post('/waiting', fields)).status).toBe(303);
    expect(timeout()).toBe(10);
    expect(existsSync(path.join(platform.root, 'data/revisions'))).toBe(false);
  });
});

async function tagNow(): Promise<string> {
  const { tagOf } = await import('../../../../../src/modules/admin/changes/comparison/tag.js');
  return tagOf(platform.application.configuration.valueAt(WAITING));
}
