// The fields of a body as inputs: single values, members of objects, and lists whose places come and go.
import { makeVariants } from './console-variants.js';
import { element } from './dom.js';

const isFile = ({ schema }) => schema['x-file'] !== undefined;
const typesOf = ({ schema }) => [schema.type].flat();
const SIMPLE = ['string', 'number', 'integer'];
const isText = (field) => typesOf(field).includes('string');

/** RFC 6901. */
const pointerTo = (path) =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** What was typed, as the field's type: a text that is no number or JSON stays a text, for the server to refuse. */
function typed(text, field, isPlace) {
  // A member that nothing was typed for is left out; a place in a list is there until it is removed.
  if (text === '') return isPlace ? emptyOf(field) : undefined;
  const choice = field.schema.enum?.find((one) => String(one) === text);
  if (choice !== undefined) return choice;
  if (isText(field) && text !== 'null') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What stands in a new place of a list. */
function emptyOf(field) {
  if (field.items !== undefined) return [];
  if (field.fields.length > 0 || field.alternatives?.some(({ fields }) => fields.length > 0)) return {};
  return isText(field) && field.schema.enum === undefined ? '' : null;
}

const shown = (value) =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/**
 * Inputs for the fields of a body; none for one that is edited as text only.
 * @param change `(path, update)`: puts what `update` makes of the value at a path in its place, and shows it
 * @returns the elements; `show` for a whole value; inputs by JSON Pointer; the inputs of files, by path
 */
export function makeFields(body, { inputFor, change, idOf }) {
  const inputs = new Map();
  const files = new Map();

  const single = (field, path, label) => {
    const pointer = pointerTo(path);
    const { row, input } = inputFor({ ...field, label, name: path.join('.') }, 'field');
    inputs.set(pointer, input);
    const [isOfFiles, isPlace] = [isFile(field.items ?? field), typeof path.at(-1) === 'number'];
    if (isOfFiles) {
      Object.assign(input, { type: 'file', multiple: field.items !== undefined });
      files.set(path.join('.'), input);
    } else if (input.type === 'text' && !typesOf(field).some((type) => SIMPLE.includes(type)))
      input.placeholder = /string/.test(field.type) ? field.type : `JSON: ${field.type}`;
    input.addEventListener('input', () => {
      if (!isOfFiles) change(path, () => typed(input.value, field, isPlace));
    });
    const show = (value) => {
      if (!isOfFiles && input !== document.activeElement) input.value = shown(value);
    };
    return { element: row, input, show, forget: () => inputs.delete(pointer) };
  };

  const titled = ({ description, required }, label, ...children) => {
    const legend = element('legend', { title: description }, element('code', { textContent: label }));
    if (required) legend.append(element('span', { className: 'required', textContent: 'required' }));
    return element('fieldset', { className: 'members' }, legend, ...children);
  };

  const object = (field, path, label) => {
    const parts = field.fields.map((member) => [member.name, part(member, [...path, member.name])]);
    return {
      element: titled(field, label, ...parts.map(([, member]) => member.element)),
      input: parts[0][1].input,
      show: (value) => parts.forEach(([name, member]) => member.show(Object(value)[name])),
      forget: () => parts.forEach(([, member]) => member.forget()),
    };
  };

  const list = (field, path, label) => {
    const places = element('div');
    const add = element('button', { type: 'button', textContent: `Add to ${label}` });
    const parts = [];
    const lengthen = () => {
      const at = parts.length;
      const one = part(field.items, [...path, at], `${label} ${at + 1}`);
      const remove = element('button', {
        type: 'button',
        className: 'cancel',
        textContent: 'Remove',
        'aria-label': `Remove ${label} ${at + 1}`,
      });
      remove.addEventListener('click', () => {
        change(path, (before) => {
          const left = (Array.isArray(before) ? before : []).filter((_, other) => other !== at);
          return left.length === 0 && !field.required ? undefined : left;
        });
        add.focus();
      });
      const place = element('div', { className: 'place' }, one.element, remove);
      parts.push({ ...one, place });
      places.append(place);
    };
    const shorten = () => {
      const { place, forget } = parts.pop();
      forget();
      place.remove();
    };
    add.addEventListener('click', () => {
      change(path, (before) => [...(Array.isArray(before) ? before : []), emptyOf(field.items)]);
      (parts.at(-1)?.input ?? add).focus();
    });
    return {
      element: titled(field, label, places, add),
      input: add,
      show: (value) => {
        const values = Array.isArray(value) ? value : [];
        while (parts.length < values.length) lengthen();
        while (parts.length > values.length) shorten();
        parts.forEach((one, at) => one.show(values[at]));
      },
      forget: () => {
        while (parts.length > 0) shorten();
      },
    };
  };

  /** An alternative without members besides those of all. */
  const nothing = () => ({ element: '', show: () => undefined, forget: () => undefined });

  function part(field, path, label = field.name, isAlternative = false) {
    if (field.alternatives !== undefined) {
      return makeVariants(field, path, label, { part, change, idOf, titled });
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
      show: (value) => parts.forEach(([name, one]) => one.show(Object(value)[name])),
    };
  }
}
