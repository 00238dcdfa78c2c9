import fc from 'fast-check';
import { accessLayers, type AccessMap } from '../../../../../src/modules/admin/actions/access-map/access-map';
import { buildAccessMap, gapsOf } from '../../../../../src/modules/admin/actions/access-map/build-access-map';
import { limitLayers } from '../../../../../src/modules/admin/actions/access-map/limit-layers';
import {
  groupVersions,
  single,
  versionsLike,
} from '../../../../../src/modules/admin/actions/access-map/version-groups';
import type { AccessState } from '../../../../../src/modules/admin/actions/access-map/access-state';
import { cpuTimeOf, growthOf } from '../../../../factories/measure/cpu-time';
import { anyState, basic, directory, service, state, version } from './access-states';

const mapOf = (one: AccessState): AccessMap => buildAccessMap(one, one.versions.map(single));
const namesOf = ({ nodes }: AccessMap): readonly string[] =>
  nodes.map(({ layer, name }) => `${layer} ${name}`);
const textsOf = (one: AccessState): readonly string[] =>
  gapsOf(one).map(({ name, path }) => `${name} ${path}`);

function edgesOf({ nodes, edges }: AccessMap): readonly string[] {
  const name = (id: string): string => nodes.find((node) => node.id === id)?.name ?? '?';
  return edges.map(({ from, to }) => `${name(from)} → ${name(to)}`);
}

describe('The access map', () => {
  it('leads from an API version over its adapter and password file to the groups that its rules require', () => {
    const shop = version('Shop', service('Order', ['staff'], ['guest', ['@editors']]));
    const map = mapOf(state([shop], [basic('staff', ['ada'], { editors: 2, readers: 1 })]));
    expect(edgesOf(map)).toEqual([
      'Shop v1 → staff',
      'staff → data/staff.htpasswd',
      'data/staff.htpasswd → @editors',
      'data/staff.htpasswd → 1 other group',
    ]);
    expect(map.nodes.map(({ detail }) => detail)).toEqual([
      '1 service',
      'Basic',
      '1 user',
      '2 users, 1 operation',
      '@readers',
    ]);
    expect(map.nodes.flatMap(({ gaps }) => gaps)).toEqual([]);
  });

  it('shows the users of an adapter without password files as its own', () => {
    const shop = version('Shop', service('Order', ['ldap'], [['@editors']]));
    expect(edgesOf(mapOf(state([shop], [directory('ldap')])))).toEqual([
      'Shop v1 → ldap',
      'ldap → Users of ldap',
      'Users of ldap → @editors',
    ]);
  });

  it('leads services without an adapter to "No adapter", which is a gap only if a rule requires a user', () => {
    const open = version('Open', service('News', [], ['guest']));
    const closed = version('Closed', service('Order', [], ['authenticated', 'guest', ['ada']]));
    const { edges } = mapOf(state([open, closed], []));
    expect(edges.map(({ isGap }) => isGap)).toEqual([false, true]);
    expect(gapsOf(state([open, closed], [])).map(({ of, text }) => [of, text])).toEqual([
      ['Closed v1', '2 operations require a user, but no adapter is mapped: everyone receives 403 (Order).'],
    ]);
  });

  it('links each gap to the page that fixes it', () => {
    const shop = version('Shop', service('Order', ['staff'], [['eve', '@editors']]));
    const guarded = version('News', service('Item', ['empty', 'digest'], ['authenticated']));
    const digest = {
      ...basic('digest', []),
      sources: [
        {
          path: 'data/users.htdigest',
          kind: 'htdigest' as const,
          realm: 'R & D',
          users: new Set<string>(),
          refusal: undefined,
        },
      ],
    };
    const adapters = [basic('staff', ['ada'], {}), basic('empty', undefined), digest, basic('idle', ['ada'])];
    expect(textsOf(state([shop, guarded], adapters))).toEqual([
      'unknown user /apis/Shop-v1/authorization',
      'missing file /password-files?file=data%2Fempty.htpasswd&kind=htpasswd',
      'no users /password-files/users?file=data%2Fusers.htdigest&kind=htdigest&realm=R+%26+D',
      'guards nothing /apis',
      'no members /apis/Shop-v1/authorization',
    ]);
  });

  it('advises a group file where the adapter has none', () => {
    const shop = version('Shop', service('Order', ['staff'], [['@editors']]));
    expect(textsOf(state([shop], [basic('staff', ['ada'])]))).toEqual(['no members /adapters/staff/edit']);
  });

  it('accepts a group that one of several adapters has', () => {
    const shop = version('Shop', service('Order', ['staff', 'partners'], [['@editors']]));
    const adapters = [basic('staff', ['ada']), basic('partners', ['bob'], { editors: 1 })];
    expect(textsOf(state([shop], adapters))).toEqual([]);
  });

  it('has no gaps in versions of an application whose modules authenticate users themselves', () => {
    const shop = version('Shop', service('Order', [], ['authenticated', ['eve']]));
    expect(gapsOf({ ...state([shop], []), hasCustomAuthentication: true })).toEqual([]);
  });
});

