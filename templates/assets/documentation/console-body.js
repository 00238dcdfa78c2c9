// The request body: a form for its fields, and the text. A change of one updates the other.
import { createFields } from './console-fields.js';
import { element } from './dom.js';
import { t } from './text.js';

const pretty = (value) => JSON.stringify(value, null, 2);

/** Returns a copy with `update` applied to the value at a path. A member that becomes undefined is removed. */
function updateAt(whole, [step, ...rest], update) {
  if (step === undefined) return update(whole);
  if (typeof step === 'number') {
    const list = Array.isArray(whole) ? [...whole] : [];
    list[step] = updateAt(list[step], rest, update);
    return list;
  }
  const { [step]: before, ...others } = Object(whole) === whole && !Array.isArray(whole) ? whole : {};
  const value = updateAt(before, rest, update);
  if (value === undefined) return others;
  return before === undefined ? { ...others, [step]: value } : { ...whole, [step]: value };
}

/** Whether an empty field is a text, where it is null for other types. */
function mayBeEmpty({ schema }) {
  const branches = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return branches.some(
    ({ type, enum: choices, format, pattern, minLength = 0 }) =>
      [type].flat().includes('string') &&
      [choices, format, pattern].every((one) => one === undefined) &&
      minLength === 0,
  );
}

/**
 * Converts a value to form fields, as the service reads them: a list of scalars is a repeated field, and null an empty one,
 * or none for a text that may be empty.
 */
function pairsOf(value, fields) {
  const isScalar = (one) => Object(one) !== one;
  return Object.entries(Object(value)).flatMap(([name, member]) => {
    const field = fields.find((one) => one.name === name);
    const hasNull = field === undefined || !mayBeEmpty(field.items ?? field);
    return (Array.isArray(member) && member.every(isScalar) ? member : [member])
      .filter((one) => one !== null || hasNull)
      .map((one) =>
        isScalar(one) ? { name, text: String(one ?? '') } : { name, json: JSON.stringify(one) },
      );
  });
}

/** @returns the elements, and the body: `text()`, or `pairs()` for a form */
export function createBody(description, idOf, inputFor) {
  const isJson = description.contentTypes.some((type) => /[/+]json$/.test(type));
  const { example } = description;
  const raw = element('textarea', {
    id: idOf('body'),
    rows: 8,
    spellcheck: false,
    autocomplete: 'off',
    value: example === undefined ? '' : typeof example === 'string' && !isJson ? example : pretty(example),
  });
  const label = element('label', { for: raw.id, textContent: t('console.body') });
  const currentValue = () => JSON.parse(raw.value || '{}');
  const change = (path, update) => {
    try {
      const value = updateAt(currentValue(), path, update);
      raw.value = pretty(value === undefined ? {} : value);
    } catch {
      // Invalid JSON that is being edited stays unchanged.
      return;
    }
    show();
  };
  const fields = createFields(description.body, { inputFor, change, idOf });
  const show = () => {
    try {
      fields.show(currentValue());
      raw.removeAttribute('aria-invalid');
    } catch {
      if (isJson) raw.setAttribute('aria-invalid', 'true');
    }
  };
  raw.addEventListener('input', show);
  show();
  const hasFields = fields.elements.length > 0;
  const summary = element('summary', { textContent: t('console.bodyFields') });
  const fold = element('details', { open: !isJson }, summary, ...fields.elements);
  /** Returns the fields of a form, including files. */
  const pairs = () => {
    const files = [...fields.files].flatMap(([name, { files: chosen }]) =>
      [...chosen].map((file) => ({ name, file })),
    );
    try {
      const names = new Set(fields.files.keys());
      return [
        ...pairsOf(currentValue(), description.body?.fields ?? []).filter(({ name }) => !names.has(name)),
        ...files,
      ];
    } catch {
      return files;
    }
  };
  const parts = [...(isJson || !hasFields ? [label, raw] : []), ...(hasFields ? [fold] : [])];
  return { parts, text: () => raw.value, pairs, inputs: fields.inputs, fold };
}
