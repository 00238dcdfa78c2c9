// The body of a request: a form of its simple fields beside the text itself; what changes in one changes the other.
import { element } from './dom.js';

const pretty = (value) => JSON.stringify(value, null, 2);

/** The fields that hold one value, each with the names that lead to it. */
function leaves(fields, above = []) {
  return fields.flatMap((field) => {
    const path = [...above, field.name];
    return field.fields.length > 0 ? leaves(field.fields, path) : [{ ...field, path }];
  });
}

const valueAt = (value, path) => path.reduce((inner, name) => Object(inner)[name], value);

/** A copy with a value at a path, or without one where it is undefined. */
function withValue(whole, [name, ...rest], value) {
  const copy = { ...(Object(whole) === whole && !Array.isArray(whole) ? whole : {}) };
  const inner = rest.length === 0 ? value : withValue(copy[name], rest, value);
  delete copy[name];
  return inner === undefined ? copy : { ...copy, [name]: inner };
}

/** What was typed, as the field's type: a text that is no number or JSON stays a text, for the server to refuse. */
function typed(text, { schema }) {
  if (text === '') return undefined;
  const types = [schema.type].flat();
  if (types.includes('string') && text !== 'null') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const shown = (value) =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

const isFile = ({ schema }) => schema['x-file'] !== undefined;

function asFile(input) {
  input.type = 'file';
  return input;
}

/** @returns the elements, and `text()`: the body as it stands */
export function makeBody(description, idOf, inputFor) {
  const isJson = description.contentTypes.some((type) => /[/+]json$/.test(type));
  const raw = element('textarea', {
    id: idOf('body'),
    rows: 8,
    spellcheck: false,
    autocomplete: 'off',
    value:
      description.example === undefined
        ? ''
        : isJson
          ? pretty(description.example)
          : String(description.example),
  });
  const label = element('label', { for: raw.id, textContent: 'Body' });
  const inputs = new Map();
  const rows = leaves(description.fields).map((field) => {
    const { row, input } = inputFor({ ...field, name: field.path.join('.') }, 'field');
    inputs.set(`/${field.path.join('/')}`, input);
    if (isFile(field)) return { row, input: asFile(input), field };
    input.addEventListener('input', () => {
      try {
        raw.value = pretty(withValue(JSON.parse(raw.value || '{}'), field.path, typed(input.value, field)));
      } catch {
        // What is being written by hand is not touched before it is JSON again.
      }
    });
    return { row, input, field };
  });
  const fill = () => {
    try {
      const value = JSON.parse(raw.value || '{}');
      for (const { input, field } of rows)
        if (!isFile(field)) input.value = shown(valueAt(value, field.path));
    } catch {
      // The same the other way round.
    }
  };
  raw.addEventListener('input', fill);
  fill();
  const fold = element(
    'details',
    { open: !isJson },
    element('summary', { textContent: 'Fields of the body' }),
  );
  fold.append(...rows.map(({ row }) => row));
  /** The fields as a form sends them, each under its own name, with files where there are some. */
  const form = () => {
    const data = new FormData();
    for (const { input, field } of rows) {
      for (const file of input.files ?? []) data.append(field.path.join('.'), file);
      if (!isFile(field) && input.value !== '') data.append(field.path.join('.'), input.value);
    }
    return data;
  };
  const parts = [...(isJson || rows.length === 0 ? [label, raw] : []), ...(rows.length > 0 ? [fold] : [])];
  return { parts, text: () => raw.value, form, inputs, fold };
}
