import { MethodTable, type Endpoint } from '../../../src/framework';

const endpoint = (name: string): Endpoint => ({ name, handler: () => undefined });

describe('The operations at one address', () => {
  it('have HEAD where they have GET', () => {
    const get = endpoint('get');
    const table = new MethodTable({ GET: get, DELETE: endpoint('delete') });
    expect(table.endpoints.get('HEAD')).toBe(get);
    expect(table.allow).toBe('GET, DELETE, HEAD, OPTIONS');
  });

  it('keep a HEAD of their own', () => {
    const head = endpoint('head');
    expect(new MethodTable({ GET: endpoint('get'), HEAD: head }).endpoints.get('HEAD')).toBe(head);
  });

  it('have no HEAD where they have no GET', () => {
    expect(new MethodTable({ POST: endpoint('post') }).allow).toBe('POST, OPTIONS');
  });
});
