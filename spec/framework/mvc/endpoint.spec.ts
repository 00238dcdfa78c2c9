import { MethodTable, type Endpoint } from '../../../src/framework';

const endpoint = (name: string): Endpoint => ({ name, handler: () => undefined });

describe('A method table', () => {
  it('adds HEAD for GET', () => {
    const get = endpoint('get');
    const table = new MethodTable({ GET: get, DELETE: endpoint('delete') });
    expect(table.endpoints.get('HEAD')).toBe(get);
    expect(table.allow).toBe('GET, DELETE, HEAD, OPTIONS');
  });

  it('keeps an explicit HEAD', () => {
    const head = endpoint('head');
    expect(new MethodTable({ GET: endpoint('get'), HEAD: head }).endpoints.get('HEAD')).toBe(head);
  });

  it('has no HEAD without GET', () => {
    expect(new MethodTable({ POST: endpoint('post') }).allow).toBe('POST, OPTIONS');
    expect(new MethodTable({ OPTIONS: endpoint('own') }).allow).toBe('OPTIONS');
  });
});
