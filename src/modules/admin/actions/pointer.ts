/** A path as a JSON Pointer (RFC 6901): `/versions/1/services/Country`. */
export function pointerOf(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
