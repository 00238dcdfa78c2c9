// Creates DOM elements without parsing markup.

/** Creates an element with properties, attributes (those with a dash, `role` and `for`) and children. */
export function element(name, properties = {}, ...children) {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key.includes('-') || key === 'role' || key === 'for') created.setAttribute(key, value);
    else created[key] = value;
  }
  created.append(...children.flat().filter((child) => child !== undefined && child !== ''));
  return created;
}
