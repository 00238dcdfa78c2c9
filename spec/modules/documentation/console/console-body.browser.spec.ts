import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser, violations } from '../../../factories/browser/browser';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import {
  defineApi,
  defineProcedure,
  defineRpcService,
  fileField,
  Type,
  type Module,
} from '../../../../src/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { openConsoleAt, send } from '../../../factories/browser/request-console';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe } = withPrograms('chromium');

setTestTimeout(120);

const Stop = Type.Object({
  place: Type.String(),
  nights: Type.Integer({ minimum: 1 }),
  tags: Type.Optional(Type.Array(Type.String())),
});

const fields = Type.Object({
  title: Type.String(),
  stops: Type.Array(Stop),
  grid: Type.Optional(Type.Array(Type.Array(Type.Integer()))),
  budget: Type.Optional(Type.Object({ amount: Type.Number(), currency: Type.String() })),
  moods: Type.Optional(Type.Array(Type.Union([Type.Literal('calm'), Type.Literal('wild')]))),
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
});

const Cat = Type.Object({ kind: Type.Literal('cat'), name: Type.String(), lives: Type.Integer() });
const Dog = Type.Object({
  kind: Type.Literal('dog'),
  name: Type.String(),
  tricks: Type.Array(Type.String()),
});
const pet = Type.Union([Cat, Dog]);

