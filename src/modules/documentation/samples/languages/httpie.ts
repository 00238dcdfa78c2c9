import { FORM } from '../form-fields';
import { addressOf, type SampleBody, type SampleCall, type SampleCredentials } from '../sample-call';
import { commandLine, jsonOf, quoted } from './shell';

/** Characters that end the name of a field. A separator is the longest match: `=@` reads a file, `==` is the query. */
const SEPARATORS = /[:;=@]/g;

/** Returns an HTTPie command line, which prompts for the password. */
export function httpieSample(call: SampleCall, origin: string): string {
  const { method, accept, body, headers = [] } = call;
  return commandLine([
    [
      'http',
      ...formOf(body),
      ...credentialsOf(call.credentials),
      method,
      quoted(addressOf(call, origin)),
    ].join(' '),
    ...(accept === undefined ? [] : [quoted(`Accept:${accept}`)]),
    ...headers.map(([name, value]) => quoted(`${name}:${value}`)),
    ...headerOf(call.credentials),
    ...bodyOf(body),
  ]);
}

function formOf(body: SampleBody | undefined): readonly string[] {
  if (body?.form === undefined) return [];
  return [body.type === FORM ? '--form' : '--multipart'];
}

function bodyOf(body: SampleBody | undefined): readonly string[] {
  if (body === undefined) return [];
  if (body.form === undefined)
    return [quoted(`Content-Type:${body.type}`), `--raw ${quoted(jsonOf(body.value))}`];
  return body.form.map((field) => {
    const name = field.name.replace(SEPARATORS, '\\$&');
    if ('file' in field) return quoted(`${name}@${field.file};type=${field.type}`);
    // HTTPie cannot send the type of a field that is not a file.
    const text = 'text' in field ? field.text : field.json;
    return quoted(`${name}=${text.replace(/^[=@]/, '\\$&')}`);
  });
}

function credentialsOf(credentials: SampleCredentials | undefined): readonly string[] {
  if (credentials === 'digest') return ['-A digest', '-a USER'];
  return credentials === 'basic' ? ['-a USER'] : [];
}

function headerOf(credentials: SampleCredentials | undefined): readonly string[] {
  return typeof credentials === 'object' ? [quoted(`${credentials.header}:${credentials.value}`)] : [];
}
