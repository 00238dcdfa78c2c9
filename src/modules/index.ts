import { createRequire } from 'node:module';
import type { BuiltInModules } from '../framework';

// `import()` would look through each of them and all that they export for names that nobody asks for.
const load = createRequire(__filename);

/** The modules that `config/application.json` names without a package or a path: the folders here. */
export const builtInModules: BuiltInModules = Object.fromEntries(
  [
    'content-negotiation',
    'content-validation',
    'hal',
    'mvc-auth',
    'hosting',
    'documentation',
    'documentation-apidesc',
    'documentation-formats',
    'operations',
    'admin',
    'atlas',
  ].map((name) => [name, () => load(`./${name}`) as unknown]),
);
