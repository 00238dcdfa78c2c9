import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../../../factories/browser/browser';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { openConsoleAt, send } from '../../../factories/browser/request-console';
import { setTestTimeout } from '../../../factories/test-timeout';
import { BearerModule } from '../../../fixtures/bearer-module';
import {
  authentication,
  CLUB_ADAPTERS,
  CLUB_FILES,
  ClubModule,
  PASSWORD,
} from '../../../fixtures/club-module';
import { KeyModule } from '../../../fixtures/key-module';

const { describe, it } = withPrograms('chromium');

setTestTimeout(120);

describe('The console', () => {
  let platform: TestPlatform;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    platform = await startTestPlatform({
      extra: [new KeyModule(), new BearerModule(), new ClubModule()],
      files: CLUB_FILES,
      local: authentication(
        {
          ...CLUB_ADAPTERS,
          keys: {
            adapter: 'KeyAdapter',
            options: { header: 'X-API-Key', query: 'api_key', keys: { reader: [] } },
          },
          token: { adapter: 'BearerAdapter', options: { realm: 'Club', tokens: { s3cret: 'ada' } } },
        },
        { Club: ['basic', 'token', 'keys'], Annex: 'token' },
        { Annex: { Door: { GET: 'authenticated' } } },
      ),
    });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await platform.stop();
  });
  beforeEach(async () => (page = await browser.newPage()));
  afterEach(() => page.close());

  const openConsole = (below: string): Promise<Locator> =>
    openConsoleAt(page, `${platform.origin}/platform/documentation${below}`, 'GET');

  const userIn = async (place: Locator): Promise<unknown> =>
    (JSON.parse(await place.locator('.answer-body').innerText()) as { name: unknown }).name;

  it('sends a token of the only adapter without a choice', async () => {
    const place = await openConsole('/Annex/Door');
    expect(await place.getByLabel('Sign in with').count()).toBe(0);
    expect(await send(place)).toContain('enter a token or key above');
    await place.getByLabel('Bearer token').fill('wrong');
    expect(await send(place)).toContain('the server refused this token or key');
    await place.getByLabel('Bearer token').fill('s3cret');
    expect(await send(place)).toMatch(/^200 OK/);
    expect(await userIn(place)).toBe('ada');
    expect(await place.locator('.sent code').innerText()).toContain("-H 'Authorization: Bearer TOKEN'");
    // Copied with the scheme.
    await place.getByLabel('Bearer token').fill('bearer s3cret');
    expect(await send(place)).toMatch(/^200 OK/);
  });

  it('sends what the reader chooses, and only that', async () => {
    const place = await openConsole('/Club/Board');
    const choose = (label: string): Promise<unknown> => place.getByLabel('Sign in with').selectOption(label);
    await place.getByLabel('User', { exact: true }).fill('ada');
    await place.getByLabel('Password').fill(PASSWORD);
    expect(await send(place)).toContain('signed in with Basic');
    await choose('Bearer token');
    expect(await place.getByLabel('Password').isVisible()).toBe(false);
    await place.getByLabel('Bearer token').fill('s3cret');
    expect(await send(place)).toMatch(/^200 OK/);
    await choose('API key (X-API-Key)');
    await place.getByLabel('API key (X-API-Key)').fill('reader');
    expect(await send(place)).toMatch(/^403/);
    expect(await place.locator('.sent code').innerText()).toContain("-H 'X-API-Key: API_KEY'");
    await choose('API key (api_key)');
    await place.getByLabel('API key (api_key)').fill('reader');
    expect(await send(place)).toMatch(/^403/);
    expect(await place.locator('.sent code').innerText()).toContain('/club/board?api_key=API_KEY');
  });

  it('asks once per tab, if the reader chooses so, and forgets when signed out', async () => {
    let place = await openConsole('/Annex/Door');
    await place.getByLabel('Bearer token').fill('s3cret');
    await place.getByLabel('Stay signed in').check();
    place = await openConsole('/Club/Board');
    await place.getByLabel('Sign in with').selectOption('Bearer token');
    expect(await place.getByLabel('Bearer token').inputValue()).toBe('s3cret');
    await place.getByRole('button', { name: 'Sign out' }).click();
    place = await openConsole('/Annex/Door');
    expect(await place.getByLabel('Bearer token').inputValue()).toBe('');
  });
});
