import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LOCAL_FILE, LocalConfiguration } from '../../../../src/framework';
import { ConfigurationChanges } from '../../../../src/modules/admin/changes/configuration-changes';
import { startAdminPlatform } from '../../../factories/admin/admin';
import { fieldsOf } from '../../../factories/admin/page-form';
import { textOf } from '../../../factories/admin/admin-pages';
import { reusedPlatform } from '../../../factories/reused-platform';

const { platform } = reusedPlatform(startAdminPlatform);

const file = (): string => path.join(platform.root, LOCAL_FILE);
const DESCRIPTION = ['platform-hosting', 'apis', 'Atlas', 'description'];
const described = (): unknown => platform.application.configuration.valueAt(DESCRIPTION);

async function describeAtlas(text: string, summary = `Described Atlas as ${text}`): Promise<void> {
  const changes = new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root));
  const edits = [{ path: DESCRIPTION, value: text }];
  await changes.apply({ summary, subject: DESCRIPTION, edits }, { name: 'bob', via: 'api' });
}

const page = async (below: string): Promise<string> => await (await platform.ada.get(below)).text();

/** Submits a form and confirms its preview. */
async function confirmed(below: string): Promise<Response> {
  const shown = await platform.ada.post(below, {});
  expect(shown.status).toBe(200);
  return platform.ada.post(below, fieldsOf(await shown.text(), 'confirm'));
}

describe('The list of revisions', () => {
  it('explains itself if there are none', async () => {
    expect(textOf(await page('/revisions'))).toContain('No revisions yet');
  });

  it('shows author, origin and summary of each change', async () => {
    await describeAtlas('one');
    expect(textOf(await page('/revisions'))).toMatch(/1 Described Atlas as one current bob admin API/);
  });

  it('shows manual edits', async () => {
    await describeAtlas('one');
    writeFileSync(file(), readFileSync(file(), 'utf8').replace('"one"', '"by hand"'));
    expect(textOf(await page('/revisions'))).toMatch(
      /edited by hand since the latest revision .* "one" .* "by hand"/,
    );
    await describeAtlas('two');
    expect(textOf(await page('/revisions'))).toMatch(/Changed outside the admin\. unknown edited by hand/);
  });

  it('displays values as text', async () => {
    await describeAtlas('<script>alert(1)</script>', '<img src=x onerror=alert(1)>');
    for (const below of ['/revisions', '/revisions/1', '']) {
      const html = await page(below);
      expect(html).not.toContain('<script>alert');
      expect(html).not.toContain('<img src=x');
      expect(html).toContain('&lt;img src=x');
    }
  });
});

describe('A revision', () => {
  it('shows the difference by key and by line', async () => {
    await describeAtlas('one');
    await describeAtlas('two');
    const text = textOf(await page('/revisions/2'));
    expect(text).toContain('platform-hosting.apis.Atlas.description');
    expect(text).toMatch(/removed: "description": "one"/);
    expect(text).toMatch(/added: "description": "two"/);
  });

  it('says that undoing it keeps later edits by hand', async () => {
    await describeAtlas('one');
    const before = 'Undo this revision Restores the file as it was before.';
    expect(textOf(await page('/revisions/1'))).toContain(before);
    writeFileSync(file(), readFileSync(file(), 'utf8').replace(/\}\s*$/, ', "greeting": {} }'));
    expect(textOf(await page('/revisions/1'))).toContain('Undo this revision Keeps later changes.');
  });

  it('is not found under an unknown or invalid number', async () => {
    await describeAtlas('one');
    for (const number of ['7', '0', 'x', '1e9', '99999999999999999999', '%3Cb%3E'])
      expect([number, (await platform.ada.get(`/revisions/${number}`)).status]).toEqual([number, 404]);
    for (const action of ['undo', 'restore'])
      expect((await platform.ada.post(`/revisions/7/${action}`, {})).status).toBe(404);
  });
});

