import { bodyOf, sendJson } from '../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

onEachDatabase(({ it, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE people (id VARCHAR(9) PRIMARY KEY, email VARCHAR(40), name VARCHAR(40), pin VARCHAR(9), hidden TEXT);
        CREATE UNIQUE INDEX people_email ON people (lower(email));
        CREATE UNIQUE INDEX people_name ON people (name, (coalesce(pin, 'none')));
        CREATE UNIQUE INDEX people_pin ON people (replace(pin, '-', ''));
        INSERT INTO people VALUES ('a', 'ada@example.com', 'Ada', '1-2', NULL);`,
      services: {
        Person: {
          table_name: 'people',
          route: '/people[/:id]',
          columns: { id: {}, email: {}, name: {}, pin: {} },
          collection: { POST: {} },
        },
      },
    });
  }, 60_000);

  const refusal = async (id: string, values: object): Promise<unknown> => {
    const response = await platform.request('/people', sendJson({ id, ...values }));
    const { detail, errors } = await bodyOf(response);
    return { status: response.status, detail, errors };
  };

  it('names the expression of visible columns that a unique index compares', async () => {
    expect(await refusal('b', { email: 'ADA@example.com', pin: '3' })).toEqual({
      status: 409,
      detail: 'An entity of Person with the same lower(email) already exists.',
      errors: [{ pointer: '/email', keyword: 'unique', message: 'is taken: lower(email) is the same' }],
    });
  });

  it('names the columns of an index with expressions that are not shown', async () => {
    expect(await refusal('c', { pin: '12' })).toEqual({
      status: 409,
      detail: 'An entity of Person already exists for which the database derives the same value from pin.',
      errors: [
        {
          pointer: '/pin',
          keyword: 'unique',
          message: 'is taken: the database derives the same value from it',
        },
      ],
    });
  });

  it('says that columns are the same that an index compares as they are', async () => {
    expect(await refusal('a', { pin: '4' })).toMatchObject({
      detail: 'An entity of Person with the same id already exists.',
      errors: [{ pointer: '/id', message: 'is taken' }],
    });
  });
});
