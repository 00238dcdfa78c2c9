import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { objectOf, type JsonObject, errorMessage } from '../../framework';
import { UsageError } from '../usage-error';
import { installCommands, type ProjectTypescript } from './install-commands';

/** What a generated client imports, and what generates it: they are installed in the project of its author. */
const PACKAGES = ['openapi-typescript', 'openapi-fetch', 'apidesc-platform'] as const;

const OWN_MANIFEST = path.join(__dirname, '../../../package.json');

/** Returns the declarations of an OpenAPI document. */
export type Generator = (document: JsonObject) => Promise<string>;

/** The parts of openapi-typescript that are used. */
interface OpenapiTypescript {
  readonly default: (document: JsonObject, options: object) => Promise<object>;
  readonly astToString: (nodes: object) => string;
}

/**
 * Finds openapi-typescript in a project, and loads it with the first document.
 * @param folder of the project
 * @throws UsageError with the command that installs what is missing
 */
export function findGenerator(folder: string): Generator {
  const from = createRequire(path.join(folder, 'package.json'));
  const missing = PACKAGES.filter((name) => !isInstalled(from, name));
  if (missing.length > 0) {
    const { version, devDependencies } = JSON.parse(readFileSync(OWN_MANIFEST, 'utf8')) as {
      readonly version: string;
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    const versionOf = (name: string): string => devDependencies[name] ?? version;
    const commands = installCommands(missing, versionOf, typescriptOf(from));
    throw new UsageError(
      `The client needs ${missing.join(' and ')}, not found from ${folder}. Install with:\n${commands.map((one) => `  ${one}\n`).join('')}Then run this command again.`,
    );
  }
  return async (document) => {
    const { default: generate, astToString } = load(from, folder);
    return astToString(
      await generate(document, {
        silent: true,
        // Members with a default are optional in requests.
        defaultNonNullable: false,
      }),
    );
  };
}

function isInstalled(from: NodeJS.Require, name: (typeof PACKAGES)[number]): boolean {
  try {
    from.resolve(name === 'apidesc-platform' ? `${name}/client` : name);
    return true;
  } catch {
    return false;
  }
}

function typescriptOf(from: NodeJS.Require): ProjectTypescript {
  const { version } = objectOf(jsonOf(from, 'typescript/package.json'));
  const { overrides } = objectOf(jsonOf(from, './package.json'));
  return {
    version: typeof version === 'string' ? version : undefined,
    isOverridden: objectOf(objectOf(overrides)['openapi-typescript']).typescript !== undefined,
  };
}

/** Returns a JSON file of a project; undefined if there is none. */
function jsonOf(from: NodeJS.Require, file: string): unknown {
  try {
    return from(file);
  } catch {
    return undefined;
  }
}

/** @throws UsageError if it cannot be loaded, such as with a TypeScript that has no compiler API */
function load(from: NodeJS.Require, folder: string): OpenapiTypescript {
  try {
    return from('openapi-typescript') as OpenapiTypescript;
  } catch (error) {
    throw new UsageError(
      `openapi-typescript cannot be loaded from ${folder}, with TypeScript ${typescriptOf(from).version ?? '(missing)'}: ${errorMessage(error)}. It needs TypeScript 5 or 6.`,
      { cause: error },
    );
  }
}
