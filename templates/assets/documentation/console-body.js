// The body of a request: a form of its fields beside the text itself; what changes in one changes the other.
import { makeFields } from './console-fields.js';
import { element } from './dom.js';

const pretty = (value) => JSON.stringify(value, null, 2);

/** A copy with what `update` makes of the value at a path; a member that becomes undefined is left out. */
function updated(whole, [step, ...rest], update) {
  if (step === undefined) return update(whole);
  if (typeof step === 'number') {
    const list = Array.isArray(whole) ? [...whole] : [];
    list[step] = updated(list[step], rest, update);
    return list;
  }
  const { [step]: before, ...others } = Object(whole) === whole && !Array.isArray(whole) ? whole : {};
  const value = updated(before, rest, update);
  if (value === undefined) return others;
  return before === undefined ? { ...others, [step]: value } : { ...whole, [step]: value };
}

/** The members of a value as the fields of a form: a list of plain values is a field that comes several times. */
function pairsOf(value) {
  const isPlain = (one) => Object(one) !== one;
  return Object.entries(Object(value)).flatMap(([name, member]) =>
    (Array.isArray(member) && member.every(isPlain) ? member : [member])
      .filter((one) => one !== null)
      .map((one) => (isPlain(one) ? { name, text: String(one) } : { name, json: JSON.stringify(one) })),
  );
}

/** @returns the elements, and the body as it stands: `text()`, or `pairs()` for a form */
export function makeBody(description, idOf, inputFor) {
  const isJson = description.contentTypes.some((type) => /[/+]json$/.test(type));
  const { example } = description;
  const raw = element('textarea', {
    id: idOf('body'),
    rows: 8,
    spellcheck: false,
    autocomplete: 'off',
    value: example === undefined ? '' : typeof example === 'string' && !isJson ? example : pretty(example),
  });
  const label = element('label', { for: raw.id, textContent: 'Body' });
  const valueNow = () => JSON.parse(raw.value || '{}');
  const change = (path, update) => {
    try {
      const value = updated(valueNow(), path, update);
      raw.value = pretty(value === undefined ? {} : value);
    } catch {
      // What is being written by hand is not touched before it is JSON again.
      return;
    }
    show();
  };
  const fields = makeFields(description.body, { inputFor, change, idOf });
  const show = () => {
    try {
      fields.show(valueNow());
      raw.removeAttribute('aria-invalid');
    } catch {
      if (isJson) raw.setAttribute('aria-invalid', 'true');
    }
  };
  raw.addEventListener('input', show);
  show();
  const hasFields = fields.elements.length > 0;
  const summary = element('summary', { textContent: 'Body fields' });
  const fold = element('details', { open: !isJson }, summary, ...fields.elements);
  /** What a form sends, with files where there are some. */
  const pairs = () => {
    const files = [...fields.files].flatMap(([name, { files: chosen }]) =>
      [...chosen].map((file) => ({ name, file })),
    );
    try {
      const names = new Set(fields.files.keys());
      return [...pairsOf(valueNow()).filter(({ name }) => !names.has(name)), ...files];
    } catch {
      return files;
    }
  };
  const parts = [...(isJson || !hasFields ? [label, raw] : []), ...(hasFields ? [fold] : [])];
  return { parts, text: () => raw.value, pairs, inputs: fields.inputs, fold };
}
