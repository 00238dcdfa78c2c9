/** What a form holds, as its schema wants it before text is turned into other types. */
export function formValues(schema: object, form: unknown): Record<string, unknown> {
  const lists = listsOf(schema);
  return Object.fromEntries(
    Object.entries({ ...(typeof form === 'object' ? form : {}) }).map(([name, value]) => [
      name,
      // A name that comes once is a list of one where the schema wants a list.
      lists.has(name) && !Array.isArray(value) ? [value] : value,
    ]),
  );
}

/** The fields that are text, or lists of it. */
export function textsOf(
  values: Readonly<Record<string, unknown>>,
): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string | string[]] => isText(entry[1])),
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

function listsOf(schema: object): ReadonlySet<string> {
  const properties: unknown = 'properties' in schema ? schema.properties : undefined;
  const entries: [string, unknown][] = Object.entries({
    ...(typeof properties === 'object' ? properties : {}),
  });
  return new Set(
    entries
      .filter(([, one]) => typeof one === 'object' && one !== null && 'type' in one && one.type === 'array')
      .map(([name]) => name),
  );
}
