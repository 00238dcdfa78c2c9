import { compileFunction } from 'node:vm';
import type { CopyWithLinks } from '../../content-negotiation';

/**
 * Compiles a function that copies objects with their links: a literal is created in less time than by spreading them.
 * @param names of the members that are copied, none of which is `_links` or `__proto__`
 */
export function compileCopy(names: readonly string[]): CopyWithLinks {
  const members = names.map((name) => `${JSON.stringify(name)}: value[${JSON.stringify(name)}]`);
  const code = `return { ${['_links: links', ...members].join(', ')} };`;
  return compileFunction(code, ['value', 'links'], { filename: 'response copy' }) as CopyWithLinks;
}
