/* eslint-disable @typescript-eslint/no-require-imports -- import() of what is CommonJS looks through each file, and all
   that it exports again, for names that nobody asks for: a tenth of a second at every start. */
import type { BuiltInModules } from '../framework';

/** The modules that `config/application.json` names without a package or a path. */
export const builtInModules: BuiltInModules = {
  'content-negotiation': (): unknown => require('./content-negotiation'),
  'content-validation': (): unknown => require('./content-validation'),
  hal: (): unknown => require('./hal'),
  'mvc-auth': (): unknown => require('./mvc-auth'),
  hosting: (): unknown => require('./hosting'),
  documentation: (): unknown => require('./documentation'),
  'documentation-apidesc': (): unknown => require('./documentation-apidesc'),
  'documentation-formats': (): unknown => require('./documentation-formats'),
  operations: (): unknown => require('./operations'),
  admin: (): unknown => require('./admin'),
  atlas: (): unknown => require('./atlas'),
};
