/** Returns a member of a value of JSON; undefined for what every object inherits, such as `constructor`. */
export const memberOf = (value, name) => (Object.hasOwn(Object(value), name) ? value[name] : undefined);
