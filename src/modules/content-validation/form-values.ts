import { isSchema, dereference, type SchemaNode } from '../../framework';

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

/** Whether a value is text, or a list of it. */
export function isText(value: unknown): value is string | string[] {
  return typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

function listsOf(schema: object): ReadonlySet<string> {
  const root: SchemaNode = { ...schema };
  const members = isSchema(root.properties) ? Object.entries(root.properties) : [];
  return new Set(members.filter(([, one]) => dereference(root, one).type === 'array').map(([name]) => name));
}
