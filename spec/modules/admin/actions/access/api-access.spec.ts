import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LOCAL_FILE, LocalConfiguration, type ConfigObject } from '../../../../../src/framework';
import { AccessChanges } from '../../../../../src/modules/admin/actions/access/access-changes';
import type { OperationAccess } from '../../../../../src/modules/admin/actions/access/access-view';
import { ApiAccess } from '../../../../../src/modules/admin/actions/access/api-access';
import type { Actor, Change } from '../../../../../src/modules/admin/changes/change';
import { ConfigurationChanges } from '../../../../../src/modules/admin/changes/configuration-changes';
import { sampleAuthentication, startTestPlatform } from '../../../../factories/platform';
import { rejectionOf } from '../../../../factories/rejection';
import { reusedPlatform } from '../../../../factories/reused-platform';

const ADA: Actor = { name: 'ada', via: 'command' };
const GUIDE = `Basic ${Buffer.from('guide:explore').toString('base64')}`;

let changes: ConfigurationChanges;
let access: ApiAccess;
let accessChanges: AccessChanges;
const { platform, restart } = reusedPlatform((local: ConfigObject = sampleAuthentication) =>
  startTestPlatform({ local }),
);
beforeEach(connect);

function connect(): void {
  changes = new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root));
  access = new ApiAccess(changes);
  accessChanges = new AccessChanges(changes, access);
}

const apply = async (change: Promise<Change>): Promise<unknown> => changes.apply(await change, ADA);
const written = (key: 'authentication' | 'authorization'): unknown => {
  const local: unknown = JSON.parse(readFileSync(path.join(platform.root, LOCAL_FILE), 'utf8'));
  return (local as Record<string, Record<string, unknown>>)['platform-mvc-auth']?.[key];
};
const statusOf = async (to: string, authorization?: string): Promise<number> =>
  (await platform.request(to, authorization === undefined ? {} : { headers: { authorization } })).status;
const operation = async (service: string, part: string, method: string): Promise<OperationAccess> => {
  const { services } = await access.get('Atlas', 1);
  const found = services
    .flatMap((one) => one.operations)
    .find((one) => one.service === service && one.part === part && one.method === method);
  if (found === undefined) throw new Error(`No ${service} ${part} ${method}.`);
  return found;
};

describe('The adapters of an API', () => {
  it('are shown with the effective map entry and its source', async () => {
    const { adapters, entries, effective } = await access.get('Atlas', 1);
    expect(adapters).toEqual(['atlas-basic', 'atlas-digest']);
    expect(entries.map(({ key, adapters: names }) => [key, names])).toEqual([
      ['Atlas-v1', ['atlas-basic']],
      ['Atlas', undefined],
      ['*', undefined],
    ]);
    expect(effective).toMatchObject({
      key: 'Atlas-v1',
      source: expect.stringMatching(/^config\/autoload\/local\.json:\d+:\d+$/) as string,
    });
  });

  it('can be mapped per API and service, mapped to none, and unmapped', async () => {
    await apply(accessChanges.prepareMapEntry('Atlas-v1', ['atlas-digest']));
    expect(written('authentication')).toMatchObject({ map: { 'Atlas-v1': 'atlas-digest' } });
    const challenged = await platform.request('/v1/atlas/visits');
    expect(challenged.headers.get('www-authenticate')).toMatch(/^Digest /);
    await apply(accessChanges.prepareMapEntry('Atlas-v1/Visit', []));
    expect(written('authentication')).toMatchObject({ map: { 'Atlas-v1/Visit': [] } });
    expect(await statusOf('/v1/atlas/visits')).toBe(403);
    const [, visit] = (await access.get('Atlas', 1)).services;
    expect(visit).toMatchObject({ name: 'Visit', effective: { key: 'Atlas-v1/Visit', adapters: [] } });
    await apply(accessChanges.prepareMapEntry('Atlas-v1/Visit', undefined));
    expect(await statusOf('/v1/atlas/visits')).toBe(401);
    const { map } = written('authentication') as { readonly map: object };
    expect(Object.keys(map)).toEqual(['Atlas-v1', 'Atlas-v2']);
  });

  it('are the only adapter without a map, which keeps its APIs with the first entry', async () => {
    const auth = sampleAuthentication['platform-mvc-auth'] as {
      readonly authentication: { readonly adapters: Readonly<Record<string, ConfigObject>> };
    };
    const people = auth.authentication.adapters['atlas-basic'] ?? {};
    await restart({ 'platform-mvc-auth': { authentication: { adapters: { people } } } });
    connect();
    const guards = async (): Promise<unknown> => (await access.get('Atlas', 1)).effective?.adapters;
    expect(await guards()).toEqual(['people']);
    expect((await access.list())[0]?.versions[0]?.effective).toMatchObject({
      key: '*',
      adapters: ['people'],
    });
    expect(await statusOf('/v1/atlas/visits')).toBe(401);
    await apply(accessChanges.prepareMapEntry('Atlas-v2', []));
    expect(written('authentication')).toMatchObject({ map: { 'Atlas-v2': [], '*': 'people' } });
    expect([await guards(), await statusOf('/v1/atlas/visits')]).toEqual([['people'], 401]);
    await apply(accessChanges.prepareMapEntry('*', []));
    expect([await guards(), await statusOf('/v1/atlas/visits')]).toEqual([[], 403]);
  });

  it('are rejected at their entry for an unknown adapter, API or service', async () => {
    const wrong = new Map([
      ['Atlas-v1', ['nobody']],
      ['Atlas-v9', ['atlas-basic']],
      ['Atlas/Nope', undefined],
    ]);
    const problem = await rejectionOf(() => accessChanges.prepareMapEntries(wrong));
    expect([problem.status, problem.extensions.errors]).toEqual([
      422,
      [
        {
          pointer: '/Atlas-v1',
          message: 'Adapter "nobody" does not exist. Available: atlas-basic, atlas-digest.',
        },
        { pointer: '/Atlas-v9', message: 'API, version or service "Atlas-v9" does not exist.' },
        { pointer: '/Atlas~1Nope', message: 'API, version or service "Atlas/Nope" does not exist.' },
      ],
    ]);
  });

  it('are not found for an unknown API or version', async () => {
    expect((await rejectionOf(() => access.get('Nope', 1))).status).toBe(404);
    expect((await rejectionOf(() => access.get('Atlas', 9))).status).toBe(404);
    expect((await rejectionOf(() => access.get('constructor', 1))).status).toBe(404);
  });
});

