// A query parameter that is a list: an input for each item, sent as a repeated parameter.
import { createFields } from './console-fields.js';

/** @param make creates the input of a field, see `inputFor` */
export function createListParameter(parameter, make, idOf) {
  const { name, example, items } = parameter;
  let list = Array.isArray(example) ? example : [];
  const { elements, show } = createFields(
    { fields: [{ ...parameter, example: undefined, fields: [], items: { ...items, example: undefined } }] },
    {
      idOf,
      inputFor: (field) => make(field, 'query'),
      change: (path, update) => {
        list = updateList(list, path, update);
        show({ [name]: list });
      },
    },
  );
  show({ [name]: list });
  return {
    row: elements[0],
    values: () => list.filter((one) => one !== '' && one !== null).map(String),
  };
}

/** Returns the list with a change of the list, or of an item. */
function updateList(list, [, at], update) {
  if (at === undefined) return update(list) ?? [];
  return list.map((one, index) => (index === at ? update(one) : one));
}
