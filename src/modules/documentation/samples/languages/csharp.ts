import { unicodeEscape } from '../../../../framework';
import { bodyText, headerFields, singlePart, type SamplePart } from '../request-parts';
import { JSON_TYPE, MULTIPART, type FormField } from '../form-fields';
import { addressOf, type SampleBody, type SampleCall } from '../sample-call';

/** Returns a program for C# 11 with .NET 8, whose HttpClient supports Digest (MD5 and SHA-256). */
export function csharpSample(call: SampleCall, origin: string): readonly SamplePart[] {
  const { credentials, body } = call;
  // HttpClient keeps the type of a body with the body.
  const headers = headerFields(call).filter(([name]) => name !== 'Content-Type');
  const imports = [
    ...(credentials === 'digest' ? ['using System.Net;'] : []),
    ...(credentials === 'basic' || body !== undefined ? ['using System.Net.Http.Headers;'] : []),
    ...(credentials === 'basic' ? ['using System.Text;'] : []),
  ];
  return singlePart([
    ...imports,
    ...(imports.length === 0 ? [] : ['']),
    ...clientLines(call, origin),
    `using var request = new HttpRequestMessage(${methodOf(call.method)}, ${csharpText(addressOf(call, origin))});`,
    ...headers.map(([name, value]) => `request.Headers.Add(${csharpText(name)}, ${csharpText(value)});`),
    ...(credentials === 'basic' ? BASIC : []),
    ...bodyLines(body),
    'using var response = await client.SendAsync(request);',
    'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
  ]);
}

const BASIC = [
  'request.Headers.Authorization = new AuthenticationHeaderValue(',
  '    "Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes("USER:PASSWORD")));',
];

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function methodOf(method: string): string {
  if (!METHODS.has(method)) return `new HttpMethod(${csharpText(method)})`;
  return `HttpMethod.${method[0] ?? ''}${method.slice(1).toLowerCase()}`;
}

function clientLines({ credentials }: SampleCall, origin: string): readonly string[] {
  if (credentials !== 'digest') return ['using var client = new HttpClient();'];
  return [
    'var credentials = new CredentialCache',
    '{',
    `    { new Uri(${csharpText(origin)}), "Digest", new NetworkCredential("USER", "PASSWORD") },`,
    '};',
    'using var client = new HttpClient(new HttpClientHandler { Credentials = credentials });',
  ];
}

function bodyLines(body: SampleBody | undefined): readonly string[] {
  if (body === undefined) return [];
  if (body.type === MULTIPART && body.form !== undefined)
    return [
      'var form = new MultipartFormDataContent();',
      ...body.form.flatMap(fieldLines),
      'request.Content = form;',
    ];
  const text = bodyText(body);
  const literal = body.form === undefined ? rawText(text) : csharpText(text);
  const type = `MediaTypeHeaderValue.Parse(${csharpText(body.type)})`;
  return [`request.Content = new StringContent(${literal}, ${type});`];
}

function fieldLines(field: FormField, at: number): readonly string[] {
  const name = csharpText(field.name);
  if ('text' in field) return [`form.Add(new StringContent(${csharpText(field.text)}), ${name});`];
  if ('json' in field) {
    const type = `MediaTypeHeaderValue.Parse(${csharpText(JSON_TYPE)})`;
    return [`form.Add(new StringContent(${csharpText(field.json)}, ${type}), ${name});`];
  }
  const file = csharpText(field.file);
  return [
    `var file${at} = new StreamContent(File.OpenRead(${file}));`,
    `file${at}.Headers.ContentType = MediaTypeHeaderValue.Parse(${csharpText(field.type)});`,
    `form.Add(file${at}, ${name}, ${file});`,
  ];
}

/** A C# string literal. C# has the escapes of JSON, and more line ends. */
function csharpText(text: string): string {
  return JSON.stringify(text).replace(/[\u0085\u2028\u2029]/g, unicodeEscape);
}

/** A raw string literal, without escapes: it ends at more quotes than there are in the text. */
function rawText(text: string): string {
  const runs = text.match(/"+/g) ?? [];
  const fence = '"'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return [fence, ...text.split('\n').map((line) => `    ${line}`), `    ${fence}`].join('\n');
}
