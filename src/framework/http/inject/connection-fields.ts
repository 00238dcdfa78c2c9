/** Fields about a connection, which are not forwarded (RFC 9110, 7.6.1), in lower case. */
const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function isConnectionField(name: string): boolean {
  return CONNECTION_FIELDS.has(name.toLowerCase());
}
