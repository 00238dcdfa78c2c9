import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BuiltInModules } from '../framework';

// `import()` of CommonJS parses every file and its re-exports for export names, at every start.
const load = require;

/** The sample API is part of the repository, and excluded from the package by `files` in package.json. */
const sample: BuiltInModules = existsSync(path.join(__dirname, 'atlas'))
  ? { atlas: (): unknown => load('./atlas') }
  : {};

/** The modules that `config/application.json` lists by name, without a package or a path. */
export const builtInModules: BuiltInModules = {
  cluster: (): unknown => load('./cluster'),
  'content-negotiation': (): unknown => load('./content-negotiation'),
  'content-validation': (): unknown => load('./content-validation'),
  hal: (): unknown => load('./hal'),
  'mvc-auth': (): unknown => load('./mvc-auth'),
  hosting: (): unknown => load('./hosting'),
  database: (): unknown => load('./database'),
  'static-files': (): unknown => load('./static-files'),
  documentation: (): unknown => load('./documentation'),
  'documentation-apidesc': (): unknown => load('./documentation-apidesc'),
  'documentation-formats': (): unknown => load('./documentation-formats'),
  openid: (): unknown => load('./openid'),
  operations: (): unknown => load('./operations'),
  admin: (): unknown => load('./admin'),
  ...sample,
};
