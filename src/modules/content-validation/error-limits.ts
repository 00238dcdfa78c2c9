/** Errors that are found in one value, with those of branches of unions that another branch makes void. */
export const MAX_FOUND = 10_000;

/** Errors in a response: a body may have thousands, each longer than the value that it is about. */
const MAX_LISTED = 1000;

/** Bytes of the errors in a response, as JSON. */
const MAX_LISTED_BYTES = 256 * 1024;

/** Errors of branches of unions that are tried to find one that matches: recursive unions have a power of their depth. */
export const MAX_TRIED = 1_000_000;

/**
 * Further branches that match in unions of a closed schema, where all are tried. A valid list of 1 MiB has fewer, of up to ten
 * branches that each item matches; recursive unions have a power of their depth.
 */
export const MAX_MATCHED = 4_000_000;

/** References that are followed to validate a value: a schema that refers to itself twice follows a power of the value's depth. */
export const MAX_REFERENCES = 1_000_000;

/** References for each value within one that needs more than {@link MAX_REFERENCES}: long lists do. */
export const MAX_REFERENCES_PER_VALUE = 16;

/** Characters of the locations of all errors that are found: the names in them can be as long as the body. */
export const MAX_LOCATIONS = 10_000_000;

/** Longer JSON Pointers are not sent back: names can be as long as the body. */
const MAX_POINTER = 500;

/** Returns a JSON Pointer; if that is too long, that of an ancestor, or the beginning of a first name. */
export function shortPointer(pointer: string): string {
  if (pointer.length <= MAX_POINTER) return pointer;
  const end = pointer.lastIndexOf('/', MAX_POINTER);
  return end > 0 ? pointer.slice(0, end) : `${pointer.slice(0, MAX_POINTER)}…`;
}

/** Returns an error with a short location. */
export function withShortLocation<E extends { readonly instancePath: string }>(error: E): E {
  const instancePath = shortPointer(error.instancePath);
  return instancePath === error.instancePath ? error : { ...error, instancePath };
}

/** Returns the errors that a response lists: the first ones, at least one. */
export function listedErrors<One>(errors: readonly One[]): readonly One[] {
  const first = errors.slice(0, MAX_LISTED);
  let size = 0;
  const end = first.findIndex((one) => {
    // With the comma after it.
    size += Buffer.byteLength(JSON.stringify(one)) + 1;
    return size > MAX_LISTED_BYTES;
  });
  return end === -1 ? first : first.slice(0, Math.max(1, end));
}
