import { createHash } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../../../factories/browser/browser';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { adapter, authentication } from '../../../fixtures/club-module';
import {
  defineApi,
  defineProcedure,
  defineRpcService,
  fileField,
  Response,
  Type,
  type Module,
} from '../../../../src/platform';
import { PEOPLE } from '../../../fixtures/people';
import { withPrograms } from '../../../factories/processes/programs';
import { openConsoleAt, send } from '../../../factories/browser/request-console';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe, it } = withPrograms('chromium');

setTestTimeout(120);

const REALM = 'Vault';
const USER = 'zoë';
const PASSWORD = 'Grüße';

const box = () =>
  defineRpcService({
    route: '/box',
    content_type: ['application/json', 'multipart/form-data'],
    authorization: 'authenticated',
    methods: {
      GET: defineProcedure({ handler: ({ identity }) => ({ user: identity.name }) }),
      POST: defineProcedure({
        fields: Type.Object({ title: Type.String(), thing: Type.Optional(fileField()) }),
        handler: ({ body: { title, thing } }) => ({ title, size: thing?.size ?? 0 }),
      }),
    },
  });

/** Requires a challenge that pages cannot answer. */
const odd = defineRpcService({
  route: '/odd',
  methods: {
    GET: defineProcedure({
      handler: () =>
        new Response(401, '', [
          ['WWW-Authenticate', 'Bearer, Digest realm="Vault", nonce="n", algorithm=SHA-1, qop="auth"'],
        ]),
    }),
  },
});

const vaults: Module & { apis: unknown } = {
  name: 'vaults',
  requires: ['hosting'],
  apis: [
    defineApi({ name: 'Named', versions: { 1: { services: { Box: box() } } }, base_path: '/named' }),
    defineApi({
      name: 'Whole',
      versions: { 1: { services: { Box: box(), Odd: odd } } },
      base_path: '/whole',
    }),
    defineApi({ name: 'Mixed', versions: { 1: { services: { Box: box() } } }, base_path: '/mixed' }),
    defineApi({ name: 'Double', versions: { 1: { services: { Box: box() } } }, base_path: '/double' }),
    defineApi({ name: 'Beyond', versions: { 1: { services: { Box: box() } } }, base_path: '/beyond' }),
  ],
};

const BEYOND = 'Büro, 語';
const lineOf = (realm: string): string =>
  `${USER}:${realm}:{SHA-512-256}${createHash('sha512-256').update(`${USER}:${realm}:${PASSWORD}`).digest('hex')}\n`;
const options = {
  accept_schemes: ['digest'],
  realm: REALM,
  htdigest: 'config/vault.htdigest',
  nonce_timeout: '3600',
};

let platform: TestPlatform;
let browser: Browser;
let page: Page;
let authorizations: string[];

beforeAll(async () => {
  platform = await startTestPlatform({
    extra: [vaults],
    files: {
      'config/vault.htdigest': lineOf(REALM) + lineOf(BEYOND),
      'config/old.htdigest': `${USER}:Old:${createHash('md5').update(`${USER}:Old:${PASSWORD}`).digest('hex')}\n`,
      ...PEOPLE,
    },
    local: authentication(
      {
        named: adapter(options),
        whole: adapter({ ...options, qop: ['auth-int'] }),
        staff: adapter({
          accept_schemes: ['basic'],
          realm: 'Staff',
          htpasswd: 'config/people.htpasswd',
          allow_downgrade: true,
        }),
        old: adapter({ ...options, realm: 'Old', htdigest: 'config/old.htdigest' }),
        beyond: adapter({ ...options, realm: BEYOND }),
      },
      {
        Named: 'named',
        Whole: 'whole',
        Beyond: 'beyond',
        Mixed: ['staff', 'named'],
        Double: ['old', 'named'],
      },
    ),
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});
beforeEach(async () => {
  page = await browser.newPage();
  authorizations = [];
  page.on('request', (request) => authorizations.push(request.headers().authorization ?? ''));
});
afterEach(() => page.close());

async function openConsole(below: string, id: string): Promise<Locator> {
  const place = await openConsoleAt(page, `${platform.origin}/platform/documentation${below}`, id);
  await place.getByLabel('User').fill(USER);
  await place.getByLabel('Password').fill(PASSWORD);
  return place;
}

it('authenticates with SHA-512-256 and a hashed user name', async () => {
  const place = await openConsole('/Named/Box', 'GET');
  expect(await send(place)).toMatch(/^200 OK .* signed in with Digest, SHA-512-256$/);
  expect(JSON.parse(await place.locator('.answer-body').innerText())).toEqual({ user: USER });
  const name = createHash('sha512-256').update(`${USER}:${REALM}`).digest('hex');
  expect(authorizations.at(-1)).toContain(`username="${name}", userhash=true, `);
});

it('authenticates for a realm that is not ASCII', async () => {
  const place = await openConsole('/Beyond/Box', 'GET');
  expect(await send(place)).toMatch(/^200 OK .* signed in with Digest, SHA-512-256$/);
});

describe('two adapters', () => {
  it('with different schemes: the credentials are those of the realm with the stronger one', async () => {
    const place = await openConsole('/Mixed/Box', 'GET');
    expect(await place.innerText()).toContain(REALM);
    expect(await send(place)).toMatch(/^200 OK .* signed in with Digest, SHA-512-256$/);
  });

  it('with the same scheme: the challenge of the realm is answered, not a stronger one of the other', async () => {
    const place = await openConsole('/Double/Box', 'GET');
    expect(await place.innerText()).toContain('Old');
    expect(await send(place)).toMatch(/^200 OK .* signed in with Digest, MD5$/);
  });
});

describe('a challenge with qop=auth-int', () => {
  it('works for a request without a body', async () => {
    expect(await send(await openConsole('/Whole/Box', 'GET'))).toMatch(/^200 OK/);
    expect(authorizations.at(-1)).toContain('qop=auth-int');
  });

  it('works for text, twice with one nonce', async () => {
    const place = await openConsole('/Whole/Box', 'POST');
    await place.getByLabel('Body', { exact: true }).fill('{"title": "Ω"}');
    expect(await send(place)).toMatch(/^200 OK/);
    await place.getByLabel('Body', { exact: true }).fill('{"title": "another"}');
    expect(await send(place)).toMatch(/^200 OK/);
    expect(JSON.parse(await place.locator('.answer-body').innerText())).toMatchObject({ title: 'another' });
    expect(authorizations.at(-1)).toContain('nc=00000002');
  });

  it('works for a form with a file', async () => {
    const place = await openConsole('/Whole/Box', 'POST');
    await place.getByLabel('Content-Type').selectOption('multipart/form-data');
    await place.getByText('Body fields').click();
    await place.getByLabel('title').fill('With a thing');
    await place
      .getByLabel('thing')
      .setInputFiles({ name: 'thing.bin', mimeType: 'image/png', buffer: Buffer.from([0, 255, 13, 10, 7]) });
    expect(await send(place)).toMatch(/^200 OK/);
    expect(JSON.parse(await place.locator('.answer-body').innerText())).toEqual({
      title: 'With a thing',
      size: 5,
    });
  });
});

it('shows the challenges if none is supported', async () => {
  expect(await send(await openConsole('/Whole/Odd', 'GET'))).toContain(
    'not signed in: the server requires Bearer, Digest SHA-1 auth, which this page does not support',
  );
});