/** Returns the request body. */
const trips: Module & { apis: unknown } = {
  name: 'trips',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Trips',
      versions: {
        1: {
          services: {
            Trip: defineRpcService({
              route: '/trips',
              content_type: ['application/json', 'application/x-www-form-urlencoded'],
              methods: { POST: defineProcedure({ fields, handler: ({ body }) => body }) },
            }),
            Pet: defineRpcService({
              route: '/pets',
              methods: {
                POST: defineProcedure({
                  fields: Type.Object({
                    pet,
                    toy: Type.Union([Type.String(), Type.Object({ brand: Type.String() })]),
                    food: Type.Optional(
                      Type.Union([
                        Type.Object({ fish: Type.String() }, { title: 'From  the sea ' }),
                        Type.Object({ meat: Type.String() }, { title: 'From land' }),
                      ]),
                    ),
                  }),
                  handler: ({ body }) => body,
                }),
              },
            }),
            Party: defineRpcService({
              route: '/parties',
              content_type: ['application/json', 'application/x-www-form-urlencoded'],
              methods: {
                POST: defineProcedure({
                  fields: Type.Object({
                    guests: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
                    ages: Type.Array(Type.Union([Type.Integer(), Type.Null()])),
                    host: Type.String(),
                    note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
                  }),
                  handler: ({ body }) => body,
                }),
              },
            }),
            Album: defineRpcService({
              route: '/albums',
              content_type: ['multipart/form-data'],
              methods: {
                POST: defineProcedure({
                  fields: Type.Object({
                    title: Type.String(),
                    tags: Type.Array(Type.String()),
                    place: Type.Object({ name: Type.String() }),
                    pictures: Type.Array(fileField()),
                  }),
                  handler: ({ body }) => ({
                    ...body,
                    pictures: body.pictures.map(({ filename, size }) => `${filename} ${size}`),
                  }),
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
let page: Page;

beforeAll(async () => {
  platform = await startTestPlatform({ extra: [trips] });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
});
afterEach(() => page.close());

const openConsole = (service: string): Promise<Locator> =>
  openConsoleAt(page, `${platform.origin}/platform/documentation/Trips/${service}`, 'POST');

async function sent(place: Locator): Promise<unknown> {
  expect(await send(place)).toMatch(/^200 OK/);
  return JSON.parse(await place.locator('.answer-body').innerText());
}

const add = (place: Locator, name: string) =>
  place.getByRole('button', { name: `Add to ${name}`, exact: true }).click();
const text = (place: Locator) => place.getByLabel('Body', { exact: true });

describe('the fields of a body in the console', () => {
  it('edit lists, objects in lists, and nested lists', async () => {
    const place = await openConsole('Trip');
    await text(place).fill('{"title": "North", "stops": [], "kept": true}');
    await place.getByText('Body fields').click();
    await add(place, 'stops');
    // The focus moves to the new item.
    await page.keyboard.type('Oslo');
    await place.getByLabel('nights').fill('2');
    await add(place, 'tags');
    await place.getByLabel('tags 1', { exact: true }).fill('harbour');
    await add(place, 'tags');
    await place.getByLabel('tags 2', { exact: true }).fill('snow');
    await add(place, 'stops');
    const second = place.getByRole('group', { name: 'stops 2' });
    await second.getByLabel('place').fill('Bergen');
    await second.getByLabel('nights').fill('1');
    await add(place, 'grid');
    await add(place, 'grid 1');
    await place.getByLabel('grid 1 1', { exact: true }).fill('7');
    await place.getByLabel('amount').fill('12.5');
    await place.getByLabel('currency').fill('NOK');
    await add(place, 'moods');
    await place.getByLabel('moods 1', { exact: true }).selectOption('calm');
    await place.getByLabel('labels').fill('{"for": "us"}');
    const value = {
      title: 'North',
      stops: [
        { place: 'Oslo', nights: 2, tags: ['harbour', 'snow'] },
        { place: 'Bergen', nights: 1 },
      ],
      kept: true,
      grid: [[7]],
      budget: { amount: 12.5, currency: 'NOK' },
      moods: ['calm'],
      labels: { for: 'us' },
    };
    expect(JSON.parse(await text(place).inputValue())).toEqual(value);
    expect(await violations(page)).toEqual([]);
  });

  it('remove an item of a list', async () => {
    const place = await openConsole('Trip');
    await text(place).fill('{"title": "x", "stops": [{"place": "A"}, {"place": "B"}, {"place": "C"}]}');
    await place.getByText('Body fields').click();
    await place.getByRole('button', { name: 'Remove stops 2' }).click();
    expect(JSON.parse(await text(place).inputValue())).toEqual({
      title: 'x',
      stops: [{ place: 'A' }, { place: 'C' }],
    });
    const second = place.getByRole('group', { name: 'stops 2' });
    expect(await second.getByLabel('place').inputValue()).toBe('C');
    await place.getByRole('button', { name: 'Remove stops 2' }).click();
    await place.getByRole('button', { name: 'Remove stops 1' }).click();
    // A required list remains, empty.
    expect(JSON.parse(await text(place).inputValue())).toEqual({ title: 'x', stops: [] });
  });

  it('follow the text, except while it is invalid JSON', async () => {
    const place = await openConsole('Trip');
    await place.getByText('Body fields').click();
    await text(place).fill('{"stops": [{"place": "A"}, 7, null], "budget": "none", "grid": {"no": "list"}}');
    expect(await place.getByRole('button', { name: /^Remove stops/ }).count()).toBe(3);
    await text(place).fill('{"stops": [');
    expect(await text(place).getAttribute('aria-invalid')).toBe('true');
    await place.getByLabel('title').fill('Lost');
    await add(place, 'stops');
    expect(await text(place).inputValue()).toBe('{"stops": [');
    await text(place).fill('{}');
    expect(await text(place).getAttribute('aria-invalid')).toBeNull();
    expect(await place.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  });

  it('are marked for errors of nested members', async () => {
    const place = await openConsole('Trip');
    await text(place).fill(
      '{"title": "x", "stops": [{"place": "A", "nights": 1}, {"place": "B", "nights": 0}]}',
    );
    await place.getByRole('button', { name: 'Send' }).click();
    await place.locator('.answer-problem').waitFor();
    const nights = place.getByLabel('nights');
    expect(await nights.nth(0).getAttribute('aria-invalid')).toBeNull();
    expect(await nights.nth(1).getAttribute('aria-invalid')).toBe('true');
  });
});

describe('a body with alternatives in the console', () => {
  it('has the inputs of the selected one, and sets its discriminator', async () => {
    const place = await openConsole('Pet');
    await text(place).fill('{}');
    await place.getByText('Body fields').click();
    const alternative = place.getByLabel('Alternative of pet');
    await alternative.selectOption('dog');
    expect(await place.getByLabel('lives').count()).toBe(0);
    await place.getByLabel('name').fill('Rex');
    await add(place, 'tricks');
    await page.keyboard.type('sit');
    await place.getByLabel('Alternative of toy').selectOption('with brand');
    await place.getByLabel('brand').fill('Acme');
    const value = { pet: { kind: 'dog', name: 'Rex', tricks: ['sit'] }, toy: { brand: 'Acme' } };
    expect(JSON.parse(await text(place).inputValue())).toEqual(value);
    expect(await sent(place)).toEqual(value);
    expect(await violations(page)).toEqual([]);
    // Common members are kept.
    await alternative.selectOption('cat');
    expect(JSON.parse(await text(place).inputValue())).toMatchObject({ pet: { kind: 'cat', name: 'Rex' } });
  });

  it('can have any title', async () => {
    const place = await openConsole('Pet');
    await text(place).fill('{}');
    await place.getByText('Body fields').click();
    const alternative = place.getByLabel('Alternative of food');
    await alternative.selectOption('From land');
    await alternative.selectOption({ index: 0 });
    await place.getByLabel('fish').fill('cod');
    expect(JSON.parse(await text(place).inputValue())).toEqual({ food: { fish: 'cod' } });
  });

  it('follows the text', async () => {
    const place = await openConsole('Pet');
    await place.getByText('Body fields').click();
    await text(place).fill('{"pet": {"kind": "dog"}, "toy": "ball"}');
    expect(await place.getByLabel('Alternative of pet').inputValue()).toBe('dog');
    await text(place).fill('{"pet": {"kind": "cat", "lives": 9}, "toy": {"brand": "Acme"}}');
    expect(await place.getByLabel('Alternative of pet').inputValue()).toBe('cat');
    expect(await place.getByLabel('lives').inputValue()).toBe('9');
    expect(await place.getByLabel('brand').inputValue()).toBe('Acme');
  });
});

describe('a form in the console', () => {
  it('sends lists, objects and several files', async () => {
    const place = await openConsole('Album');
    await place.getByLabel('title').fill('A "title"; with marks');
    for (const tag of ['one', 'two']) {
      await add(place, 'tags');
      await page.keyboard.type(tag);
    }
    await place.getByLabel('name').fill('Łódź');
    const file = (name: string, size: number) => ({
      name,
      mimeType: 'image/png',
      buffer: Buffer.alloc(size),
    });
    await place.getByLabel('pictures').setInputFiles([file('a b; c.png', 3), file('ü.png', 4)]);
    expect(await sent(place)).toEqual({
      title: 'A "title"; with marks',
      tags: ['one', 'two'],
      place: { name: 'Łódź' },
      pictures: ['a b; c.png 3', 'ü.png 4'],
    });
    const command = (await place.locator('.sent code').textContent()) ?? '';
    expect(command).toContain(`--form-string 'title=A "title"; with marks'`);
    expect(command).toContain('-F tags=one');
    expect(command).toContain(`-F 'place="{\\"name\\":\\"Łódź\\"}";type=application/json'`);
    expect(command).toContain(`-F 'pictures=@"a b; c.png";type=image/png'`);
    expect(command).not.toContain('boundary');
  });

  it('sends null as an empty field', async () => {
    const place = await openConsole('Party');
    await place.getByLabel('Content-Type').selectOption('application/x-www-form-urlencoded');
    await text(place).fill('{"guests": null, "ages": [1, null, 3], "note": null}');
    await place.getByText('Body fields').click();
    // A text that may not be null.
    await place.getByLabel('host').fill('null');
    expect(await sent(place)).toEqual({ guests: null, ages: [1, null, 3], host: 'null' });
  });

  it('is URL-encoded if the service requires it', async () => {
    const place = await openConsole('Trip');
    await place.getByLabel('Content-Type').selectOption('application/x-www-form-urlencoded');
    await text(place).fill('{"title": "a & b", "stops": [], "moods": ["calm", "wild"]}');
    await place.getByRole('button', { name: 'Send' }).click();
    await place.locator('.answer[aria-busy=false] .answer-status').waitFor();
    expect(await place.locator('.sent code').textContent()).toContain(
      `--data-raw 'title=a+%26+b&moods=calm&moods=wild'`,
    );
  });
});
