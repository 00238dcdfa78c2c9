import { FORM, JSON_TYPE, textFields } from '../form-fields';
import { addressOf, type SampleBody, type SampleCall, type SampleCredentials } from '../sample-call';
import { commandLine, jsonOf, quoted } from './shell';

/** Methods with an option of their own in curl; others use `-X`. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = { GET: [], HEAD: ['--head'] };

/** Returns a curl command line, which prompts for the password. */
export function curlSample(call: SampleCall, origin: string): string {
  const { method, query, accept, body, headers = [] } = call;
  // With -G, every query parameter is a line that can be edited; other methods send -d as their body.
  const get = method === 'GET' && query.length > 0;
  const options = get ? ['-G'] : (OPTIONS[method] ?? ['-X', method]);
  const address = get ? origin + call.path : addressOf(call, origin);
  return commandLine([
    ['curl', ...options, quoted(address)].join(' '),
    ...(get ? query.map((pair) => `-d ${quoted(pair)}`) : []),
    ...credentialsOf(call.credentials),
    ...(accept === undefined ? [] : [`-H ${quoted(`Accept: ${accept}`)}`]),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...bodyOf(body),
  ]);
}

/** curl sets the type of a form itself, but guesses those of few files. */
function bodyOf(body: SampleBody | undefined): readonly string[] {
  if (body === undefined) return [];
  const { type, value, form } = body;
  if (form === undefined) return [`-H ${quoted(`Content-Type: ${type}`)}`, `-d ${quoted(jsonOf(value))}`];
  if (type === FORM)
    // curl encodes the text only.
    return textFields(form).map(
      ([name, text]) => `--data-urlencode ${quoted(`${encodeURIComponent(name)}=${text}`)}`,
    );
  return form.map((field) => {
    if ('text' in field) return `--form-string ${quoted(`${field.name}=${field.text}`)}`;
    const [content, contentType] =
      'json' in field ? [escaped(field.json), JSON_TYPE] : [`@${escaped(field.file)}`, field.type];
    return `-F ${quoted(`${field.name}=${content};type=${contentType}`)}`;
  });
}

/** Commas and semicolons end the content of `-F` without quotes. */
function escaped(content: string): string {
  return /[,;"\\\s]/.test(content) ? `"${content.replace(/["\\]/g, '\\$&')}"` : content;
}

function credentialsOf(credentials: SampleCredentials | undefined): readonly string[] {
  if (credentials === undefined) return [];
  if (credentials === 'digest') return ['--digest -u USER'];
  if (credentials === 'basic') return ['-u USER'];
  return [`-H ${quoted(`${credentials.header}: ${credentials.value}`)}`];
}
