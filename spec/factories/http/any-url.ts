import fc from 'fast-check';
import { anyText } from '../any-text';

/** What a component of a URL may contain without being percent-encoded (RFC 3986, 3.3). */
const PLAIN = "abzAZ09-._~!$'()*+,;=:@";

/**
 * The text of a component of a URL, with percent-encoded characters. That of fast-check takes a second for each suite, as
 * {@link anyText} says.
 * @param further characters that the component may contain, such as `/` and `?` in a query
 */
export function urlText(further = ''): fc.Arbitrary<string> {
  const encoded = anyText({ maxLength: 2 }).map(encodeURIComponent);
  return fc
    .array(fc.oneof(fc.constantFrom(...(PLAIN + further).split('')), encoded))
    .map((parts) => parts.join(''));
}

/** The path of a URL: empty, or with a leading slash. */
export const urlPath = (): fc.Arbitrary<string> =>
  fc.array(urlText()).map((segments) => segments.map((one) => `/${one}`).join(''));

/** The origin of a URL, such as `https://example.org:8080`. */
export const urlOrigin = (): fc.Arbitrary<string> =>
  fc
    .record({
      scheme: fc.constantFrom('http', 'https'),
      host: fc.domain(),
      port: fc.option(fc.integer({ min: 1, max: 65_535 })),
    })
    .map(({ scheme, host, port }) => `${scheme}://${host}${port === null ? '' : `:${port}`}`);
