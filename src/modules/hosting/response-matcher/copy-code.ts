import { compileFunction } from 'node:vm';
import type { CopyItems } from '../../content-negotiation';

/** Copies an object with one more member before its own. A member that the object lacks is undefined in the copy. */
export type CopyItem = ReturnType<CopyItems>;

/**
 * Compiles a function that copies objects with known members: a literal is created in less time than by spreading them.
 * @param first the name of the additional member
 * @param names of the members that are copied; like `first`, none is `__proto__`
 */
export function compileCopy(first: string, ...names: readonly string[]): CopyItem {
  const members = names.map((name) => `${JSON.stringify(name)}: value[${JSON.stringify(name)}]`);
  const code = `return { ${[`${JSON.stringify(first)}: first`, ...members].join(', ')} };`;
  return compileFunction(code, ['value', 'first'], { filename: 'response copy' }) as CopyItem;
}
