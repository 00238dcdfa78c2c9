import { AdminAccess } from '../../../../src/modules/admin/access/admin-access';
import { defineApi, defineProcedure, defineRpcService } from '../../../../src/modules/hosting';
import type { ConfigObject, Module } from '../../../../src/platform';
import { PASSWORD, startAdminPlatform, type AdminPlatform } from '../../../factories/admin/admin';
import { sendRaw, type RawAnswer } from '../../../factories/http/raw-http';
import { basic } from '../../../factories/http/requests';
import { setTestTimeout } from '../../../factories/test-timeout';
import { PEOPLE, peopleAdapter } from '../../../fixtures/people';

const services = {
  Tool: defineRpcService({
    route: '/ops/tool',
    methods: { GET: defineProcedure({ handler: () => ({ done: true }) }) },
  }),
};
const ops: Module = {
  name: 'ops',
  requires: ['hosting'],
  apis: [
    defineApi({ name: 'Ops', versions: { 1: { services } } }),
    defineApi({
      name: 'Secret',
      visibility: 'authenticated',
      versions: { 1: { services: { Tool: { ...services.Tool, route: '/secret/tool' } } } },
    }),
  ],
};

/** Maps APIs to adapters: that of the administrators, and `people`. */
function mapped(
  map: Readonly<Record<string, string | readonly string[]>>,
  admin: ConfigObject,
  rules: ConfigObject,
): ConfigObject {
  return {
    'platform-admin': admin,
    'platform-mvc-auth': {
      authentication: {
        adapters: { people: peopleAdapter() },
        map,
      },
      authorization: { Ops: { Tool: { GET: 'authenticated' } }, ...rules },
    },
  };
}

const RIGHT = `Authorization: ${basic('ada', PASSWORD)}`;
const WRONG = `Authorization: ${basic('ada', 'wrong')}`;

setTestTimeout(60);

let platform: AdminPlatform;

async function start(
  admin: ConfigObject,
  map: Readonly<Record<string, string | readonly string[]>> = {},
  rules: ConfigObject = {},
): Promise<void> {
  platform = await startAdminPlatform({ extra: [ops], files: PEOPLE, local: mapped(map, admin, rules) });
}

/** @param host the Host field; empty to omit it */
function ask(
  target: string,
  {
    method = 'GET',
    host = new URL(platform.origin).host,
    version = '1.1',
    fields = [],
  }: { method?: string; host?: string; version?: string; fields?: readonly string[] } = {},
): Promise<RawAnswer> {
  const lines = [
    `${method} ${target} HTTP/${version}`,
    ...(host === '' ? [] : [`Host: ${host}`]),
    'Connection: close',
    ...fields,
  ];
  return sendRaw(platform.origin, `${lines.join('\r\n')}\r\n\r\n`, 2_000);
}

const detailOf = ({ body }: RawAnswer): unknown =>
  body === '' ? undefined : (JSON.parse(body) as { detail: unknown }).detail;

const OUTSIDE = 'Access from your network address is not allowed.';
const DOCUMENTATION = '/platform/documentation';

const OF_ADMIN = [
  '/platform/admin',
  '/platform/admin/sign-in',
  '/platform/admin/adapters',
  '/platform/admin/api/v1/adapters',
  '/platform/%61dmin/api/v1/adapters',
  `${DOCUMENTATION}/Admin`,
  `${DOCUMENTATION}/Admin-v1`,
  `${DOCUMENTATION}/Admin-v9`,
  `${DOCUMENTATION}/Admin/Adapter`,
  `${DOCUMENTATION}/Admin-v1/Adapter`,
  `${DOCUMENTATION}/Admin-v1/Nothing`,
  `${DOCUMENTATION}/Admin?format=openapi`,
  `${DOCUMENTATION}/Admin?format=yaml`,
  `${DOCUMENTATION}/Admin?compare=1`,
  `${DOCUMENTATION}/%41dm%69n`,
  '/platform/%64ocumentation/Admin',
  `http://localhost${DOCUMENTATION}/Admin`,
];

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST'];
const preflight = ['Origin: http://a.example', 'Access-Control-Request-Method: GET'];

describe('From a network that platform-admin.allow does not contain', () => {
  beforeAll(() => start({ allow: ['192.0.2.0/24'] }, { Ops: 'administrators' }));
  afterAll(() => platform.stop());

  it.each(OF_ADMIN)('%s responds with the same 403 for every password', async (target) => {
    for (const method of methods) {
      for (const fields of [[], [RIGHT], [WRONG], preflight]) {
        const answer = await ask(target, { method, fields });
        expect([method, fields, answer.status]).toEqual([method, fields, 403]);
        if (method !== 'HEAD') expect(detailOf(answer)).toBe(OUTSIDE);
        expect(answer.text.toLowerCase()).not.toContain('www-authenticate');
      }
    }
  });

  it('an API with only the administrators’ adapter is forbidden, also for guests and preflights', async () => {
    for (const target of ['/ops/tool', '/v1/ops/tool', '/v1/ops/%74ool'])
      for (const method of methods)
        for (const fields of [[], [RIGHT], [WRONG], preflight]) {
          const answer = await ask(target, { method, fields });
          expect([target, method, answer.status]).toEqual([target, method, 403]);
        }
  });

  it('responses do not reveal the allowed host names', async () => {
    expect((await ask('/platform/admin', { host: 'evil.example' })).status).toBe(403);
  });
});

