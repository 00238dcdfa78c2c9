const { readFileSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { readConfigFile } = require('typescript');

const { compilerOptions } = readConfigFile('tsconfig.json', (file) => readFileSync(file, 'utf8')).config;

// Packages as one file each, as in the package: a suite loads hundreds of modules less.
const bundles = Object.fromEntries(
  JSON.parse(readFileSync('scripts/bundled.json', 'utf8'))
    // Those of which several modules are loaded have them as members of their bundle.
    .filter((one) => one.paths === undefined && one.in === undefined)
    .map(({ name }) => [`^${name}$`, `<rootDir>/dist/vendor/${name.slice(name.lastIndexOf('/') + 1)}.js`]),
);

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: './spec/setup/test-environment.cjs',
  roots: ['<rootDir>/spec'],
  testMatch: ['**/*.spec.ts'],
  testSequencer: './spec/setup/test-sequencer.cjs',
  globalSetup: './spec/setup/global-setup.ts',
  globalTeardown: './spec/setup/global-teardown.ts',
  setupFiles: ['reflect-metadata'],
  moduleNameMapper: { ...bundles, '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    // As CommonJS, `import()` too: jest runs it without a flag. Types are checked by `npm run lint`.
    '^.+\\.ts$': ['ts-jest', { diagnostics: false, tsconfig: { ...compilerOptions, module: 'commonjs' } }],
  },
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  // Only a hanging test may exceed it; in CI, also on a busy machine.
  testTimeout: process.env.CI === 'true' ? 120_000 : 20_000,
  // Most specs wait for processes and sockets: with a worker per core, half of the processor time was unused.
  maxWorkers: availableParallelism() + 2,
};
