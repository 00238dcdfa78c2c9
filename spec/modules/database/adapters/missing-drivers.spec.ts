import path from 'node:path';
import { ROOT } from '../../../factories/platform';
import { run } from '../../../factories/processes/processes';

const DIST = path.join(ROOT, 'dist/modules/database/adapters');

/** Runs an expression in a process where a package is not installed. */
async function withoutPackage(name: string, file: string, expression: string): Promise<string> {
  const code = `
    require('reflect-metadata');
    const Module = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = (specifier, ...others) => {
      if (specifier === ${JSON.stringify(name)})
        throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
      return resolve(specifier, ...others);
    };
    const { SqliteAdapter, PostgresAdapter, copySqliteFile } = require(${JSON.stringify(path.join(DIST, file))});
    const created = async () => { ${expression}; console.log('created'); };
    created().catch((error) => console.log(error.name + ': ' + error.message));`;
  return (await run(process.execPath, ['-e', code])).output.trim();
}

test('an adapter of PostgreSQL without its driver names the command that installs it', async () => {
  const expression = "new PostgresAdapter({ url: 'postgres://localhost/shop' })";
  expect(await withoutPackage('pg', 'postgres/postgres-adapter.js', expression)).toBe(
    'ConfigurationError: PostgresAdapter requires the package pg. Install it: npm install pg',
  );
});

test('an adapter of SQLite without its driver names the command that installs it, where Node.js has none', async () => {
  const expression = "new SqliteAdapter({ file: '/nowhere/shop.sqlite' })";
  const output = await withoutPackage('@photostructure/sqlite', 'sqlite/sqlite-adapter.js', expression);
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const hasSqlite = major > 22 || (major === 22 && minor >= 16);
  expect(output).toBe(
    hasSqlite
      ? 'created'
      : 'ConfigurationError: SqliteAdapter requires the package @photostructure/sqlite, or Node.js 22.16 or later. ' +
          'Install it: npm install @photostructure/sqlite',
  );
});

test('a backup of SQLite without its driver names the command that installs it', async () => {
  const expression =
    "Module.isBuiltin = () => false; await copySqliteFile('/nowhere/shop.sqlite', '/nowhere/copy')";
  expect(await withoutPackage('@photostructure/sqlite', 'sqlite/copy-file.js', expression)).toBe(
    'ConfigurationError: SqliteAdapter requires the package @photostructure/sqlite, or Node.js 22.16 or later. ' +
      'Install it: npm install @photostructure/sqlite',
  );
});
