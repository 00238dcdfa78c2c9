import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { Response, type Module } from '../../../../src/framework';
import { launchBrowser, violations } from '../../../factories/browser/browser';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { defineApi, defineProcedure, defineRpcService, fileField, Type } from '../../../../src/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { openConsoleAt, send, signIn } from '../../../factories/browser/request-console';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe, it } = withPrograms('chromium');

setTestTimeout(120);

/** Responds in parts, and never ends. */
let streams = 0;
class ClockModule implements Module {
  readonly name = 'clock';
  readonly requires = ['hosting'];
  readonly apis = [
    defineApi({
      name: 'Clock',
      versions: {
        1: {
          services: {
            Pictures: defineRpcService({
              route: '/clock/pictures',
              content_type: ['multipart/form-data'],
              methods: {
                POST: defineProcedure({
                  fields: Type.Object({ title: Type.String(), picture: fileField() }),
                  handler: ({ body: { title, picture } }) => ({ title, size: picture.size }),
                }),
              },
            }),
            Flood: defineRpcService({
              route: '/clock/flood',
              methods: {
                GET: defineProcedure({
                  handler: () => new Response(200, flood(), [['Content-Type', 'text/event-stream']]),
                }),
              },
            }),
            Numbers: defineRpcService({
              route: '/clock/numbers',
              methods: {
                GET: defineProcedure({
                  handler: () =>
                    new Response(200, Readable.from(numbers()), [['Content-Type', 'application/json']]),
                }),
              },
            }),
            Escapes: defineRpcService({
              route: '/clock/escapes',
              methods: {
                GET: defineProcedure({
                  handler: () => new Response(200, escapes(), [['Content-Type', 'application/json']]),
                }),
              },
            }),
            Digits: defineRpcService({
              route: '/clock/digits',
              methods: {
                GET: defineProcedure({
                  handler: () => new Response(200, DIGITS, [['Content-Type', 'application/json']]),
                }),
              },
            }),
            Broken: defineRpcService({
              route: '/clock/broken',
              methods: {
                GET: defineProcedure({
                  handler: () => new Response(200, broken(), [['Content-Type', 'text/event-stream']]),
                }),
              },
            }),
            Table: defineRpcService({
              route: '/clock/table',
              methods: {
                GET: defineProcedure({
                  handler: () =>
                    new Response(200, Readable.from([Buffer.from('Gr\xfc\xdfe', 'latin1')]), [
                      ['Content-Type', 'text/csv; charset=windows-1252'],
                    ]),
                }),
              },
            }),
            Moved: defineRpcService({
              route: '/clock/moved',
              methods: {
                GET: defineProcedure({
                  handler: () => new Response(303, '', [['Location', '/platform/documentation?format=json']]),
                }),
              },
            }),
            Ticks: defineRpcService({
              route: '/clock/ticks',
              methods: {
                GET: defineProcedure({
                  handler: () => {
                    streams += 1;
                    return new Response(200, ticks(), [['Content-Type', 'text/event-stream']]);
                  },
                }),
              },
            }),
          },
        },
      },
    }),
  ];
}

/** Two million characters, and a last one. */
function flood(): Readable {
  const tenth = `data: ${'x'.repeat(199_992)}\n\n`;
  return Readable.from(['data: first\n\n', ...Array<string>(10).fill(tenth), 'data: last\n\n'], {
    objectMode: false,
  });
}

/** A list of two million characters. */
function* numbers(): Generator<string> {
  yield '[0';
  for (let part = 0; part < 20; part += 1) yield ',1'.repeat(50_000);
  yield ']';
}

/** JSON of 600,000 characters, which are 100,000 as displayed. */
const escapes = (): string => `["${'\\u00e9'.repeat(100_000)}"]`;

/** Numbers that JavaScript writes in another way. */
const DIGITS =
  '{"id":12345678901234567890,"half":0.5,"price":12.50,"amount":123456789012.12345678,"large":1e400}';