describe('Many API versions', () => {
  const adapters = [basic('staff', ['ada']), basic('partners', ['bob'])];
  const many = Array.from({ length: 300 }, (_, at) =>
    version(`Api${at}`, service(`Service${at}`, [at % 3 === 0 ? 'staff' : 'partners'], ['authenticated'])),
  );

  it('with the same adapters and rules are one node, which lists them', () => {
    const map = buildAccessMap(state(many, adapters), groupVersions(many));
    expect(namesOf(map).slice(0, 2)).toEqual(['version 100 API versions', 'version 200 API versions']);
    expect(map.nodes[0]).toMatchObject({
      detail: 'Api0 v1, Api3 v1, Api6 v1 and 97 more',
      path: '/access-map?like=Api0-v1',
      count: 100,
    });
    expect(versionsLike(many, 'Api0-v1')).toHaveLength(100);
    expect(versionsLike(many, 'Unknown-v1')).toEqual([]);
  });

  it('are shown one by one up to 15', () => {
    expect(groupVersions(many.slice(0, 15))).toHaveLength(15);
  });

  it('with gaps in each service are mapped in about linear time', () => {
    const states = new Map(
      [300, 3_000].map((size) => {
        const services = Array.from({ length: size / 3 }, (_, at) =>
          service(`Service${at}`, at % 2 === 0 ? [] : ['staff'], ['authenticated', [`user${at}`], ['@a']]),
        );
        const others = Array.from({ length: size / 10 }, (_, at) =>
          version(`Api${at}`, ...services.slice(0, 10)),
        );
        return [size, state([version('Large', ...services), ...others], adapters)];
      }),
    );
    const gaps = (size: number): readonly unknown[] => {
      const all = states.get(size);
      if (all === undefined) return [];
      buildAccessMap(all, groupVersions(all.versions));
      return gapsOf(all);
    };
    expect(gaps(3_000).length).toBeGreaterThan(500);
    // Quadratic time would be 100 times as long.
    expect(growthOf(gaps, 300, 3_000)).toBeLessThan(40);
  });
});

it('The users of a large password file are not copied for each of 1,000 services', async () => {
  const users = Array.from({ length: 100_000 }, (_, at) => `user${at}`);
  const services = Array.from({ length: 1000 }, (_, at) =>
    service(`Service${at}`, ['staff'], [[`user${at}`, 'eve']]),
  );
  const all = state([version('Shop', ...services)], [basic('staff', users)]);
  const used = await cpuTimeOf(() => {
    expect(gapsOf(all).map(({ text }) => text)).toEqual([
      'The rules name users that no password file has: eve.',
    ]);
  });
  expect(used).toBeLessThan(1000);
});

describe('Any access map', () => {
  it('has edges from each layer to the next only, between nodes that it has, and nodes once', () => {
    fc.assert(
      fc.property(anyState, (one) => {
        const { nodes, edges } = buildAccessMap(one, groupVersions(one.versions));
        const layerOf = new Map(nodes.map(({ id, layer }) => [id, accessLayers.indexOf(layer)]));
        expect(layerOf.size).toBe(nodes.length);
        for (const { from, to } of edges) expect(layerOf.get(to)).toBe((layerOf.get(from) ?? NaN) + 1);
      }),
    );
  });

  it('counts every version once, whether grouped or not', () => {
    fc.assert(
      fc.property(anyState, ({ versions }) => {
        const groups = groupVersions(versions);
        const keys = groups.flatMap((group) => group.versions.map(({ api }) => api));
        expect([...keys].sort()).toEqual(versions.map(({ api }) => api).sort());
        for (const { key, versions: own } of groups)
          if (own.length > 1) expect(versionsLike(versions, key)).toEqual(own);
      }),
    );
  });

  it('has as many nodes in a layer as are allowed at most, and keeps those with gaps first', () => {
    fc.assert(
      fc.property(anyState, fc.integer({ min: 2, max: 6 }), (one, max) => {
        const whole = mapOf(one);
        const { nodes, edges } = limitLayers(whole, max);
        const ids = new Set(nodes.map(({ id }) => id));
        for (const { from, to } of edges) expect([ids.has(from), ids.has(to)]).toEqual([true, true]);
        for (const layer of accessLayers) {
          const own = nodes.filter((node) => node.layer === layer);
          const all = whole.nodes.filter((node) => node.layer === layer);
          expect(own.length).toBe(Math.min(max, all.length));
          const gaps = (list: typeof own): number => list.reduce((sum, node) => sum + node.gaps.length, 0);
          expect(gaps(own)).toBe(gaps(all));
          const rest = own.find(({ id }) => id === `more:${layer}`);
          if (rest !== undefined && rest.gaps.length > 0)
            expect(own.filter((node) => node !== rest && node.gaps.length === 0)).toEqual([]);
        }
      }),
    );
  });
});
