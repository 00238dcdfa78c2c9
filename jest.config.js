const { readFileSync } = require('node:fs');
const { readConfigFile } = require('typescript');

const { compilerOptions } = readConfigFile('tsconfig.json', (file) => readFileSync(file, 'utf8')).config;

// inversify 8 is published as ES modules only; ts-jest turns it into CommonJS for jest.
const esModulesOnly = '(inversify|@inversifyjs)';

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/spec'],
  testMatch: ['**/*.spec.ts'],
  globalSetup: './spec/global-setup.ts',
  globalTeardown: './spec/global-teardown.ts',
  setupFiles: ['reflect-metadata'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    // As CommonJS, `import()` too: jest runs it without a flag. Types are checked by `npm run lint`.
    '^.+\\.ts$': ['ts-jest', { diagnostics: false, tsconfig: { ...compilerOptions, module: 'commonjs' } }],
    [`node_modules/${esModulesOnly}/.+\\.js$`]: [
      'ts-jest',
      {
        diagnostics: false,
        tsconfig: {
          allowJs: true,
          module: 'commonjs',
          target: 'es2022',
          isolatedModules: true,
          ignoreDeprecations: '6.0',
        },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!${esModulesOnly}/)`],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  // Only a hanging test may exceed it; in CI, also on a busy machine.
  testTimeout: process.env.CI === 'true' ? 120_000 : 20_000,
  // Most specs wait for processes and sockets: a core fewer than there are would idle.
  maxWorkers: '100%',
};
