/** The fields of a form: pairs of name and value. */
export type FormFields = readonly (readonly [string, string])[];

/** Replaces fields of a form. */
export function withFields(fields: FormFields, ...replaced: FormFields): FormFields {
  return [...fields.filter(([name]) => !replaced.some(([one]) => one === name)), ...replaced];
}

/**
 * The fields of the form that contains a named field, as a browser would send them: pairs of name and value, without
 * buttons.
 */
export function fieldsOf(html: string, name: string): FormFields {
  const form = [...html.matchAll(/<form[\s>][\s\S]*?<\/form>/g)].find(([one]) =>
    one.includes(`name="${name}"`),
  );
  if (form === undefined) throw new Error(`No form has a field "${name}".`);
  const fields: [string, string][] = [];
  const controls = form[0].matchAll(/<input\b([^>]*)>|<(textarea|select)\b([^>]*)>([\s\S]*?)<\/\2>/g);
  for (const [, own, tag, others, text = ''] of controls) {
    const attributes = own ?? others ?? '';
    const named = attributeOf(attributes, 'name');
    if (named === undefined) continue;
    if (/type="(checkbox|radio)"/.test(attributes)) {
      if (/\schecked/.test(attributes)) fields.push([named, attributeOf(attributes, 'value') ?? 'on']);
    } else if (tag === 'textarea') fields.push([named, unescape(text.replace(/^\r?\n/, ''))]);
    else if (tag === 'select') {
      const chosen = /<option value="([^"]*)" selected/.exec(text) ?? /<option value="([^"]*)"/.exec(text);
      fields.push([named, unescape(chosen?.[1] ?? '')]);
    } else {
      const value = attributeOf(attributes, 'value') ?? '';
      // Fields of one line have no line breaks.
      fields.push([named, attributes.includes('type="hidden"') ? value : value.replace(/[\r\n]/g, '')]);
    }
  }
  return fields;
}

function attributeOf(attributes: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined ? undefined : unescape(value);
}

function unescape(text: string): string {
  const characters: Readonly<Record<string, string>> = {
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    '#39': "'",
    '#96': '`',
  };
  return text.replace(/&(amp|lt|gt|quot|#39|#96);/g, (_, name: string) => characters[name] ?? '');
}
