import { ReadStream } from 'node:fs';
import path from 'node:path';
import { problem, Response, type MvcEvent } from '../../framework';
import { contentTypeOf } from './content-type';
import { encodedFile } from './encoded-files';
import type { FoundFile } from './locate-file';
import { openFile } from './open-file';
import { evaluatePreconditions, permitsRange, validatorsOf } from './preconditions';

/**
 * Responds with a file: 200, 206 or 304.
 * @param fields of the folder; `Vary`, the validators and those of the content are added
 * @returns undefined if the file was replaced meanwhile
 * @throws Problem 412 and 416
 */
export async function fileResponse(
  event: MvcEvent,
  found: FoundFile,
  fields: readonly (readonly [string, string])[],
): Promise<Response | undefined> {
  const { request } = event;
  const field = (name: string): string | undefined => request.header(name);
  const { file, stats, coding, varies } = await encodedFile(found, field('accept-encoding'));
  const validators = validatorsOf(stats, coding === 'identity' ? '' : coding, Date.now());
  const response = new Response(200, null, fields);
  if (varies) response.fields.addToList('Vary', 'Accept-Encoding');
  response.fields.set('ETag', validators.etag);
  response.fields.set('Last-Modified', new Date(validators.lastModified).toUTCString());
  const outcome = evaluatePreconditions(field, validators);
  if (outcome === 'failed')
    throw problem('precondition_failed', { reason: 'The file has changed: its validators do not match.' });
  if (outcome === 'not modified') {
    response.status = 304;
    return response;
  }
  const isWhole = request.method !== 'GET' || response.fields.get('Accept-Ranges')?.toLowerCase() === 'none';
  const range = !isWhole && permitsRange(field('if-range'), validators) ? field('range') : undefined;
  const opened = await openFile(file, stats, request.method, range);
  if (opened.kind === 'changed') return undefined;
  if (opened.kind === 'no range')
    throw problem(
      'range_not_satisfiable',
      { size: stats.size },
      { fields: [['Content-Range', `bytes */${stats.size}`]] },
    );
  response.status = opened.status;
  response.body = opened.stream;
  response.fields.set('Content-Type', contentTypeOf(typedName(found)));
  if (coding !== 'identity') response.fields.set('Content-Encoding', coding);
  // Lengths are numbers there, other than declared. The folder has its own Accept-Ranges.
  for (const [name, value] of Object.entries(opened.fields))
    if (name !== 'Accept-Ranges') response.fields.set(name, String(value));
  if (opened.stream instanceof ReadStream)
    watch(opened.stream, Number(opened.fields['Content-Length']), event);
  return response;
}

/** The name that decides the type: the one that was requested, or that of what it links to if it has no extension. */
function typedName(found: FoundFile): string {
  return path.extname(found.path) === '' ? found.file : found.path;
}

/** Closes the file with the response, and a response whose file ended early. */
function watch(stream: ReadStream, length: number, { outgoing, log }: MvcEvent): void {
  outgoing.once('close', () => stream.destroy());
  stream.once('end', () => {
    if (stream.bytesRead >= length) return;
    // On a connection that stays open, the client would take the next response for the rest of the file.
    outgoing.destroy();
    log.error(
      { file: stream.path, expected: length, sent: stream.bytesRead },
      'A file became shorter while it was sent. Replace files instead of writing to them.',
    );
  });
}
