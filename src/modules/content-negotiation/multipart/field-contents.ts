/** The content of a field of a form: text, or JSON, which is a part of that type. */
export type FieldContent = { readonly text: string } | { readonly json: string };

/**
 * Writes a value of JSON as the platform reads it in forms and queries: a list of texts, numbers and booleans is a
 * repeated field, and null an empty one.
 */
export function fieldContents(value: unknown): readonly FieldContent[] {
  const list: readonly unknown[] = Array.isArray(value) && !value.some(isComposite) ? value : [value];
  return list.map((one) => {
    if (typeof one === 'string') return { text: one };
    return isComposite(one)
      ? { json: JSON.stringify(one) }
      : { text: one === null ? '' : JSON.stringify(one) };
  });
}

/** Writes a value as {@link fieldContents}, where all content is text: in queries, and in URL-encoded forms. */
export function fieldTexts(value: unknown): readonly string[] {
  return fieldContents(value).map((content) => ('text' in content ? content.text : content.json));
}

function isComposite(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** The head of a part after `form-data; `. Names are encoded as by browsers (HTML, 4.10.21.8). */
export function partHead(name: string, type?: string, file?: string): string {
  const parameters = file === undefined ? '' : `; filename=${quoted(file)}`;
  return `name=${quoted(name)}${parameters}${type === undefined ? '' : `\r\nContent-Type: ${type}`}`;
}

function quoted(name: string): string {
  return `"${name.replace(/["\r\n]/g, encodeURIComponent)}"`;
}
