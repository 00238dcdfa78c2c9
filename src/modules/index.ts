import type { BuiltInModules } from '../framework';

/** The modules that `config/application.json` names without a package or a path. */
export const builtInModules: BuiltInModules = {
  'content-negotiation': () => import('./content-negotiation/index.js'),
  'content-validation': () => import('./content-validation/index.js'),
  hal: () => import('./hal/index.js'),
  'mvc-auth': () => import('./mvc-auth/index.js'),
  hosting: () => import('./hosting/index.js'),
  documentation: () => import('./documentation/index.js'),
  'documentation-apidesc': () => import('./documentation-apidesc/index.js'),
  'documentation-formats': () => import('./documentation-formats/index.js'),
  operations: () => import('./operations/index.js'),
  admin: () => import('./admin/index.js'),
  atlas: () => import('./atlas/index.js'),
};
