import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { launchBrowser, violations } from '../../../factories/browser/browser';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { defineApi, defineProcedure, defineRpcService, Type, type Module } from '../../../../src/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { openConsoleAt, send, signIn } from '../../../factories/browser/request-console';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe } = withPrograms('chromium');

setTestTimeout(120);

const rooms: Module & { apis: unknown } = {
  name: 'rooms',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Rooms',
      versions: {
        1: {
          services: {
            Room: defineRpcService({
              route: '/rooms',
              methods: {
                GET: defineProcedure({
                  query: Type.Object({
                    floor: Type.Integer({ minimum: 1, maximum: 40 }),
                    tag: Type.Optional(Type.Array(Type.String(), { maxItems: 2 })),
                  }),
                  handler: ({ query }) => query,
                }),
                POST: defineProcedure({
                  fields: Type.Object({
                    code: Type.String({ minLength: 2, maxLength: 5, pattern: '^[A-Z]+$' }),
                    price: Type.Number({ exclusiveMinimum: 0, multipleOf: 0.5 }),
                    beds: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 1 })),
                    extra: Type.Optional(Type.Unknown()),
                    mood: Type.Optional(Type.String({ maxLength: 2 })),
                  }),
                  handler: ({ body }) => body,
                }),
              },
            }),
            Size: defineRpcService({
              route: '/sizes[/:of[/:unit]]',
              methods: {
                GET: defineProcedure({ handler: ({ parameters: { of, unit } }) => ({ of, unit }) }),
              },
            }),
            Race: defineRpcService({
              route: '/races',
              methods: {
                POST: defineProcedure({
                  fields: Type.Object({
                    toString: Type.Optional(Type.String()),
                    ['constructor' as string]: Type.Object({ name: Type.String() }),
                  }),
                  handler: ({ body }) => body,
                }),
              },
            }),
          },
        },
      },
    }),
  ],
};

let platform: TestPlatform;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  platform = await startTestPlatform({ extra: [rooms], local: sampleAuthentication });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});
beforeEach(async () => {
  context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  page = await context.newPage();
});
afterEach(() => context.close());

const openConsole = (below: string, id: string, on = page): Promise<Locator> =>
  openConsoleAt(on, `${platform.origin}/platform/documentation${below}`, id);

const attributesOf = (input: Locator, names: readonly string[]) =>
  input.evaluate((one, all) => all.map((name) => one.getAttribute(name)), names);

describe('the inputs of the console', () => {
  it('have the bounds of the schema', async () => {
    const get = await openConsole('/Rooms/Room', 'GET');
    expect(await attributesOf(get.getByLabel('floor'), ['type', 'min', 'max', 'step', 'required'])).toEqual([
      'number',
      '1',
      '40',
      '1',
      '',
    ]);
    const post = await openConsole('/Rooms/Room', 'POST');
    await post.getByText('Body fields').click();
    expect(
      await attributesOf(post.getByLabel('code'), ['type', 'minlength', 'maxlength', 'pattern', 'required']),
    ).toEqual(['text', '2', null, '(?=.{0,5}$).*(?:^[A-Z]+$).*', '']);
    expect(await attributesOf(post.getByLabel('price'), ['type', 'min', 'step'])).toEqual([
      'number',
      '0',
      '0.5',
    ]);
  });

  it('are optional for parameters of the path in brackets, whose segments are then absent', async () => {
    const get = await openConsole('/Rooms/Size', 'GET');
    const input = (name: string) => get.getByLabel(name, { exact: true });
    expect(await attributesOf(input('of'), ['required'])).toEqual([null]);
    const answers: string[] = [];
    for (const [of, unit] of [
      ['', ''],
      ['hall', ''],
      ['hall', 'm'],
      ['', 'm'],
    ] as const) {
      await input('of').fill(of);
      await input('unit').fill(unit);
      await send(get);
      answers.push((await get.locator('.answer').innerText()).replace(/\s+/g, ' '));
    }
    expect(answers).toEqual([
      expect.stringContaining('{}'),
      expect.stringContaining('{ "of": "hall" }'),
      expect.stringContaining('{ "of": "hall", "unit": "m" }'),
      'Enter a value for of. No request was sent.',
    ]);
  });

  it('are empty for members with the names of what every object inherits', async () => {
    const place = await openConsole('/Rooms/Race', 'POST');
    await place.getByText('Body fields').click();
    for (const name of ['toString', 'name']) expect(await place.getByLabel(name).inputValue()).toBe('');
    await place.getByLabel('name').fill('Brabham');
    expect(JSON.parse(await place.getByLabel('Body', { exact: true }).inputValue())).toEqual({
      constructor: { name: 'Brabham' },
    });
  });

  it('mark values out of bounds, and send them nevertheless', async () => {
    const place = await openConsole('/Rooms/Room', 'GET');
    const floor = place.getByLabel('floor');
    await floor.fill('41');
    await floor.blur();
    expect(await floor.evaluate((one) => one.matches(':user-invalid'))).toBe(true);
    expect(await floor.getAttribute('title')).toContain('40');
    expect(await violations(page)).toEqual([]);
    expect(await send(place)).toMatch(/^400/);
    await floor.fill('40');
    expect(await send(place)).toMatch(/^200/);
  });

  it('count the characters of texts, as the server does', async () => {
    const place = await openConsole('/Rooms/Room', 'POST');
    await place.getByText('Body fields').click();
    await place.getByLabel('code').fill('AB');
    await place.getByLabel('price').fill('1');
    const mood = place.getByLabel('mood');
    await mood.click();
    for (const [text, isMarked] of [
      ['\u{1F600}\u{1F389}', false],
      ['!', true],
    ] as const) {
      await page.keyboard.insertText(text);
      expect(await mood.evaluate((one) => !one.matches(':valid'))).toBe(isMarked);
      expect(await send(place)).toMatch(isMarked ? /^422/ : /^200/);
      await mood.focus();
    }
  });

  it('edit a list of the query as repeated parameters, up to its length', async () => {
    const place = await openConsole('/Rooms/Room', 'GET');
    await place.getByLabel('floor').fill('2');
    const add = place.getByRole('button', { name: 'Add to tag' });
    await add.click();
    await page.keyboard.type('a & b');
    await add.click();
    await page.keyboard.type('c');
    expect(await add.isDisabled()).toBe(true);
    await send(place);
    expect(JSON.parse(await place.locator('.answer-body').innerText())).toEqual({
      floor: 2,
      tag: ['a & b', 'c'],
    });
    await place.getByRole('button', { name: 'Remove tag 1' }).click();
    await send(place);
    expect(JSON.parse(await place.locator('.answer-body').innerText())).toEqual({ floor: 2, tag: ['c'] });
    expect(await violations(page)).toEqual([]);
  });

  it('are not checked for spelling, which sends texts to services of some browsers', async () => {
    const place = await openConsole('/Rooms/Room', 'POST');
    const inputs = place.locator('input[type=text], textarea');
    expect(await inputs.evaluateAll((all: HTMLElement[]) => all.map(({ spellcheck }) => spellcheck))).toEqual(
      Array(await inputs.count()).fill(false),
    );
  });

  it('edit numbers as numbers, and anything else as JSON', async () => {
    const place = await openConsole('/Rooms/Room', 'POST');
    const text = place.getByLabel('Body', { exact: true });
    await text.fill('{"price": "none"}');
    await place.getByText('Body fields').click();
    expect(await place.getByLabel('price').inputValue()).toBe('none');
    await text.fill('{}');
    await place.getByLabel('price').pressSequentially('.5');
    expect(JSON.parse(await text.inputValue())).toEqual({ price: 0.5 });
    await place.getByLabel('price').fill('2.5');
    await place.getByRole('button', { name: 'Add to beds' }).click();
    await page.keyboard.type('03');
    expect(await place.getByRole('button', { name: 'Add to beds' }).isDisabled()).toBe(true);
    const extra = place.getByLabel('extra');
    expect(await extra.evaluate((one) => one.tagName)).toBe('TEXTAREA');
    await extra.fill('{\n "a": [1]\n}');
    expect(JSON.parse(await text.inputValue())).toEqual({ price: 2.5, beds: [3], extra: { a: [1] } });
  });
});

