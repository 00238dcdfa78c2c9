/** Dependency rules: see CONTRIBUTING.md. */

/** The layers of the framework, the lowest first: a layer imports only those before it. */
const layers = [
  'values',
  'text',
  'errors',
  'files',
  'logging',
  'json',
  'json-schema',
  'config',
  'events',
  'deployment',
  'container',
  'problem',
  'http',
  'routing',
  'view',
  'mvc',
  'application',
];

/** Development dependencies that the build bundles into dist/vendor: the product uses them. */
const bundled = require('./scripts/bundled.json').map(({ name }) => name);

module.exports = {
  forbidden: [
    {
      name: 'framework-imports-no-module',
      comment: 'The framework is usable without any module.',
      severity: 'error',
      from: { path: '^src/framework/' },
      to: { path: '^src/(?!framework/)' },
    },
    ...layers.map((layer, rank) => ({
      name: `framework-${layer}-imports-lower-layers-only`,
      severity: 'error',
      from: { path: `^src/framework/${layer}/` },
      to: { path: `^src/framework/(?:index\\.ts$|(?:${['none', ...layers.slice(rank + 1)].join('|')})/)` },
    })),
    {
      name: 'framework-files-belong-to-a-layer',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: `^src/framework/(?!index\\.ts$|(?:${layers.join('|')})/)` },
    },
    {
      name: 'modules-use-the-framework-through-its-index',
      severity: 'error',
      from: { path: '^src/modules/' },
      to: { path: '^src/framework/', pathNot: '^src/framework/index\\.ts$' },
    },
    {
      name: 'modules-use-each-other-through-their-index',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/[^/]+/', pathNot: ['^src/modules/$1/', '^src/modules/[^/]+/index\\.ts$'] },
    },
    {
      name: 'the-entry-points-use-layers-through-their-index',
      severity: 'error',
      from: { path: '^src/(testing/)?[^/]+\\.ts$' },
      to: { path: '^src/(framework|modules/[^/]+)/', pathNot: '/index\\.ts$' },
    },
    {
      name: 'the-authentication-protocol-imports-types-only',
      comment:
        'mvc-auth/http implements Basic and Digest over credential sources: it knows no files, and only types of the framework.',
      severity: 'error',
      from: { path: '^src/modules/mvc-auth/http/' },
      to: { path: '^src/', pathNot: '^src/modules/mvc-auth/http/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-uses-admin',
      severity: 'error',
      from: { path: '^src/modules/(?!admin/|index\\.ts$)' },
      to: { path: '^src/modules/admin/' },
    },
    {
      name: 'queries-import-no-services',
      comment: 'Services execute the queries of a table; both use its model in table/.',
      severity: 'error',
      from: { path: '^src/modules/database/(query|table)/' },
      to: { path: '^src/modules/database/service/' },
    },
    {
      name: 'the-product-uses-no-tests',
      comment: 'What authors test with is for them alone.',
      severity: 'error',
      from: { path: '^src/(?!testing/)' },
      to: { path: '^src/testing/' },
    },
    {
      name: 'no-cycles-of-types',
      comment:
        'Except for types that refer to each other: Application, Module and their events; an API and its services.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/framework/application/', '^src/modules/documentation/model/(api|service)\\.ts$'],
      },
      to: { circular: true },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-development-dependency-in-the-product',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
        pathNot: `^node_modules/(${bundled.join('|')})/`,
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
