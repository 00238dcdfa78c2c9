// Decides whether the bytes that a server sent are responses that it should send.

const STATUS_LINE = /HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n(?=[A-Za-z][\w-]*: |\r\n)/g;

/** Unknown methods, and versions of HTTP that the server does not support, are refused with these (RFC 9110, 15.6). */
const REFUSALS = ['501', '505'];

/**
 * @param {string} text everything received on a connection
 * @returns {{ statuses: string[], problems: string[] }} in order
 */
export function readResponses(text) {
  const statuses = [...text.matchAll(STATUS_LINE)].map(([, status]) => status);
  const problems = [];
  if (text !== '' && !text.startsWith('HTTP/1.1 '))
    problems.push(`the response begins with ${JSON.stringify(text.slice(0, 100))}`);
  for (const status of statuses)
    if (status >= '500' && !REFUSALS.includes(status)) problems.push(`${status}: ${text.slice(-600)}`);
  return { statuses, problems };
}
