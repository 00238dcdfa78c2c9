import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ConfigObject } from '../../src/framework';

/** Writes what `config/autoload/local.json` of a project says from now on, as an operator's editor does. */
export function configure(root: string, local: ConfigObject | string): void {
  const text = typeof local === 'string' ? local : JSON.stringify(local, null, 2);
  writeFileSync(path.join(root, 'config/autoload/local.json'), text);
}
