import { onEachDatabase } from '../../../factories/database/table-databases';
import { bodyOf, sendJson } from '../../../factories/http/requests';

onEachDatabase(({ it, start }) => {
  it('the bounds of a CHECK are documented where JSON Schema has them: for numbers, and not for their digits', async () => {
    const platform = await start({
      script: `CREATE TABLE prices (id INTEGER PRIMARY KEY, size INTEGER CHECK (size >= 1), price NUMERIC(6, 2) CHECK (price >= 0),
        stock BIGINT CHECK (stock < 100))`,
      modules: ['documentation', 'documentation-formats'],
      services: {
        Price: {
          table_name: 'prices',
          route: '/prices[/:id]',
          columns: { id: {}, size: {}, price: {}, stock: {} },
          collection: { POST: {} },
        },
      },
    });
    const document = await platform.request('/platform/documentation/Tables-v1', {
      headers: { Accept: 'application/vnd.oai.openapi+json' },
    });
    const text = await document.text();
    expect(text).toContain('"minimum":1');
    // Tools refuse it for a type that is not a number.
    expect(text).not.toMatch(/"pattern":"[^"]*"[^{}]*"(?:exclusiveM|m)(?:in|ax)imum"/);
    const response = await platform.request('/prices', sendJson({ id: 1, price: '-1', stock: '5' }));
    expect([response.status, await bodyOf(response)]).toMatchObject([
      422,
      { errors: [{ pointer: '/price' }] },
    ]);
  });
});
