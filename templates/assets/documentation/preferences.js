// Preferences of the reader: attributes of the root element, saved in local storage.

const root = document.documentElement;

/** Returns a preference; undefined if it is not set. */
export const preference = (name) => root.dataset[name];

/** Calls a function with the saved preference when the browser shows a page again that it kept for Back. */
export function onReturn(name, listener) {
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    try {
      listener(localStorage.getItem(`platform.${name}`));
    } catch {
      // Without storage, nothing is saved.
    }
  });
}

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
