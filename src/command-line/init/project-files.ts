import nunjucks from 'nunjucks';

export const DATABASES = ['sqlite', 'postgres'] as const;

/** What its user decides about a new project. */
export interface ProjectChoices {
  /** The name of its package. */
  readonly name: string;
  readonly language: 'typescript' | 'javascript';
  /** Without one, the project keeps its data in memory. */
  readonly database: (typeof DATABASES)[number] | undefined;
  /** The version or location of the platform, as a dependency. */
  readonly platform: string;
}

/** The versions with which the platform itself is tested: `devDependencies` of its package.json. */
export type TestedVersions = Readonly<Record<string, string>>;

/** For development; `compose.yaml` starts the PostgreSQL of this URL. */
const ADAPTERS = {
  sqlite: { adapter: 'SqliteAdapter', options: { file: 'data/shop.sqlite' } },
  postgres: {
    adapter: 'PostgresAdapter',
    options: { url: 'postgres://shop:shop@127.0.0.1:5432/shop' },
  },
};

const DRIVERS = { sqlite: '@photostructure/sqlite', postgres: 'pg' } as const;

/**
 * Returns the files of a new project, by path from its root.
 * @param template returns the text of a file in `templates/project`
 */
export function projectFiles(
  choices: ProjectChoices,
  versions: TestedVersions,
  template: (name: string) => string,
): ReadonlyMap<string, string> {
  const { database, language } = choices;
  const isTyped = language === 'typescript';
  const source = isTyped ? 'src/shop.ts' : 'src/shop.js';
  const test = isTyped ? 'src/shop.test.ts' : 'src/shop.test.js';
  const render = (name: string): string =>
    nunjucks.renderString(template(name), { ...choices, isTyped, source, test });
  const modules = ['documentation-apidesc', 'operations', isTyped ? './dist/shop.js' : './src/shop.js'];
  return new Map([
    ['package.json', toJson(manifest(choices, versions))],
    ['config/application.json', toJson({ modules })],
    ...(database === undefined ? [] : [databaseConfiguration(database)]),
    // These have no type annotations: they are valid in both languages.
    [source, template(database === undefined ? 'shop-in-memory.ts' : 'shop-in-database.ts')],
    [test, render('shop.test.ts.njk')],
    ...(isTyped ? [['tsconfig.json', template('tsconfig.json')] as const] : []),
    ...(database === 'postgres' ? [['compose.yaml', template('compose.yaml')] as const] : []),
    ['eslint.config.js', render('eslint.config.js.njk')],
    ['Dockerfile', render('Dockerfile.njk')],
    // npm does not pack files with these names.
    ['.dockerignore', template('dockerignore')],
    ['.gitignore', template('gitignore')],
    ['README.md', render('README.md.njk')],
  ]);
}

/** The output of deleted sources would still be loaded and tested. */
const BUILD = `node -e "fs.rmSync('dist', { recursive: true, force: true })" && tsc`;

function manifest(
  { name, language, database, platform }: ProjectChoices,
  versions: TestedVersions,
): Readonly<Record<string, unknown>> {
  const tested = (...names: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(names.map((one) => [one, versions[one] ?? '*']));
  const isTyped = language === 'typescript';
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts: {
      dev: 'apidesc-platform dev',
      build: isTyped ? BUILD : 'apidesc-platform check',
      start: 'apidesc-platform serve',
      test: isTyped ? 'npm run build && node --test dist/*.test.js' : 'node --test src/*.test.js',
      lint: 'eslint --max-warnings 0',
    },
    dependencies: {
      ...(database === 'sqlite' ? tested(DRIVERS.sqlite) : {}),
      'apidesc-platform': platform,
      ...(database === 'postgres' ? tested(DRIVERS.postgres) : {}),
    },
    devDependencies: isTyped
      ? tested('@eslint/js', '@types/node', 'eslint', 'typescript', 'typescript-eslint')
      : tested('@eslint/js', 'eslint'),
    // For `apidesc-platform client`.
    ...(isTyped ? { overrides: { 'openapi-typescript': { typescript: '$typescript' } } } : {}),
  };
}

function databaseConfiguration(database: keyof typeof ADAPTERS): readonly [string, string] {
  return [
    'config/autoload/global.json',
    toJson({ 'platform-db': { adapters: { shop: ADAPTERS[database] } } }),
  ];
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
