import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { ADMIN, PASSWORD } from '../factories/admin/admin';
import { Visitor } from '../factories/admin/admin-browser';
import { launchBrowser } from '../factories/browser/browser';
import { ROOT } from '../factories/platform';
import { run } from '../factories/processes/processes';
import { ServerProcesses, type ServerProcess } from '../factories/processes/server-process';
import { withPrograms } from '../factories/processes/programs';
import { setTestTimeout } from '../factories/test-timeout';

const { describe } = withPrograms('chromium', 'curl');

setTestTimeout(120);

/** The password of users; the administrator has a different one. */
const OPEN = 'open it please';
const FILE = 'data/reading.htdigest';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe.each([true, false])('An administrator, with JavaScript: %j', (javaScriptEnabled) => {
  const root = mkdtempSync(path.join(tmpdir(), 'admin-tour-'));
  const local = path.join(root, 'config', 'autoload', 'local.json');
  const servers = new ServerProcesses();
  let server: ServerProcess;
  let origin: string;
  let before: string;
  let ada: Visitor;

  beforeAll(async () => {
    cpSync(path.join(ROOT, 'config'), path.join(root, 'config'), { recursive: true });
    copyFileSync(`${local}.dist`, local);
    before = readFileSync(local, 'utf8');
    server = servers.start(['--root', root]);
    origin = await server.origin();
    ada = await Visitor.open(browser, origin, { javaScriptEnabled });
  });
  afterAll(async () => {
    await ada.context.close();
    servers.clear();
    rmSync(root, { recursive: true, force: true });
  });

  const curl = async (...words: readonly string[]): Promise<string> => {
    const below = words.at(-1) ?? '';
    const { output } = await run('curl', ['-s', ...words.slice(0, -1), origin + below]);
    return output;
  };
  const statusOf = (...words: readonly string[]): Promise<string> =>
    curl('-o', '/dev/null', '-w', '%{http_code}', ...words);

  it('is created with the one-time link from the console', async () => {
    const link = await server.printed(/^First administrator \(one-time link\) +(\S+)$/m);
    await ada.page.goto(link);
    await ada.fill({ Name: 'ada', Password: PASSWORD, 'Confirm password': PASSWORD });
    await ada.press('Create administrator');
    expect(await ada.heading()).toBe('Overview');
    const late = await Visitor.open(browser, origin, { javaScriptEnabled });
    const answer = await late.page.goto(link);
    expect(answer?.status()).toBe(403);
    await late.context.close();
  });

  it('creates a password file with a user, and a Digest adapter that uses it', async () => {
    await ada.go('/password-files');
    await ada.page.locator('#create').locator('..').getByLabel('File').fill(FILE);
    expect(await ada.save('Review changes')).toContain('an empty file');
    expect(await ada.confirmation()).toContain(`Created ${FILE}`);
    await ada.fill({
      Realm: 'Reading room',
      'User name': 'guest',
      Password: OPEN,
      'Confirm password': OPEN,
    });
    expect(await ada.save('Review changes')).toMatch(/guest \(Reading room\)[^]*SHA-256 ••••••/);
    expect(await ada.confirmation()).toContain('Added. Connect an adapter to enable sign-in.');
    await ada.go('/adapters');
    await ada.follow('Digest');
    await ada.fill({ Name: 'reading-room', Realm: 'Reading room', 'Digest file': FILE });
    const difference = await ada.save('Review changes');
    expect(difference).toContain('platform-mvc-auth.authentication.adapters.reading-room.options.htdigest');
    expect(await ada.confirmation()).toContain('Added the adapter "reading-room".');
  });

  it('maps version 1 of Atlas to it, and curl signs in immediately', async () => {
    const visits = ['--digest', '-u', `guest:${OPEN}`, '/v1/atlas/visits'];
    expect(await statusOf(...visits)).toBe('401');
    await ada.go('/apis/Atlas-v1');
    const entry = ada.page.locator('#Atlas-v1');
    await entry.getByLabel('atlas-basic').uncheck();
    await entry.getByLabel('reading-room').check();
    const difference = await ada.save('Review changes');
    expect(difference).toContain('platform-mvc-auth.authentication.map.Atlas-v1');
    expect(await statusOf(...visits)).toBe('200');
    expect(await statusOf('--digest', '-u', 'guest:wrong', '/v1/atlas/visits')).toBe('401');
  });

  it('creates a selector and adds a view model', async () => {
    await ada.go('/selectors');
    await ada.fill({ Name: 'Reports' });
    await ada.save('Review changes');
    await ada.page.getByLabel('View model', { exact: true }).selectOption('MarkdownModel');
    await ada.fill({ 'Media types': 'text/x-report' });
    const difference = await ada.save('Review changes', 'Add view model');
    expect(difference).toContain('platform-content-negotiation.selectors.Reports.MarkdownModel');
    expect(await ada.text()).toContain('text/x-report');
  });

  it('adds a media type to the documentation and receives it', async () => {
    const page = '/platform/documentation/Atlas';
    expect(await statusOf('-H', 'Accept: text/x-atlas', page)).toBe('406');
    await ada.go('/selectors/Documentation');
    await ada.follow('Edit YamlModel');
    const types = ada.page.getByRole('textbox', { name: 'Media types', exact: true });
    await types.fill(`${await types.inputValue()}\ntext/x-atlas`);
    await ada.save('Review changes', 'Media types');
    const answer = await curl('-i', '-H', 'Accept: text/x-atlas', page);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/^Content-Type: text\/x-atlas/im);
    expect(answer).toContain('title: Atlas');
  });

  it('changes a description, which appears in JSON, HTML and OpenAPI', async () => {
    await ada.go('/apis/Atlas-v1/texts');
    await ada.fill({ 'API (all versions)': 'Lands, and *who* was there.' });
    await ada.save('Review changes');
    const page = '/platform/documentation/Atlas';
    const json: unknown = JSON.parse(await curl('-H', 'Accept: application/json', page));
    expect(json).toMatchObject({ description: 'Lands, and *who* was there.' });
    expect(await curl('-H', 'Accept: text/html', page)).toContain('Lands, and <em>who</em> was there.');
    const openapi: unknown = JSON.parse(
      await curl('-H', 'Accept: application/vnd.apidesc+json', `${page}-v1`),
    );
    expect(openapi).toMatchObject({ info: { description: 'Lands, and *who* was there.' } });
  });

  it('enters an invalid value and sees the error at its field with the input', async () => {
    const file = readFileSync(local, 'utf8');
    await ada.go('/adapters/reading-room/edit');
    await ada.fill({ 'Nonce timeout': 'soon' });
    await ada.press('Review changes');
    const field = ada.page.getByLabel('Nonce timeout', { exact: true });
    expect(await field.inputValue()).toBe('soon');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const errorId = ((await field.getAttribute('aria-describedby')) ?? '').split(' ').at(-1) ?? '';
    expect(await ada.page.locator(`#${errorId}`).innerText()).toMatch(/seconds/i);
    expect(readFileSync(local, 'utf8')).toBe(file);
    expect(await statusOf('--digest', '-u', `guest:${OPEN}`, '/v1/atlas/visits')).toBe('200');
  });

  it('sees a concurrent change instead of overwriting it', async () => {
    await ada.go('/administrators');
    await ada.fill({ Name: 'grace', Password: PASSWORD, 'Confirm password': PASSWORD });
    await ada.page.getByLabel('Role', { exact: true }).selectOption('administrator');
    await ada.save('Review changes');
    const grace = await Visitor.open(browser, origin, { javaScriptEnabled });
    await grace.signIn('grace', PASSWORD);
    for (const one of [ada, grace]) await one.go('/adapters/reading-room/edit');
    await grace.fill({ 'Nonce timeout': '1800' });
    await grace.save('Review changes');
    const file = readFileSync(local, 'utf8');
    await ada.fill({ 'Nonce timeout': '60' });
    await ada.press('Review changes');
    const page = await ada.text();
    expect(page).toContain('grace');
    expect(page).toContain('"1800"');
    expect(page).toContain('"60"');
    expect(readFileSync(local, 'utf8')).toBe(file);
    await ada.page.getByRole('link', { name: 'Load their version' }).click();
    expect(await ada.page.getByLabel('Nonce timeout', { exact: true }).inputValue()).toBe('1800');
    await grace.context.close();
  });

  it('undoes all changes, which restores the file byte for byte', async () => {
    await ada.go('/revisions');
    const revisionCount = await ada.page.locator('tbody tr').count();
    expect(revisionCount).toBe(7);
    for (let number = revisionCount; number > 0; number--) {
      await ada.go('/revisions');
      await ada.save(`Undo revision ${number}`);
      expect(await ada.confirmation()).toContain(`Undid revision ${number}`);
    }
    expect(readFileSync(local, 'utf8')).toBe(before);
    expect(await statusOf('--digest', '-u', `guest:${OPEN}`, '/v1/atlas/visits')).toBe('401');
    expect(await statusOf('-H', 'Accept: text/x-atlas', '/platform/documentation/Atlas')).toBe('406');
  });

  it('signs out, after which neither pages nor forms work', async () => {
    await ada.go('/account');
    const csrf = await ada.page.locator('main input[name="csrf"]').getAttribute('value');
    const [cookie] = await ada.context.cookies(origin + ADMIN);
    await ada.go('/administrators');
    await ada.page.getByRole('button', { name: 'Sign out' }).click();
    expect(await ada.heading()).toBe('Sign in');
    await ada.page.goBack();
    expect(await ada.heading()).toBe('Sign in');
    const form = { csrf: csrf ?? '', name: 'eve', password: PASSWORD, again: PASSWORD };
    const replayed = await fetch(`${origin}${ADMIN}/administrators`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(form),
      headers: { Cookie: `${cookie?.name ?? ''}=${cookie?.value ?? ''}`, Origin: origin },
    });
    const location = replayed.headers.get('location');
    expect([replayed.status, location]).toEqual([303, `${ADMIN}/sign-in?unsaved=yes`]);
    const administrators = readFileSync(path.join(root, 'data', 'administrators.htpasswd'), 'utf8');
    expect(administrators).not.toContain('eve');
  });
});
