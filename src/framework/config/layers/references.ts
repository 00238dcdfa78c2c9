/**
 * A reference to an environment variable, with all dollar signs before it. Each two of them are a literal one, so that
 * `$${NAME}` is the text `${NAME}`. It begins at the first dollar sign only: a text with many of them is searched once.
 */
const REFERENCE = /(?<!\$)(\$+)\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Returns the names of the environment variables that a text refers to. */
export function referencedNames(text: string): readonly string[] {
  return [...text.matchAll(REFERENCE)].flatMap(([, dollars = '', name = '']) =>
    isEscaped(dollars) ? [] : [name],
  );
}

/** Replaces the references in a text, and the doubled dollar signs before them. */
export function replaceReferences(text: string, valueOf: (name: string) => string): string {
  return text.replace(REFERENCE, (_, dollars: string, name: string) => {
    const literal = '$'.repeat(Math.floor(dollars.length / 2));
    return literal + (isEscaped(dollars) ? `{${name}}` : valueOf(name));
  });
}

/**
 * Returns the text that a configuration file needs for a value.
 * @example
 * escapeReferences('echo ${HOME}'); // 'echo $${HOME}'
 */
export function escapeReferences(value: string): string {
  return value.replace(REFERENCE, (_, dollars: string, name: string) => `${dollars}${dollars}{${name}}`);
}

/** Returns whether a text consists of references, and thus contains nothing that must not be displayed. */
export function hasReferencesOnly(text: string): boolean {
  return text !== '' && replaceReferences(text, () => '') === '';
}

/** Returns whether a value may have references, doubled dollar signs before them included, on any level. */
export function mayHaveReferences(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === 'string' && one.includes('${')) return true;
    if (typeof one === 'object' && one !== null)
      for (const member of Object.values(one) as unknown[]) open.push(member);
  }
  return false;
}

function isEscaped(dollars: string): boolean {
  return dollars.length % 2 === 0;
}
