// A response as a file, which a bare server sends again.

/** Headers that Node.js adds itself. */
const NODES_OWN = ['date', 'connection', 'keep-alive'];

/** The fields of a response without those of Node.js and the given ones: name, value, name, value, … */
export function fieldsWithout({ fields }, names = []) {
  const removed = [...NODES_OWN, ...names];
  return fields.filter((_, at) => !removed.includes(fields[at - (at % 2)].toLowerCase()));
}

/**
 * The response of `peers/bare/copy.mjs`: a copy, header by header.
 * @param {string} path @param {{ status: number, fields: string[], body: Buffer }} answer
 * @param {readonly string[]} [without] names of headers in lower case
 */
export function serializeCopy(path, answer, without) {
  const fields = fieldsWithout(answer, without);
  return JSON.stringify({ path, status: answer.status, fields, body: answer.body.toString('base64') });
}
