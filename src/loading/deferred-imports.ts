/** How `scripts/deferred-imports.mjs` writes an import that is loaded on first use. */
const DEFERRED = /\bconst loaded = (?:__importDefault\()?require\("([^"]+)"\)/g;

/** Returns what a compiled module imports on first use. */
export function deferredImports(source: string): readonly string[] {
  return Array.from(source.matchAll(DEFERRED), ([, id = '']) => id);
}
