/** The versions of TypeScript with the compiler API that openapi-typescript uses; it declares TypeScript 5 alone. */
const GENERATOR_TYPESCRIPT = '>=5 <7';

/** The TypeScript of a project. */
export interface ProjectTypescript {
  /** The installed version; undefined for none. */
  readonly version: string | undefined;
  /** Whether `overrides` of its package.json names a TypeScript for openapi-typescript. */
  readonly isOverridden: boolean;
}

/** What a generated client is made with; it imports the other packages when it runs. */
const GENERATOR = 'openapi-typescript';

/** Returns the commands that install packages: without `--force`, npm refuses a peer of another version. */
export function installCommands(
  names: readonly string[],
  versionOf: (name: string) => string,
  { version, isOverridden }: ProjectTypescript,
): readonly string[] {
  const needsGenerator = names.includes(GENERATOR);
  const imported = names.filter((name) => name !== GENERATOR).map((name) => `${name}@${versionOf(name)}`);
  const install = [
    ...(imported.length > 0 ? [`npm install ${imported.join(' ')}`] : []),
    ...(needsGenerator ? [`npm install --save-dev ${GENERATOR}@${versionOf(GENERATOR)}`] : []),
  ];
  const major = Number.parseInt(version ?? '5', 10);
  if (!needsGenerator || major < 6) return install;
  // A folder has one version of a peer: TypeScript 5 needs a folder of its own next to TypeScript 7.
  if (major > 6) return [['mkdir api-client', 'cd api-client', 'npm init --yes', ...install].join(' && ')];
  if (isOverridden) return install;
  return [`npm pkg set "overrides.${GENERATOR}.typescript=${GENERATOR_TYPESCRIPT}"`, ...install];
}
