// `npm run lint`: types (including specs), style, dead code and dependency rules. Skips steps that are up to date.
import { fail, run, tool } from './run.mjs';
import { setUp } from './setup.mjs';
import { filesBelow, unlessUpToDate } from './up-to-date.mjs';

const settings = [
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  '.gitignore',
  'eslint.config.mjs',
  '.prettierrc.json',
  '.prettierignore',
  '.dependency-cruiser.cjs',
  'knip.json',
  'jest.config.js',
];

const steps = [
  ['types', () => tool('typescript/bin/tsc', '-p', 'tsconfig.json')],
  // The types of all files live until its end: a young generation of 16 MB, as by default, has them copied and scanned
  // again and again, for a fifth of all processor time.
  [
    'eslint',
    () =>
      run(process.execPath, [
        '--max-semi-space-size=128',
        'node_modules/eslint/bin/eslint.js',
        '.',
        '--max-warnings',
        '0',
      ]),
  ],
  ['prettier', () => tool('prettier/bin/prettier.cjs', '--check', '.', '--log-level', 'warn')],
  ['knip', () => tool('knip/bin/knip.js', '--no-progress')],
  [
    'dependency-cruiser',
    () =>
      tool(
        'dependency-cruiser/bin/dependency-cruise.mjs',
        'src',
        '--config',
        '.dependency-cruiser.cjs',
        '--output-type',
        'err',
      ),
  ],
];

export async function lint() {
  const inputs = filesBelow(
    'src',
    'spec',
    'scripts',
    'reliability',
    'bench',
    'contract',
    'node-versions',
    'config',
    'deploy',
    'docs',
    'templates',
    'packages',
    'examples',
    'compose.yaml',
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'package.json',
    ...settings,
  );
  const runSteps = async (names) => {
    for (const [step, work] of steps.filter(([name]) => names.includes(name))) {
      const ran = await unlessUpToDate(step, inputs, work);
      console.log(`${step}: ${ran ? 'ok' : 'up to date'}`);
    }
  };
  // The linter takes as long as all others.
  const results = await Promise.allSettled([
    runSteps(['eslint']),
    runSteps(steps.map(([name]) => name).filter((name) => name !== 'eslint')),
  ]);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

if (process.argv[1] === import.meta.filename) await setUp().then(lint).catch(fail);
