// Preferences of the reader: attributes of the root element, saved in local storage.

const root = document.documentElement;

/** Returns a preference; undefined if it is not set. */
export const preference = (name) => root.dataset[name];

/** Sets a preference for this page and others. @param value undefined to reset */
export function setPreference(name, value) {
  if (value === undefined) delete root.dataset[name];
  else root.dataset[name] = value;
  try {
    if (value === undefined) localStorage.removeItem(`platform.${name}`);
    else localStorage.setItem(`platform.${name}`, value);
  } catch {
    // Without storage, the preference applies to this page only.
  }
}