describe('From a network that platform-admin.allow does not contain, with documentation for administrators', () => {
  beforeAll(() =>
    start(
      { allow: ['192.0.2.0/24'] },
      { Ops: ['administrators', 'people'], Secret: 'administrators', '@documentation': 'administrators' },
    ),
  );
  afterAll(() => platform.stop());

  it('an API with a second adapter accepts that one', async () => {
    const guest = await ask('/ops/tool');
    expect(guest.status).toBe(401);
    expect(guest.fields.filter(([name]) => name === 'www-authenticate')).toEqual([
      ['www-authenticate', 'Basic realm="People", charset="UTF-8"'],
    ]);
    expect((await ask('/ops/tool', { fields: [RIGHT] })).status).toBe(401);
    const ada = `Authorization: ${basic('ada', 'password')}`;
    expect((await ask('/ops/tool', { fields: [ada] })).status).toBe(200);
  });

  it('public documentation is served as to guests, without verifying passwords', async () => {
    for (const target of [DOCUMENTATION, `${DOCUMENTATION}/Atlas`, '/platform/search?q=secret'])
      for (const fields of [[], [RIGHT], [WRONG]]) {
        const answer = await ask(target, { fields });
        expect([target, answer.status]).toEqual([target, 200]);
        expect(answer.body).not.toContain('Secret');
      }
  });

  it('hidden documentation is not found, like unknown names', async () => {
    for (const fields of [[], [RIGHT], [WRONG]]) {
      const [hidden, unknown] = await Promise.all(
        ['Secret', 'Nobody'].map(async (name) => {
          const answer = await ask(`${DOCUMENTATION}/${name}`, { fields });
          return [answer.status, String(detailOf(answer)).replaceAll(name, 'NAME')];
        }),
      );
      expect(hidden).toEqual(unknown);
      expect(hidden?.[0]).toBe(404);
    }
  });
});

it('From a network that platform-admin.allow does not contain, operations that require an administrator are forbidden', async () => {
  await start(
    { allow: ['192.0.2.0/24'] },
    { '@documentation': 'administrators' },
    { '@documentation': 'authenticated' },
  );
  try {
    for (const fields of [[], [RIGHT], [WRONG]])
      expect((await ask(DOCUMENTATION, { fields })).status).toBe(403);
  } finally {
    await platform.stop();
  }
});

describe('From a network that platform-admin.allow contains', () => {
  beforeAll(() => start({ hosts: ['admin.example.com'] }, { Ops: 'administrators' }));
  afterAll(() => platform.stop());
  const evil = { host: 'evil.example:8080' };

  it('administrators can use everything', async () => {
    for (const target of ['/ops/tool', '/platform/admin/api/v1/adapters', `${DOCUMENTATION}/Admin`]) {
      expect((await ask(target)).status).toBe(401);
      expect((await ask(target, { fields: [WRONG] })).status).toBe(401);
      expect((await ask(target, { fields: [RIGHT] })).status).toBe(200);
    }
  });

  it.each([
    ...OF_ADMIN.filter((target) => target.startsWith('/')),
    '/platform/admin/claim?token=x',
    '/ops/tool',
  ])('%s responds with 421 under another host name and names the key that allows it', async (target) => {
    for (const fields of [[], [RIGHT], [WRONG]]) {
      const answer = await ask(target, { ...evil, fields });
      expect(answer.status).toBe(421);
      expect(detailOf(answer)).toMatch(/"evil\.example:8080".*platform-admin\.hosts/);
    }
  });

  it('a form is rejected under another host name despite a matching origin', async () => {
    const fields = ['Origin: http://evil.example:8080', 'Sec-Fetch-Site: same-origin', 'Content-Length: 0'];
    expect((await ask('/platform/admin/sign-in', { ...evil, method: 'POST', fields })).status).toBe(421);
  });

  it('everything else is available under any host name', async () => {
    for (const target of ['/v1/atlas/countries/DE', DOCUMENTATION, `${DOCUMENTATION}/Atlas`])
      expect((await ask(target, evil)).status).toBe(200);
  });

  it.each(['localhost', 'LOCALHOST:1', '127.0.0.1:8080', '[::1]:8080', '192.0.2.1', 'admin.example.com'])(
    'the admin is available under the host %s',
    async (host) => {
      expect((await ask('/platform/admin/sign-in', { host })).status).toBe(200);
      expect((await ask('/platform/admin/api/v1/adapters', { host, fields: [RIGHT] })).status).toBe(200);
    },
  );

  it('the admin is available to clients without a Host field', async () => {
    expect((await ask('/platform/admin/sign-in', { host: '', version: '1.0' })).status).toBe(200);
  });

  it('the host of an absolute request target takes precedence over the Host field', async () => {
    const target = (host: string): string => `http://${host}/platform/admin/sign-in`;
    expect((await ask(target('evil.example'), { host: 'localhost' })).status).toBe(421);
    expect((await ask(target('localhost@evil.example'), { host: 'localhost' })).status).toBe(400);
    expect((await ask(target('localhost'), { host: 'evil.example' })).status).toBe(200);
  });
});

describe('platform-admin.hosts', () => {
  it('includes the name in server.host by default', async () => {
    platform = await startAdminPlatform();
    const local = JSON.stringify({ server: { host: 'intranet.example' } });
    const candidate = await platform.host.build({ local });
    try {
      const access = new AdminAccess(candidate.configuration);
      const from = (host: string) => access.refusal({ address: '127.0.0.1', host })?.status;
      expect([from('Intranet.example:8080'), from('other.example')]).toEqual([undefined, 421]);
    } finally {
      await candidate.dispose();
      await platform.stop();
    }
  });

  it.each(['https://admin.example.com', 'admin.example.com:8443', '', '*.example.com'])(
    'contains names without scheme and port, and rejects %j',
    async (host) => {
      await expect(startAdminPlatform({ local: { 'platform-admin': { hosts: [host] } } })).rejects.toThrow(
        /platform-admin\.hosts\[0\].*without scheme and port/,
      );
    },
  );
});
