/** The rules of the house: see CONTRIBUTING.md. */
module.exports = {
  forbidden: [
    {
      name: 'framework-knows-no-module',
      comment: 'The framework is usable without any module.',
      severity: 'error',
      from: { path: '^src/framework/' },
      to: { path: '^src/(?!framework/)' },
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
      name: 'nothing-uses-admin',
      severity: 'error',
      from: { path: '^src/modules/(?!admin/|index\\.ts$)' },
      to: { path: '^src/modules/admin/' },
    },
    {
      name: 'the-product-uses-no-tests',
      comment: 'What authors test with is for them alone.',
      severity: 'error',
      from: { path: '^src/(?!testing/)' },
      to: { path: '^src/testing/' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-development-dependency-in-the-product',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
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
