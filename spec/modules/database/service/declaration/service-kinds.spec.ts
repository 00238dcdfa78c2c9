import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ROOT } from '../../../../factories/platform';

it('the module loads Kysely and the services over tables only if a project uses them', () => {
  const script = `require('./dist/modules/database');
    const unused = Object.keys(require.cache).filter((file) => /kysely\\.js|table-service\\.js|procedure-service\\.js/.test(file));
    console.log(JSON.stringify(unused));`;
  const { stdout } = spawnSync(process.execPath, ['-e', script], {
    cwd: path.resolve(ROOT),
    encoding: 'utf8',
  });
  expect(JSON.parse(stdout)).toEqual([]);
});
