// The inputs of the console: a label and what belongs to it.
import { element } from './dom.js';

/** A label with its input. */
export function inputFor(idOf) {
  return ({ name, label: called = name, required, description, schema, example }, kind) => {
    const id = idOf(`${kind}-${name}`);
    const choices = schema?.enum ?? (schema?.type === 'boolean' ? [true, false] : undefined);
    const input =
      choices === undefined
        ? element('input', { id, type: 'text', autocomplete: 'off', spellcheck: false })
        : element(
            'select',
            { id },
            ...['', ...choices].map((one) => element('option', { textContent: String(one) })),
          );
    if (example !== undefined && kind !== 'header')
      input.value = typeof example === 'string' ? example : JSON.stringify(example);
    const label = element('label', { for: id, title: description }, element('code', { textContent: called }));
    if (required) label.append(element('span', { className: 'required', textContent: 'required' }));
    return { row: element('div', { className: 'input' }, label, input), input };
  };
}

/** A choice among values, the first of them unless told. */
export function choice(id, label, values) {
  const input = element('select', { id }, ...values.map((one) => element('option', { textContent: one })));
  return {
    row: element('div', { className: 'input' }, element('label', { for: id, textContent: label }), input),
    input,
  };
}

/** Inputs under a title; nothing for none. */
export function group(title, rows) {
  return rows.length === 0
    ? undefined
    : element('fieldset', {}, element('legend', { textContent: title }), ...rows.map(({ row }) => row));
}
