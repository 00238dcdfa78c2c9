/** A part of a form. */
export interface WrittenPart {
  /** Its header lines, without line endings. */
  readonly head: readonly string[];
  readonly content: string | Buffer;
}

/** The bytes of a multipart body. */
export function writeParts(parts: readonly WrittenPart[], boundary = 'edge'): Buffer {
  const written = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n${head.map((line) => `${line}\r\n`).join('')}\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]);
}

export function fieldPart(name: string, content: string, ...head: readonly string[]): WrittenPart {
  return { head: [`Content-Disposition: form-data; name="${name}"`, ...head], content };
}

export function filePart(
  name: string,
  filename: string,
  content: string | Buffer,
  type = 'text/plain',
): WrittenPart {
  return {
    head: [`Content-Disposition: form-data; name="${name}"; filename="${filename}"`, `Content-Type: ${type}`],
    content,
  };
}