describe('An administrator', () => {
  it('undoes a change after a preview', async () => {
    await describeAtlas('one');
    const before = readFileSync(file(), 'utf8');
    await describeAtlas('two');
    const shown = textOf(await (await platform.ada.post('/revisions/2/undo', {})).text());
    expect(shown).toContain('Undid revision 2: Described Atlas as two');
    expect(shown).toMatch(/removed: "two" .* added: "one"/);
    expect(described()).toBe('two');

    const answer = await confirmed('/revisions/2/undo');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/platform/admin/revisions']);
    expect(described()).toBe('one');
    expect(readFileSync(file(), 'utf8')).toBe(before);
    expect(textOf(await page('/revisions'))).toMatch(
      /Undid revision 2: Described Atlas as two\. Undo .* ada admin pages/,
    );
  });

  it('restores an earlier revision', async () => {
    for (const text of ['one', 'two', 'three']) await describeAtlas(text);
    expect((await confirmed('/revisions/1/restore')).status).toBe(303);
    expect(described()).toBe('one');
  });

  it('sees why a revision cannot be undone on its own', async () => {
    await describeAtlas('one');
    await describeAtlas('two');
    const answer = await platform.ada.post('/revisions/1/undo', {});
    expect(answer.status).toBe(409);
    expect(textOf(await answer.text())).toContain(
      'platform-hosting.apis.Atlas.description has changed since',
    );
  });

  it('is offered the later changes to undo first', async () => {
    await describeAtlas('one');
    await describeAtlas('two');
    const refused = await (await platform.ada.post('/revisions/1/undo', {})).text();
    expect(textOf(refused)).toContain('Undo later changes first Revision 2 : Described Atlas as two');
    expect((await confirmed('/revisions/2/undo')).status).toBe(303);
    expect((await confirmed('/revisions/1/undo')).status).toBe(303);
    expect(described()).toBeUndefined();
  });

  it('reports that nothing is left to undo or restore', async () => {
    await describeAtlas('one');
    await confirmed('/revisions/1/undo');
    for (const [action, reason] of [
      ['1/undo', 'The values are as they were before this revision.'],
      ['2/restore', 'The configuration is as it was after this revision.'],
    ] as const) {
      const answer = await platform.ada.post(`/revisions/${action}`, {});
      const text = textOf(await answer.text());
      expect([answer.status, text]).toEqual([422, expect.stringContaining(reason)]);
      // That would make the change again.
      expect(text).not.toContain('Undo later changes first');
    }
  });

  it('is notified that the file is invalid, not that its values have changed', async () => {
    await describeAtlas('one');
    writeFileSync(file(), '{');
    const answer = await platform.ada.post('/revisions/1/undo', {});
    const text = textOf(await answer.text());
    expect([answer.status, text]).toEqual([
      422,
      expect.stringMatching(/local\.json:1:2: .* Repair the file, or restore a revision\./),
    ]);
    expect(text).not.toMatch(/has changed since|Undo later changes first/);
    expect((await confirmed('/revisions/1/restore')).status).toBe(303);
  });

  it('cannot be locked out by a restoration', async () => {
    writeFileSync(file(), JSON.stringify({ 'platform-admin': { enabled: false } }));
    await describeAtlas('one').catch(() => undefined);
    const changes = new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root));
    const enabled = { path: ['platform-admin', 'enabled'], value: true };
    await changes.apply(
      { summary: 'On again', subject: [], edits: [enabled] },
      { name: 'root', via: 'command' },
    );
    const [on] = await changes.revisions();
    const answer = await platform.ada.post(`/revisions/${on?.number ?? 0}/undo`, {});
    expect(answer.status).toBe(409);
    expect(textOf(await answer.text())).toContain('This would lock you out: platform-admin.enabled');
  });

  it('changes nothing from another site or without the CSRF token', async () => {
    await describeAtlas('one');
    const foreign = { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' };
    for (const action of ['undo', 'restore']) {
      expect((await platform.ada.post(`/revisions/1/${action}`, {}, foreign)).status).toBe(403);
      expect((await platform.ada.post(`/revisions/1/${action}`, { csrf: 'x' })).status).toBe(403);
      expect((await platform.ada.get(`/revisions/1/${action}`)).status).toBe(405);
    }
    expect(described()).toBe('one');
  });
});
