import { isSchema, dereference, type SchemaNode } from '../../framework';

/** Converts the values of a form to the structure that its schema expects, before types are coerced. */
export function formValues(schema: object, form: unknown): Record<string, unknown> {
  const lists = listsOf(schema);
  return Object.fromEntries(
    Object.entries({ ...(typeof form === 'object' ? form : {}) }).map(([name, value]) => [
      name,
      // A name that occurs once is a list of one if the schema declares an array.
      lists.has(name) && !Array.isArray(value) ? [value] : value,
    ]),
  );
}

/** Returns the fields that are text or lists of text. */
export function textsOf(
  values: Readonly<Record<string, unknown>>,
): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string | string[]] => isText(entry[1])),
  );
}

/** Returns whether a value is text or a list of text. */
export function isText(value: unknown): value is string | string[] {
  return typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

function listsOf(schema: object): ReadonlySet<string> {
  const root: SchemaNode = { ...schema };
  const members = isSchema(root.properties) ? Object.entries(root.properties) : [];
  return new Set(members.filter(([, one]) => dereference(root, one).type === 'array').map(([name]) => name));
}
