// What a reader chooses stays on this machine, and is an attribute of the page's root.

const root = document.documentElement;

/** What was chosen; undefined where nothing was. */
export const chosen = (name) => root.dataset[name];

/** Chooses, here and for the next pages. @param value undefined to forget */
export function choose(name, value) {
  if (value === undefined) delete root.dataset[name];
  else root.dataset[name] = value;
  try {
    if (value === undefined) localStorage.removeItem(`platform.${name}`);
    else localStorage.setItem(`platform.${name}`, value);
  } catch {
    // Without storage the choice is good for this page.
  }
}
