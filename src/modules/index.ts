import { createRequire } from 'node:module';
import type { BuiltInModules } from '../framework';

// `import()` of what is CommonJS would look through each file, and all that it exports again, for names that nobody
// asks for, at every start.
const load = createRequire(__filename);

/** The modules that `config/application.json` names without a package or a path. */
export const builtInModules: BuiltInModules = {
  'content-negotiation': (): unknown => load('./content-negotiation'),
  'content-validation': (): unknown => load('./content-validation'),
  hal: (): unknown => load('./hal'),
  'mvc-auth': (): unknown => load('./mvc-auth'),
  hosting: (): unknown => load('./hosting'),
  documentation: (): unknown => load('./documentation'),
  'documentation-apidesc': (): unknown => load('./documentation-apidesc'),
  'documentation-formats': (): unknown => load('./documentation-formats'),
  operations: (): unknown => load('./operations'),
  admin: (): unknown => load('./admin'),
  atlas: (): unknown => load('./atlas'),
};
