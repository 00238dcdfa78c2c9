// The labelled inputs of the console.
import { setBounds } from './console-bounds.js';
import { element } from './dom.js';
import { t } from './text.js';

export function inputFor(idOf) {
  return ({ name, label: text = name, required, description, schema, example, isLong }, kind) => {
    const id = idOf(`${kind}-${name}`);
    const shared = { id, autocomplete: 'off', spellcheck: false };
    const choices = schema?.enum ?? (schema?.type === 'boolean' ? [true, false] : undefined);
    const input =
      choices === undefined
        ? isLong
          ? element('textarea', { rows: 3, ...shared })
          : element('input', { type: 'text', ...shared })
        : element(
            'select',
            { id },
            element('option'),
            ...choices.map((one, at) => option(String(one), schema['x-titles']?.[at])),
          );
    setBounds(input, schema, required);
    if (example !== undefined && kind !== 'header')
      input.value = typeof example === 'string' ? example : JSON.stringify(example);
    const label = element('label', { for: id, title: description }, element('code', { textContent: text }));
    if (required)
      label.append(' ', element('span', { className: 'required', textContent: t('console.required') }));
    const values = () => (input.value === '' ? [] : [input.value]);
    return { row: element('div', { className: 'input' }, label, input), input, values };
  };
}

/** An option that shows the title of its value. The value is set: that of a text would have single spaces. */
function option(value, title = '') {
  return element('option', { value, textContent: title === '' ? value : `${value}: ${title}` });
}

/** A select of values; defaults to the first. */
export function choice(id, label, values) {
  const input = element('select', { id }, ...values.map((one) => option(one)));
  return {
    row: element('div', { className: 'input' }, element('label', { for: id, textContent: label }), input),
    input,
  };
}

/** Inputs with a title; undefined if there are none. */
export function group(title, rows) {
  return rows.length === 0
    ? undefined
    : element('fieldset', {}, element('legend', { textContent: title }), ...rows.map(({ row }) => row));
}
