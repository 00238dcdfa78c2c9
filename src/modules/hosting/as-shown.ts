/** The value as clients see it; undefined for what is no JSON, of which the renderer will tell. */
export function asShown(result: unknown): { readonly value: unknown } | undefined {
  try {
    const text: unknown = JSON.stringify(result);
    return { value: typeof text === 'string' ? JSON.parse(text) : null };
  } catch {
    return undefined;
  }
}