/** Ends with an error. */
function broken(): Readable {
  const stream = new Readable({ read: () => undefined });
  stream.push('data: first\n\n');
  setTimeout(() => stream.destroy(new Error('Broken.')), 200);
  return stream;
}

function ticks(): Readable {
  const stream = new Readable({ read: () => undefined });
  let count = 0;
  const timer = setInterval(() => stream.push(`data: tick ${++count}\n\n`), 50);
  stream.on('close', () => {
    clearInterval(timer);
    streams -= 1;
  });
  return stream;
}

let platform: TestPlatform;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** How often the browser itself would have prompted for a password. */
let prompts: number;
let authorizations: string[];

beforeAll(async () => {
  platform = await startTestPlatform({ extra: [new ClockModule()], local: sampleAuthentication });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  page = await context.newPage();
  prompts = 0;
  authorizations = [];
  page.on('request', (request) => {
    const authorization = request.headers().authorization;
    if (authorization !== undefined) authorizations.push(authorization);
  });
  const session = await context.newCDPSession(page);
  session.on(
    'Fetch.requestPaused',
    ({ requestId }) => void session.send('Fetch.continueRequest', { requestId }),
  );
  session.on('Fetch.authRequired', ({ requestId }) => {
    prompts += 1;
    void session.send('Fetch.continueWithAuth', {
      requestId,
      authChallengeResponse: { response: 'CancelAuth' },
    });
  });
  await session.send('Fetch.enable', { handleAuthRequests: true });
});
afterEach(() => context.close());

/** Opens a page and the console of an operation. */
const openConsole = (below: string, id: string): Promise<Locator> =>
  openConsoleAt(page, `${platform.origin}/platform/documentation${below}`, id);

const counts = (): readonly string[] =>
  authorizations.map((value) => /nc=(\d+)/.exec(value)?.[1] ?? '').filter((count) => count !== '');

