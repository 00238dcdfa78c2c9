/** The versions of TypeScript with the compiler API that openapi-typescript uses; it declares TypeScript 5 alone. */
const GENERATOR_TYPESCRIPT = '>=5 <7';

/** The TypeScript of a project. */
export interface ProjectTypescript {
  /** The installed version; undefined for none. */
  readonly version: string | undefined;
  /** Whether `overrides` of its package.json names a TypeScript for openapi-typescript. */
  readonly isOverridden: boolean;
}

/** Returns the commands that install packages: without `--force`, npm refuses a peer of another version. */
export function installCommands(
  names: readonly string[],
  versionOf: (name: string) => string,
  { version, isOverridden }: ProjectTypescript,
): readonly string[] {
  const install = `npm install --save-dev ${names.map((name) => `${name}@${versionOf(name)}`).join(' ')}`;
  const major = Number.parseInt(version ?? '5', 10);
  if (!names.includes('openapi-typescript') || major < 6) return [install];
  // A folder has one version of a peer: TypeScript 5 needs a folder of its own next to TypeScript 7.
  if (major > 6) return [`mkdir api-client && cd api-client && npm init --yes && ${install}`];
  if (isOverridden) return [install];
  return [`npm pkg set "overrides.openapi-typescript.typescript=${GENERATOR_TYPESCRIPT}"`, install];
}
