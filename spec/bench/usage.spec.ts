import path from 'node:path';
import { ROOT } from '../factories/platform';
import { run } from '../factories/processes/processes';

it('The benchmark lists its options and measurements with --help, and measures nothing', async () => {
  const { code, output } = await run(process.execPath, [
    path.join(ROOT, 'scripts/bench.mjs'),
    'json',
    '--help',
  ]);
  expect(code).toBe(0);
  expect(output).toMatch(/^Usage: npm run bench -- /);
  for (const word of ['--rounds', '--seconds', '--warmup', '--node', 'db-key', 'attack', 'micro'])
    expect(output).toContain(`\n  ${word} `);
});
