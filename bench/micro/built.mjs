// The platform's own parts, from the measured build.
import { createRequire } from 'node:module';
import path from 'node:path';
import { built } from '../platform/project.mjs';

const require = createRequire(path.join(built, 'package.json'));
require('reflect-metadata');

/** @param {string} name of a file below `src`, without its ending */
export function part(name) {
  return require(`./dist/${name}.js`);
}