describe('the console of an operation', () => {
  it('sends the form, and shows the response and a curl command', async () => {
    const place = await openConsole('/Atlas-v2/Country', 'GET-entity');
    expect(await place.getByLabel('country_code').inputValue()).toBe('DE');
    await place.getByLabel('country_code').fill('FR');
    expect(await send(place)).toMatch(/^200 OK [\d,]+ ms · \d+ bytes$/);
    expect(JSON.parse(await place.locator('.answer-body').innerText())).toMatchObject({ name: 'France' });
    expect(await place.locator('.sent code').textContent()).toBe(
      `curl ${platform.origin}/v2/atlas/countries/FR \\\n  -H 'Accept: application/json'`,
    );
    await place.getByText('Response headers', { exact: true }).last().click();
    expect(await place.locator('.answer details pre').innerText()).toContain(
      'content-type: application/json',
    );
  });

  it.each(['.', '..'])('rejects the path segment %j, which browsers would resolve', async (value) => {
    const place = await openConsole('/Atlas-v2/Country', 'GET-entity');
    await place.getByLabel('country_code').fill(value);
    expect(await send(place)).toBe(
      `“${value}” as country_code cannot be sent from a browser, which resolves dots as path segments. No request was sent.`,
    );
    expect(await place.getByLabel('country_code').getAttribute('aria-invalid')).toBe('true');
    expect(await place.locator('.sent').isVisible()).toBe(false);
    await place.getByLabel('country_code').fill('D.E');
    expect(await send(place)).toMatch(/^404/);
    expect(await place.getByLabel('country_code').getAttribute('aria-invalid')).toBeNull();
  });

  it('asks for the parameters of a path, without which it is that of another operation', async () => {
    const place = await openConsole('/Atlas-v2/Visit', 'DELETE-entity');
    await place.getByLabel('visit_id required', { exact: true }).fill('');
    expect(await send(place)).toBe('Enter a value for visit_id. No request was sent.');
    expect(await place.getByLabel('visit_id').getAttribute('aria-invalid')).toBe('true');
  });

  it('shows text in its charset', async () => {
    const place = await openConsole('/Clock/Table', 'GET');
    await send(place);
    expect(await place.locator('.answer-body').innerText()).toBe('Grüße');
  });

  it('keeps the last million characters of a stream, with a note', async () => {
    const place = await openConsole('/Clock/Flood', 'GET');
    expect(await send(place)).toMatch(/2,000(\.\d)? kB/);
    const text = (await place.locator('.answer-body').textContent()) ?? '';
    expect(text).toHaveLength(1_000_000);
    expect(text.endsWith('data: last\n\n')).toBe(true);
    expect(await place.locator('.answer').innerText()).toContain(
      'Truncated: only the last million characters are shown.',
    );
  });

  it('shows the beginning of long JSON, with a note, and does not render it again for each part', async () => {
    const place = await openConsole('/Clock/Numbers', 'GET');
    await place.locator('.answer').evaluate((answer) => {
      new MutationObserver((changes) => {
        const changed = changes.filter(({ target }) => target.nodeName === 'CODE').length;
        answer.dataset.changes = String(Number(answer.dataset.changes ?? 0) + changed);
      }).observe(answer, { childList: true, subtree: true });
    });
    expect(await send(place)).toMatch(/2,000(\.\d)? kB/);
    expect(await place.locator('.answer-body').textContent()).toHaveLength(500_000);
    expect(await place.locator('.answer').innerText()).toContain(
      'Truncated: only the first 500,000 characters are shown.',
    );
    // 2 MB arrive in more than 30 parts of 64 KB.
    expect(Number(await place.locator('.answer').getAttribute('data-changes'))).toBeLessThan(20);
  });

  it('has no such note at JSON that is shown completely, although it was longer as it arrived', async () => {
    const place = await openConsole('/Clock/Escapes', 'GET');
    await send(place);
    expect(JSON.parse(await place.locator('.answer-body').innerText())).toEqual(['é'.repeat(100_000)]);
    expect(await place.locator('.answer').innerText()).not.toContain('Truncated');
  });

  it('shows all digits of numbers', async () => {
    const place = await openConsole('/Clock/Digits', 'GET');
    await send(place);
    expect(await place.locator('.answer-body').innerText()).toBe(
      '{\n  "id": 12345678901234567890,\n  "half": 0.5,\n  "price": 12.50,\n  "amount": 123456789012.12345678,\n  "large": 1e400\n}',
    );
  });

  it('keeps what has arrived of a response that is interrupted', async () => {
    const place = await openConsole('/Clock/Broken', 'GET');
    await place.getByRole('button', { name: 'Send' }).click();
    await place.getByText('The response was interrupted: ').waitFor();
    expect(await place.locator('.answer-status').first().innerText()).toMatch(/^200 OK/);
    expect(await place.locator('.answer-body').innerText()).toContain('data: first');
  });

  it('does not show the previous response for a request that is cancelled before its own', async () => {
    const place = await openConsole('/Atlas-v2/Country', 'GET-entity');
    expect(await send(place)).toMatch(/^200 OK/);
    await page.route('**/v2/atlas/countries/*', () => undefined);
    await place.getByRole('button', { name: 'Send' }).click();
    await place.getByRole('button', { name: 'Cancel' }).click();
    await place.getByText('Cancelled.').waitFor();
    expect(await place.locator('.answer').innerText()).toBe('Cancelled.');
  });

  it('says that the response is that of a redirect', async () => {
    const place = await openConsole('/Clock/Moved', 'GET');
    expect(await send(place)).toMatch(
      new RegExp(`^200 OK .* redirected to ${platform.origin}/platform/documentation\\?format=json$`),
    );
  });

  it('says if the console cannot be loaded, and loads it later', async () => {
    await page.route('**/documentation/console.js*', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto(`${platform.origin}/platform/documentation/Atlas-v2/Distance`);
    const place = page.locator('#GET .console');
    await place.getByRole('button', { name: 'Try it' }).click();
    await place.getByText('The console could not be loaded. Reload the page.').waitFor();
    await page.unrouteAll();
    await page.reload();
    await openConsole('/Atlas-v2/Distance', 'GET');
  });

  it('shows errors of the whole body without a place', async () => {
    const place = await openConsole('/Atlas-v2/Visit', 'POST-collection');
    await signIn(place);
    await place.getByLabel('Body', { exact: true }).fill('[]');
    expect(await send(place)).toMatch(/^422/);
    expect(await place.locator('.answer-problem li code').count()).toBe(0);
  });

  it('omits empty parameters, and encodes others', async () => {
    const place = await openConsole('/Atlas-v2/Country', 'GET-collection');
    for (const name of ['region', 'language']) await place.getByLabel(name, { exact: true }).fill('');
    await place.getByLabel('q', { exact: true }).fill('côte & more');
    await send(place);
    expect(await place.locator('.sent code').textContent()).toContain(
      `/v2/atlas/countries?q=c%C3%B4te+%26+more`,
    );
  });

  it('authenticates with Digest, and reuses the nonce to create, read and delete', async () => {
    const create = await openConsole('/Atlas-v2/Visit', 'POST-collection');
    await signIn(create);
    await create.getByText('Body fields').click();
    await create.getByLabel('note').fill('From the console');
    expect(await create.getByLabel('Body', { exact: true }).inputValue()).toContain(
      '"note": "From the console"',
    );
    expect(await send(create)).toMatch(/^201 Created .* signed in with Digest, SHA-256$/);
    const { visit_id: id } = JSON.parse(await create.locator('.answer-body').innerText()) as {
      visit_id: string;
    };

    const read = await openConsole('/Atlas-v2/Visit', 'GET-entity');
    await read.getByLabel('visit_id').fill(id);
    expect(await send(read)).toMatch(/^200 OK/);
    expect(await read.locator('.answer-body').innerText()).toContain('From the console');

    const remove = await openConsole('/Atlas-v2/Visit', 'DELETE-entity');
    await remove.getByLabel('visit_id').fill(id);
    expect(await send(remove)).toMatch(/^204 No Content/);
    expect(await send(read)).toMatch(/^404 Not Found/);
    expect(await read.locator('.answer-problem').innerText()).toContain(`no entity "${id}"`);

    expect(counts()).toEqual(['00000001', '00000002', '00000003', '00000004']);
    expect(prompts).toBe(0);
    expect(await read.locator('.sent code').textContent()).toContain('--digest -u guide');
  });

  it('authenticates with Basic', async () => {
    const place = await openConsole('/Atlas-v1/Visit', 'GET-collection');
    await signIn(place);
    expect(await send(place)).toMatch(/^200 OK .* signed in with Basic$/);
    expect(prompts).toBe(0);
  });

  it.each([
    ['/Atlas-v1/Visit', 'Basic'],
    ['/Atlas-v2/Visit', 'Digest'],
  ])('shows a 401, at %s with %s, without a prompt of the browser', async (below) => {
    const place = await openConsole(below, 'GET-collection');
    expect(await send(place)).toMatch(/^401 Unauthorized/);
    expect((await place.locator('.answer-problem').innerText()).trim()).toBe('Unauthorized');
    await signIn(place, 'wrong');
    const refused = await send(place);
    expect(refused).toMatch(/^401 Unauthorized/);
    expect(refused).not.toContain('signed in');
    await signIn(place);
    expect(await send(place)).toMatch(/^200 OK/);
    expect(prompts).toBe(0);
  });

  it('would cause a prompt with an ordinary request', async () => {
    await page.goto(`${platform.origin}/platform/documentation`);
    await page.evaluate(async () => (await fetch('/v1/atlas/visits')).status);
    expect(prompts).toBe(1);
  });

  it('marks invalid fields', async () => {
    const place = await openConsole('/Atlas-v2/Visit', 'POST-collection');
    await signIn(place);
    await place.getByLabel('Body', { exact: true }).fill('{ "country_code": "Germany" }');
    expect(await send(place)).toMatch(/^422/);
    expect(await place.locator('.answer-problem li').innerText()).toContain('/country_code');
    expect(await place.getByLabel('country_code').getAttribute('aria-invalid')).toBe('true');
  });

  it('names invalid query parameters', async () => {
    const place = await openConsole('/Atlas-v2/Country', 'GET-collection');
    await place.getByLabel('page', { exact: true }).fill('0');
    expect(await send(place)).toMatch(/^400/);
    expect(await place.locator('.answer-problem li').innerText()).toMatch(/^page must be >= 1/);
  });

  it.each(['null', '"text"', '{"errors":[null,7]}', '{"errors":7}', '{"errors":{"a":1}}', '['])(
    'shows the malformed problem %s unchanged',
    async (body) => {
      const place = await openConsole('/Atlas-v2/Country', 'GET-collection');
      await page.route('**/v2/atlas/countries*', (route) =>
        route.fulfill({ status: 400, contentType: 'application/problem+json', body }),
      );
      expect(await send(place)).toMatch(/^400/);
      expect(await place.locator('.answer-body').innerText()).not.toBe('');
      expect(await place.innerText()).not.toContain('No response');
      await page.unrouteAll();
    },
  );

  it('keeps fields and text of a body in sync', async () => {
    const place = await openConsole('/Atlas-v2/Visit', 'POST-collection');
    const text = place.getByLabel('Body', { exact: true });
    await text.fill('{"country_code": "IT", "other": [1]}');
    await place.getByText('Body fields').click();
    expect(await place.getByLabel('country_code').inputValue()).toBe('IT');
    await place.getByLabel('country_code').fill('ES');
    expect(JSON.parse(await text.inputValue())).toEqual({ country_code: 'ES', other: [1] });
    await place.getByLabel('country_code').fill('');
    expect(JSON.parse(await text.inputValue())).toEqual({ other: [1] });
  });

  it('does not store name and password', async () => {
    const place = await openConsole('/Atlas-v2/Visit', 'GET-collection');
    await signIn(place);
    await send(place);
    const kept = await page.evaluate(() =>
      [localStorage, sessionStorage].map((one) => JSON.stringify(Object.entries(one))).join(),
    );
    expect(kept).not.toMatch(/guide|explore/);
    expect(page.url()).not.toMatch(/guide|explore/);
    expect(await place.innerText()).not.toContain('explore');
    await page.reload({ waitUntil: 'networkidle' });
    const again = await openConsole('/Atlas-v2/Visit', 'GET-collection');
    expect(await again.getByLabel('Password').inputValue()).toBe('');
  });

  it('shows a stream until it is cancelled', async () => {
    const place = await openConsole('/Clock/Ticks', 'GET');
    await place.getByRole('button', { name: 'Send' }).click();
    await place.getByText('tick 3').waitFor();
    expect(streams).toBe(1);
    await place.getByRole('button', { name: 'Cancel' }).click();
    await place.getByText('Cancelled.').waitFor();
    expect(await page.locator(':focus').innerText()).toBe('Send');
    expect(await place.locator('.answer-body').innerText()).toContain('tick 1');
    await page.waitForTimeout(100);
    expect(streams).toBe(0);
  });

  it('is not sent again by a key for Cancel that is held', async () => {
    const place = await openConsole('/Clock/Ticks', 'GET');
    const cancel = place.getByRole('button', { name: 'Cancel' });
    await place.getByRole('button', { name: 'Send' }).click();
    await place.getByText('tick 1').waitFor();
    await cancel.focus();
    await page.keyboard.down('Enter');
    await place.getByText('Cancelled.').waitFor();
    expect(await page.locator(':focus').innerText()).toBe('Send');
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    expect(await cancel.isVisible()).toBe(false);
  });

  it('is not sent again by a key for Cancel that comes after the response', async () => {
    const place = await openConsole('/Atlas-v2/Country', 'GET-entity');
    let requests = 0;
    await page.route('**/v2/atlas/countries/*', async (route) => {
      requests += 1;
      await place.getByRole('button', { name: 'Cancel' }).focus();
      await route.continue();
    });
    await send(place);
    await page.keyboard.press('Enter');
    expect(await page.locator('.answer:focus').count()).toBe(1);
    expect(requests).toBe(1);
  });

  it('sends files', async () => {
    const place = await openConsole('/Clock/Pictures', 'POST');
    await place.getByLabel('title').fill('A red dot');
    await place
      .getByLabel('picture')
      .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.alloc(7) });
    expect(await send(place)).toMatch(/^200 OK/);
    expect(JSON.parse(await place.locator('.answer-body').innerText())).toEqual({
      title: 'A red dot',
      size: 7,
    });
    expect(await place.locator('.sent code').textContent()).toContain(
      `-F 'picture=@"dot.png";type=image/png'`,
    );
  });

  it('shows network errors', async () => {
    const place = await openConsole('/Atlas-v2/Distance', 'GET');
    await context.setOffline(true);
    expect(await send(place)).toMatch(/^No response: /);
  });

  it('is accessible, complies with the policy, and fits', async () => {
    const violated: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) violated.push(message.text());
    });
    const create = await openConsole('/Atlas-v2/Visit', 'POST-collection');
    await signIn(create);
    await create.getByText('Body fields').click();
    await create.getByLabel('country_code').fill('nowhere');
    await send(create);
    const list = await openConsole('/Atlas-v2/Visit', 'GET-collection');
    await send(list);
    expect(violated).toEqual([]);
    for (const [width, theme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate((chosen) => (document.documentElement.dataset.theme = chosen), theme);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
      expect(await violations(page)).toEqual([]);
    }
    await page.keyboard.press('Escape');
    await page.evaluate(() => document.querySelector<HTMLElement>('[data-search]')?.click());
    await page.getByRole('combobox', { name: 'Search' }).fill('country');
    await page.locator('.found').first().waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('works with the keyboard only', async () => {
    await page.goto(`${platform.origin}/platform/documentation/Atlas-v2/Country`, {
      waitUntil: 'networkidle',
    });
    await page.locator('#GET-entity .console button').focus();
    await page.keyboard.press('Enter');
    await page.locator('#GET-entity form').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#GET-entity .answer-good').waitFor();
  });
});

it('computes the digests of the specifications', async () => {
  await page.goto(`${platform.origin}/platform/documentation`);
  // As text, because TypeScript would compile import() to require().
  const found = await page.evaluate<readonly (readonly [string, string, string, string])[]>(`(async () => {
    const { md5 } = await import('/platform/assets/documentation/md5.js');
    const { sha256 } = await import('/platform/assets/documentation/sha256.js');
    const { sha512256 } = await import('/platform/assets/documentation/sha512-256.js');
    const lengths = [55, 56, 64, 111, 112, 128, 1000];
    const texts = ['', 'abc', 'é€😀', ...lengths.map((length) => 'a'.repeat(length))];
    return texts.map((text) => {
      const bytes = new TextEncoder().encode(text);
      return [text, md5(bytes), sha256(bytes), sha512256(bytes)];
    });
  })()`);
  for (const [text, md5, sha256, sha512256] of found) {
    expect(md5).toBe(createHash('md5').update(text).digest('hex'));
    expect(sha256).toBe(createHash('sha256').update(text).digest('hex'));
    expect(sha512256).toBe(createHash('sha512-256').update(text).digest('hex'));
  }
  expect(found).toHaveLength(10);
});
