import { fieldPart, writeParts } from '../../../../factories/http/multipart';
import { bodyOf } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    const yes = dialect === 'sqlite' ? '1' : 'true';
    platform = await start({
      script: `CREATE TABLE visits (
          id VARCHAR(9) PRIMARY KEY, guests INTEGER, price FLOAT, paid BOOLEAN, day DATE, note TEXT,
          rooms INTEGER NOT NULL, open BOOLEAN NOT NULL DEFAULT ${yes}, data JSON
        );
        INSERT INTO visits VALUES ('a', 2, 1.5, ${yes}, '2026-01-31', 'late', 1, ${yes}, NULL);`,
      services: {
        Visit: {
          table_name: 'visits',
          route: '/visits[/:id]',
          content_type: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
          columns: {
            id: {},
            guests: {},
            price: {},
            paid: {},
            day: {},
            note: {},
            rooms: {},
            open: {},
            data: {},
          },
          collection: { POST: {} },
          entity: { GET: {}, PUT: {}, PATCH: {} },
        },
      },
    });
  }, 60_000);

  const patch = async (body: URLSearchParams | FormData): Promise<Record<string, unknown>> => {
    const response = await platform.request('/visits/a', { method: 'PATCH', body });
    return { status: response.status, ...(await bodyOf(response)) };
  };
  const multipart = (values: Readonly<Record<string, string>>): FormData => {
    const form = new FormData();
    for (const [name, value] of Object.entries(values)) form.set(name, value);
    return form;
  };

  it('a form changes what it names, by the types of the columns', async () => {
    const changed = { status: 200, guests: 3, price: 2.5, paid: false, note: 'late', rooms: 1, open: true };
    expect(await patch(new URLSearchParams({ guests: '3', price: '2.5', paid: 'false' }))).toMatchObject(
      changed,
    );
    expect(await patch(multipart({ guests: '4', paid: 'true' }))).toMatchObject({
      ...changed,
      guests: 4,
      paid: true,
    });
  });

  it('an empty field clears a number, a boolean or a date that may be null, and is an empty text', async () => {
    const empty = { guests: '', paid: '', day: '', note: '' };
    const cleared = { status: 200, guests: null, paid: null, day: null, note: '', rooms: 1 };
    expect(await patch(new URLSearchParams(empty))).toMatchObject({ ...cleared, price: 2.5 });
    expect(await patch(multipart({ price: '' }))).toMatchObject({ ...cleared, price: null });
  });

  it('an empty field is an error where the column may not be null', async () => {
    expect(await patch(new URLSearchParams({ rooms: '' }))).toMatchObject({
      status: 422,
      errors: [{ pointer: '/rooms', keyword: 'type' }],
    });
    expect(await patch(new URLSearchParams({ open: '' }))).toMatchObject({ status: 422 });
  });

  it('a number with more digits than a double is refused, as in JSON, and not rounded', async () => {
    const refused = (pointer: string) => ({ status: 422, errors: [{ pointer, keyword: 'precision' }] });
    for (const price of ['12345678901234567.123', '0.12345678901234567890', '+1e-400']) {
      expect(await patch(new URLSearchParams({ price }))).toMatchObject(refused('/price'));
      expect(await patch(multipart({ price }))).toMatchObject(refused('/price'));
    }
    expect(await patch(new URLSearchParams({ guests: '2.00000000000000001' }))).toMatchObject(
      refused('/guests'),
    );
    for (const price of ['0.10000000000000001', '+1.50', '012.5e1'])
      expect(await patch(new URLSearchParams({ price, note: '12345678901234567.123' }))).toMatchObject({
        status: 200,
        price: Number(price),
        note: '12345678901234567.123',
      });
  });

  it('a number in a JSON field that has more digits than a double is refused', async () => {
    const patchData = async (text: string): Promise<unknown> => {
      const response = await platform.request('/visits/a', {
        method: 'PATCH',
        headers: { 'Content-Type': 'multipart/form-data; boundary=edge' },
        body: new Uint8Array(writeParts([fieldPart('data', text, 'Content-Type: application/json')])),
      });
      return { status: response.status, ...(await bodyOf(response)) };
    };
    expect(await patchData('{"n":[1,0.12345678901234567890123]}')).toMatchObject({
      status: 422,
      errors: [{ pointer: '/data/n/1', keyword: 'precision' }],
    });
    expect(await patchData('{"n":1e400}')).toMatchObject({ status: 422, errors: [{ pointer: '/data/n' }] });
    expect(await patchData('{"n":0.5}')).toMatchObject({ status: 200, data: { n: 0.5 } });
  });

  it('a PUT with empty fields stores the same', async () => {
    const body = new URLSearchParams({ guests: '', price: '', paid: '', day: '', rooms: '2' });
    const response = await platform.request('/visits/a', { method: 'PUT', body });
    expect([response.status, await bodyOf(response)]).toMatchObject([
      200,
      { guests: null, price: null, paid: null, day: null, rooms: 2 },
    ]);
  });
});
