import * as accounts from '../../../../src/modules/admin/accounts/account-page';
import type { AdminPage } from '../../../../src/modules/admin/pages/admin-page';
import { PageRoutes } from '../../../../src/modules/admin/pages/page-routes';
import { MethodTable, type BootstrapEvent, type Module } from '../../../../src/framework';
import { ADMIN, startUnclaimed, WITH_ADMIN } from '../../../factories/admin/admin';
import type { TestPlatform } from '../../../factories/platform';
import { startRefusal } from '../../../factories/processes/start-refusal';

/** A module that adds to an application with the admin. */
function moduleThat(adds: (event: BootstrapEvent) => Promise<void> | void): Module {
  return { name: 'adding', requires: ['admin'], onBootstrap: adds };
}

function addingPage(page: AdminPage): Module {
  return moduleThat(async ({ application: { services } }) => {
    (await services.get(PageRoutes)).add([page]);
  });
}

describe('The pages of the admin', () => {
  let platform: TestPlatform;
  let add: jest.SpyInstance;
  beforeEach(async () => {
    add = jest.spyOn(PageRoutes.prototype, 'add');
    platform = await startUnclaimed();
  });
  afterEach(async () => {
    add.mockRestore();
    await platform.stop();
  });

  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(platform.origin + path, { redirect: 'manual', ...init });

  it('are added for the first request below their path, once', async () => {
    await Promise.all([send('/'), send('/platform/administrators'), send('/platform/errors')]);
    expect(add).not.toHaveBeenCalled();
    const both = await Promise.all([send(`${ADMIN}/adapters`), send(`${ADMIN}/revisions`)]);
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect(add).toHaveBeenCalledTimes(1);
    await send(`${ADMIN}/unknown`);
    expect(add).toHaveBeenCalledTimes(1);
  });

  it('are added by the next request if one of them could not be created', async () => {
    const create = jest.spyOn(accounts, 'accountPage').mockImplementationOnce(() => {
      throw new Error('EMFILE: too many open files');
    });
    expect((await send(`${ADMIN}/sign-in`)).status).toBe(500);
    expect((await send(`${ADMIN}/sign-in`)).status).toBe(200);
    expect((await send(`${ADMIN}/adapters`)).status).toBe(303);
    create.mockRestore();
  });

  it.each([
    ['without a session', 303, '/adapters', {}],
    ['for a page that is open', 200, '/sign-in', {}],
    ['for an unknown page', 404, '/unknown', {}],
    ['with another method', 405, '/adapters', { method: 'DELETE' }],
    ['from another site', 403, '/sign-in', { method: 'POST', headers: { Origin: 'https://evil.example' } }],
  ])('respond to a first request as to the next one: %s', async (_, status, path, init) => {
    const [first, second] = [await send(ADMIN + path, init), await send(ADMIN + path, init)];
    expect([first.status, second.status]).toEqual([status, status]);
    const fieldsOf = ({ headers }: Response): readonly unknown[] =>
      [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
    expect(fieldsOf(first)).toEqual(fieldsOf(second));
    const textOf = async (response: Response): Promise<string> =>
      (await response.text()).replace(/"request_id":"[^"]*"/, '');
    expect(await textOf(first)).toBe(await textOf(second));
  });
});

describe('A module that adds to the pages of the admin', () => {
  const GET: AdminPage['GET'] = ({ show }) => show('account');

  it.each([
    [
      'the name of a page',
      addingPage({ name: 'adapters', pattern: '/other', GET }),
      'Two routes have the name "admin:adapters".',
    ],
    [
      'the path of a page',
      addingPage({ name: 'other', pattern: '/adapters', GET }),
      'The routes "admin:adapters" (/platform/admin/adapters) and "admin:other" (/platform/admin/adapters) match the same paths.',
    ],
    [
      'the name of a page for a route elsewhere',
      moduleThat(({ application: { router } }) => {
        router.add('admin:adapters', '/elsewhere', { methods: new MethodTable({}) });
      }),
      'Two routes have the name "admin:adapters".',
    ],
  ])('is refused at the start with %s', async (_, extra, message) => {
    expect(await startRefusal({ modules: WITH_ADMIN, extra: [extra] })).toContain(message);
  });
});
