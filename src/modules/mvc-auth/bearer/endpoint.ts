/**
 * Returns why keys or tokens must not be requested from a URL; undefined if they may.
 * @param option that has it, for messages
 * @param allowInsecure the option of this name; undefined where there is none
 */
export function endpointIssue(option: string, url: string, allowInsecure?: boolean): string | undefined {
  if (!URL.canParse(url)) return `${option}: "${url}" is not a URL. Write it as https://issuer.example/path.`;
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') return `${option}: remove the user and password from the URL.`;
  if (protocol === 'https:') return undefined;
  if (protocol !== 'http:')
    return `${option}: the scheme ${protocol.slice(0, -1)} is not supported. Use https.`;
  if (allowInsecure === true || isLoopbackHost(hostname)) return undefined;
  const issue = `${option}: ${new URL(url).origin} is not encrypted, so that anyone on the way could replace what it responds. Use https`;
  return allowInsecure === undefined
    ? `${issue}.`
    : `${issue}; set "allow_insecure": true for a network that you trust.`;
}

function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
