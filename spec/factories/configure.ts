import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ConfigObject } from '../../src/framework';

/** Overwrites `config/autoload/local.json` of a project, like an operator's editor. */
export function configure(root: string, local: ConfigObject | string): void {
  const text = typeof local === 'string' ? local : JSON.stringify(local, null, 2);
  writeFileSync(path.join(root, 'config/autoload/local.json'), text);
}