describe('signing in to the console', () => {
  it('applies to the operations of the page only, unless the reader chooses the tab', async () => {
    const list = await openConsole('/Atlas-v2/Visit', 'GET-collection');
    await signIn(list);
    const create = await openConsole('/Atlas-v2/Visit', 'POST-collection');
    expect(await create.getByLabel('User').inputValue()).toBe('guide');
    await page.goto('about:blank');
    const again = await openConsole('/Atlas-v2/Visit', 'GET-collection');
    expect(await again.getByLabel('Password').inputValue()).toBe('');
    await again.getByLabel('Stay signed in').check();
    await signIn(again);
    await page.goto('about:blank');
    const later = await openConsole('/Atlas-v2/Visit', 'GET-collection');
    expect(await later.getByLabel('Stay signed in').isChecked()).toBe(true);
    expect(await send(later)).toMatch(/^200 OK .* signed in with Digest/);
    const other = await context.newPage();
    const elsewhere = await openConsole('/Atlas-v2/Visit', 'GET-collection', other);
    expect(await elsewhere.getByLabel('Password').inputValue()).toBe('');
  });

  it('ends by signing out, in the page and in the storage', async () => {
    const place = await openConsole('/Atlas-v2/Visit', 'GET-collection');
    expect(await place.getByRole('button', { name: 'Sign out' }).isVisible()).toBe(false);
    await place.getByLabel('Stay signed in').check();
    await signIn(place);
    expect(await send(place)).toMatch(/^200 OK/);
    expect(await violations(page)).toEqual([]);
    await place.getByRole('button', { name: 'Sign out' }).click();
    expect(await place.getByLabel('User').inputValue()).toBe('');
    expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toMatch(
      /guide|explore/,
    );
    expect(await send(place)).toMatch(/^401 .* enter a user and a password above$/);
  });

  it('is refused with a reason', async () => {
    const place = await openConsole('/Atlas-v2/Visit', 'GET-collection');
    await signIn(place, 'wrong');
    expect(await send(place)).toMatch(/^401 .* the server refused this user and password$/);
  });
});

describe('a request of the console', () => {
  it('is copied as a curl command without being sent, with credentials only if they are included', async () => {
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    const place = await openConsole('/Atlas-v2/Visit', 'GET-entity');
    await place.getByLabel('visit_id').fill('seven');
    const copied = async (): Promise<string> => {
      await place.getByRole('button', { name: 'Copy as curl' }).click();
      await place.getByText('Copied').waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const command = await copied();
    expect(command).toBe(
      `curl ${platform.origin}/v2/atlas/visits/seven \\\n  --digest -u USER \\\n  -H 'Accept: application/json'`,
    );
    await signIn(place);
    await place.getByRole('button', { name: 'Copy as curl' }).waitFor();
    expect(await copied()).toBe(command);
    await place.getByRole('button', { name: 'Copy as curl' }).waitFor();
    await place.getByLabel('Include credentials').check();
    expect(await copied()).toContain('--digest -u guide:explore');
    expect(sent.filter((url) => url.includes('/v2/atlas'))).toEqual([]);
  });
});
