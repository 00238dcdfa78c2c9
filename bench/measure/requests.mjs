// The bytes of requests.

/**
 * @param {string} target @param {Record<string, string>} [fields] in addition to `Host` and `Accept: application/json`
 */
export function get(target, fields = {}) {
  const all = { Accept: 'application/json', ...fields };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n`;
}

/**
 * @param {string} method @param {string} target @param {string} json ASCII
 * @param {Record<string, string>} [fields] in addition to `Host`, `Accept` and those of the body
 */
export function withJson(method, target, json, fields = {}) {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n${lines.join('')}\r\n${json}`;
}

/** @param {string} target @param {string} json ASCII */
export function post(target, json) {
  return withJson('POST', target, json);
}

/** `Authorization` of Basic. */
export function basic(user, password) {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Repeats a list endlessly. @param {readonly string[]} list @returns {() => string} */
export function inTurn(list) {
  let at = 0;
  return () => {
    if (at === list.length) at = 0;
    return list[at++];
  };
}
