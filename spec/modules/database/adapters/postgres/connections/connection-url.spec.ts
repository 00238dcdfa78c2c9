import { postgresFactory } from '../../../../../../src/modules/database/adapters/adapter-factories';
import { PostgresAdapter } from '../../../../../../src/modules/database/adapters/postgres/postgres-adapter';

it.each([
  'shop',
  'not a url',
  'localhost:5432/shop',
  'mysql://ann:hush@localhost/shop',
  'http://localhost/shop',
])('%j is not a URL of PostgreSQL, and is not repeated', (url) => {
  const open = (): unknown => new PostgresAdapter({ url });
  expect(open).toThrow('Expected: postgres://user:password@host:5432/database');
  expect(open).not.toThrow('hush');
});

it('the error of a configured URL names its key', () => {
  const open = (): unknown => postgresFactory.open({ url: 'mysql://a/b' }, { name: 'shop', root: '/' });
  expect(open).toThrow(
    'platform-db.adapters.shop.options.url is not valid. Expected: postgres://user:password@host:5432/database',
  );
});

it.each([
  ['/missing/ca.pem', 'The url names the file /missing/ca.pem, which cannot be read (ENOENT).'],
  // A container has a folder in place of a file that is missing on its host.
  ['/', 'The url names a file that cannot be read (EISDIR).'],
])('a URL with a certificate that cannot be read says so, without the password: %s', (file, message) => {
  const url = `postgres://ann:hush@localhost/shop?sslmode=verify-full&sslrootcert=${file}`;
  const open = (): unknown => new PostgresAdapter({ url }, 'The url');
  expect(open).toThrow(message);
  expect(open).not.toThrow('hush');
});

it.each([
  ['postgres://ann:hush@db.example:5433/shop', 'db.example:5433/shop'],
  ['postgresql://db.example/shop', 'db.example:5432/shop'],
  ['socket:/run/postgresql?db=shop', '/run/postgresql:5432/shop'],
  ['/run/postgresql shop', '/run/postgresql:5432/shop'],
])('%j is a URL of PostgreSQL', async (url, target) => {
  const adapter = new PostgresAdapter({ url });
  expect(adapter.target).toBe(target);
  await adapter.close();
});
