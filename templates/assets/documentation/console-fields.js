// The fields of a body as inputs: scalars, members of objects, and lists of variable length.
import { isNumeric } from './console-bounds.js';
import { createVariants } from './console-variants.js';
import { element } from './dom.js';
import { memberOf } from './member.js';
import { t } from './text.js';

const isFile = ({ schema }) => schema['x-file'] !== undefined;
const typesOf = ({ schema }) => [schema.type].flat();
const SIMPLE = ['string', 'number', 'integer'];
const isText = (field) => typesOf(field).includes('string');
const isNumber = (field) => typesOf(field).some((type) => type === 'number' || type === 'integer');

/** Numbers that inputs accept, and JSON does not: `.5`, `007`. */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** RFC 6901. */
const pointerTo = (path) =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Converts input to the type of the field. Other text is unchanged, for the server to reject. */
function parseInput(text, field, isItem) {
  // An empty member is omitted; an empty item of a list remains until it is removed.
  if (text === '') return isItem ? emptyOf(field) : undefined;
  const choice = field.schema.enum?.find((one) => String(one) === text);
  if (choice !== undefined) return choice;
  if (isText(field) && !(text === 'null' && typesOf(field).includes('null'))) return text;
  try {
    return JSON.parse(text);
  } catch {
    return isNumber(field) && DECIMAL.test(text) ? Number(text) : text;
  }
}

/** The value of a new list item. */
function emptyOf(field) {
  if (field.items !== undefined) return [];
  if (field.fields.length > 0 || field.alternatives?.some(({ fields }) => fields.length > 0)) return {};
  return isText(field) && field.schema.enum === undefined ? '' : null;
}

const display = (value, isLong) =>
  value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, isLong ? 2 : undefined);

/**
 * Creates inputs for the fields of a body; none for one that is edited as text only.
 * @param change `(path, update)`: applies `update` to the value at a path, and displays the result
 * @returns the elements; `show` for a whole value; inputs by JSON Pointer; file inputs by path
 */
export function createFields(body, { inputFor, change, idOf }) {
  const inputs = new Map();
  const files = new Map();

  const single = (field, path, label) => {
    const pointer = pointerTo(path);
    const isScalar = typesOf(field).some((type) => SIMPLE.includes(type));
    const isLong = !isScalar && field.schema.enum === undefined && !isFile(field.items ?? field);
    const { row, input } = inputFor({ ...field, label, isLong, name: path.join('.') }, 'field');
    inputs.set(pointer, input);
    const [isOfFiles, isItem] = [isFile(field.items ?? field), typeof path.at(-1) === 'number'];
    if (isOfFiles) {
      Object.assign(input, { type: 'file', multiple: field.items !== undefined });
      files.set(path.join('.'), input);
    } else if (isLong && field.schema.type !== 'boolean')
      input.placeholder = /string/.test(field.type) ? field.type : `JSON: ${field.type}`;
    input.addEventListener('input', () => {
      if (!isOfFiles) change(path, () => parseInput(input.value, field, isItem));
    });
    const show = (value) => {
      if (isOfFiles || input === document.activeElement) return;
      // An input for numbers cannot show another value.
      if (isNumeric(field.schema))
        input.type = value === null || ['number', 'undefined'].includes(typeof value) ? 'number' : 'text';
      input.value = display(value, isLong);
    };
    return { element: row, input, show, forget: () => inputs.delete(pointer) };
  };

  const fieldset = ({ description, required }, label, ...children) => {
    const legend = element('legend', { title: description }, element('code', { textContent: label }));
    if (required)
      legend.append(' ', element('span', { className: 'required', textContent: t('console.required') }));
    return element('fieldset', { className: 'members' }, legend, ...children);
  };

  const object = (field, path, label) => {
    const parts = field.fields.map((member) => [member.name, part(member, [...path, member.name])]);
    return {
      element: fieldset(field, label, ...parts.map(([, member]) => member.element)),
      input: parts[0][1].input,
      show: (value) => parts.forEach(([name, member]) => member.show(memberOf(value, name))),
      forget: () => parts.forEach(([, member]) => member.forget()),
    };
  };

  const list = (field, path, label) => {
    const items = element('div');
    const add = element('button', { type: 'button', textContent: t('console.add', { name: label }) });
    const parts = [];
    const addItem = () => {
      const at = parts.length;
      const one = part(field.items, [...path, at], `${label} ${at + 1}`);
      const remove = element('button', {
        type: 'button',
        className: 'cancel',
        textContent: t('console.remove'),
        'aria-label': t('console.removeItem', { name: label, number: at + 1 }),
      });
      remove.addEventListener('click', () => {
        change(path, (before) => {
          const remaining = (Array.isArray(before) ? before : []).filter((_, other) => other !== at);
          return remaining.length === 0 && !field.required ? undefined : remaining;
        });
        add.focus();
      });
      const item = element('div', { className: 'place' }, one.element, remove);
      parts.push({ ...one, item });
      items.append(item);
    };
    const removeItem = () => {
      const { item, forget } = parts.pop();
      forget();
      item.remove();
    };
    add.addEventListener('click', () => {
      change(path, (before) => [...(Array.isArray(before) ? before : []), emptyOf(field.items)]);
      (parts.at(-1)?.input ?? add).focus();
    });
    return {
      element: fieldset(field, label, items, add),
      input: add,
      show: (value) => {
        const values = Array.isArray(value) ? value : [];
        add.disabled = values.length >= (field.schema?.maxItems ?? Infinity);
        while (parts.length < values.length) addItem();
        while (parts.length > values.length) removeItem();
        parts.forEach((one, at) => one.show(values[at]));
      },
      forget: () => {
        while (parts.length > 0) removeItem();
      },
    };
  };

  /** An alternative without members of its own. */
  const nothing = () => ({ element: '', show: () => undefined, forget: () => undefined });

  function part(field, path, label = field.name, isAlternative = false) {
    if (field.alternatives !== undefined) {
      return createVariants(field, path, label, { part, change, idOf, fieldset });
    }
    if (field.items !== undefined && !isFile(field.items)) return list(field, path, label);
    if (isAlternative && field.fields.length === 0 && field.type.startsWith('object')) return nothing();
    return (field.fields.length > 0 ? object : single)(field, path, label);
  }

  const whole = body === undefined ? undefined : wholeOf(body);
  return {
    elements: whole === undefined ? [] : [whole.element],
    show: (value) => whole?.show(value),
    inputs,
    files,
  };

  function wholeOf(field) {
    if (field.alternatives !== undefined) return part(field, [], '');
    const parts = field.fields.map((member) => [member.name, part(member, [member.name])]);
    return {
      element: element('div', {}, ...parts.map(([, one]) => one.element)),
      show: (value) => parts.forEach(([name, one]) => one.show(memberOf(value, name))),
    };
  }
}
