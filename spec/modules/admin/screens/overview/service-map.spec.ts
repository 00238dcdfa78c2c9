import type { MappedService } from '../../../../../src/modules/admin/actions/dashboard/dashboard';
import type { Traffic } from '../../../../../src/modules/admin/actions/dashboard/traffic';
import { limitMap, serviceMap } from '../../../../../src/modules/admin/screens/overview/service-map';
import { servicePicture } from '../../../../../src/modules/admin/screens/overview/service-picture';

function service(name: string, requests: number, more: Partial<MappedService> = {}): MappedService {
  const traffic: Traffic = {
    requests,
    requestsPerSecond: requests / 60,
    clientErrors: 0,
    serverErrors: 0,
    seconds: 1,
    p50: 0.01,
    p95: 0.02,
    p99: 0.03,
  };
  const common = { api: 'Shop', version: 1, adapters: ['basic'], database: 'shop' };
  return { ...common, service: name, traffic: requests === 0 ? undefined : traffic, ...more };
}

const SHOP = { name: 'shop', kind: 'SqliteAdapter', target: 'data/shop.sqlite', isAvailable: true };
const url = (path: string): string => path;

describe('The map of the service', () => {
  it('leads requests from APIs over services and adapters to databases', () => {
    const { nodes, edges } = serviceMap({
      services: [
        service('Order', 90),
        service('Item', 30, { adapters: [] }),
        service('Hello', 5, { database: undefined }),
      ],
      databases: [SHOP],
    });
    const requests = Object.fromEntries(nodes.map(({ name, requests: count }) => [name, count]));
    expect(requests).toEqual({
      'Shop v1': 125,
      Order: 90,
      Item: 30,
      Hello: 5,
      basic: 95,
      shop: 120,
      'data/shop.sqlite': 120,
    });
    expect(edges).toHaveLength(3 + 2 + 2 + 1);
  });

  it('shows databases that are down, and services without requests, without dividing by zero', () => {
    const map = serviceMap({
      services: [service('Order', 0)],
      databases: [{ ...SHOP, isAvailable: false, target: undefined }],
    });
    const { columns, edges } = servicePicture(map, 0, url);
    const [database] = columns.at(-1)?.nodes ?? [];
    expect(database).toMatchObject({ title: 'cannot be opened', gap: 'Not available', kind: 'gap' });
    expect(edges.every(({ kind }) => kind === 'open')).toBe(true);
    expect(JSON.stringify(columns)).not.toMatch(/NaN|Infinity/);
  });

  it('joins the services with the fewest requests, and loses no request', () => {
    const services = Array.from({ length: 500 }, (_, at) => service(`Service${at}`, at + 1));
    const whole = serviceMap({ services, databases: [SHOP] });
    const { nodes, edges } = limitMap(whole, 10);
    const shown = nodes.filter(({ layer }) => layer === 'service');
    expect(shown).toHaveLength(10);
    expect(shown[0]?.name).toBe('Service499');
    expect(shown.at(-1)).toMatchObject({ name: '491 more services', count: 491 });
    const total = (500 * 501) / 2;
    expect(shown.reduce((sum, { requests }) => sum + requests, 0)).toBe(total);
    expect(
      edges.filter(({ to }) => to === 'adapter:basic').reduce((sum, { requests }) => sum + requests, 0),
    ).toBe(total);
    expect(edges.length).toBeLessThan(40);
  });

  it('draws more requests thicker', () => {
    const map = serviceMap({ services: [service('Busy', 9_000), service('Calm', 10)], databases: [] });
    const { edges } = servicePicture(map, 60, url);
    const weights = Object.fromEntries(edges.map(({ to, weight }) => [to, weight]));
    expect(weights['service:["Shop",1,"Busy"]']).toBe(5);
    expect(weights['service:["Shop",1,"Calm"]']).toBe(1);
  });
});