describe('The access rules of a version', () => {
  it('are listed for every operation with their source', async () => {
    const country = await operation('Country', 'collection', 'GET');
    expect(country).toMatchObject({
      own: undefined,
      effective: {
        rule: 'guest',
        path: 'platform-mvc-auth.authorization.deny_by_default',
        source: 'the defaults of the module "mvc-auth"',
      },
    });
    expect((await operation('Visit', 'entity', 'DELETE')).effective).toEqual({
      rule: 'authenticated',
      path: undefined,
      source: 'the module "atlas"',
      layer: 'declaration',
    });
    expect((await operation('Distance', 'rpc', 'GET')).effective.rule).toBe('guest');
  });

  it('are changed for several operations at once, at the documented key paths, and unset', async () => {
    await apply(
      accessChanges.prepareRules('Atlas', 1, [
        { service: 'Country', part: 'collection', method: 'GET', rule: 'authenticated' },
        { service: 'Distance', part: 'rpc', method: 'GET', rule: ['guide', '@editors'] },
        { service: 'Visit', part: 'entity', method: 'GET', rule: undefined },
      ]),
    );
    expect(written('authorization')).toEqual({
      'Atlas-v1': {
        Country: { collection: { GET: 'authenticated' } },
        Distance: { GET: ['guide', '@editors'] },
      },
    });
    expect(await statusOf('/v1/atlas/countries')).toBe(401);
    expect(await statusOf('/v1/atlas/countries', GUIDE)).toBe(200);
    expect(await operation('Distance', 'rpc', 'GET')).toMatchObject({
      own: ['guide', '@editors'],
      effective: { path: 'platform-mvc-auth.authorization.Atlas-v1.Distance.GET' },
      inherited: { rule: 'guest' },
    });
    await apply(
      accessChanges.prepareRules('Atlas', 1, [
        { service: 'Country', part: 'collection', method: 'GET', rule: undefined },
      ]),
    );
    expect(await statusOf('/v1/atlas/countries')).toBe(200);
  });

  it('inherit the rule for all versions', async () => {
    const key = ['platform-mvc-auth', 'authorization', 'Atlas', 'Country', 'entity', 'GET'];
    await changes.apply({ summary: 'x', subject: key, edits: [{ path: key, value: ['ada'] }] }, ADA);
    expect(await operation('Country', 'entity', 'GET')).toMatchObject({
      own: undefined,
      effective: { rule: ['ada'], path: 'platform-mvc-auth.authorization.Atlas.Country.entity.GET' },
    });
  });

  it('name the file that declares the rule of an API defined in the configuration', async () => {
    const key = [
      'platform-hosting',
      'apis',
      'Atlas',
      'versions',
      '1',
      'services',
      'Country',
      'authorization',
    ];
    await changes.apply({ summary: 'x', subject: key, edits: [{ path: key, value: 'authenticated' }] }, ADA);
    expect((await operation('Country', 'entity', 'GET')).effective).toMatchObject({
      rule: 'authenticated',
      path: key.join('.'),
      source: expect.stringContaining('local.json') as string,
    });
  });

  it('are rejected for unknown operations and invalid names', async () => {
    const problem = await rejectionOf(() =>
      accessChanges.prepareRules('Atlas', 1, [
        { service: 'Country', part: 'entity', method: 'PUT', rule: 'guest' },
        { service: 'Country', part: 'entity', method: 'GET', rule: [] },
        { service: 'Country', part: 'collection', method: 'GET', rule: ['a:b'] },
      ]),
    );
    expect([problem.status, problem.extensions.errors]).toEqual([
      422,
      [
        { pointer: '/0', message: 'Operation Country.entity.PUT does not exist.' },
        {
          pointer: '/1/rule',
          message: 'Enter at least one user, a group as "@group", or a scope as "scope:read".',
        },
        { pointer: '/2/rule', message: expect.stringContaining('"a:b" is not a valid name') as string },
      ],
    ]);
  });
});
