import { bodyText, headerFields, singlePart, type SamplePart } from '../request-parts';
import { JSON_TYPE, MULTIPART, type FormField } from '../form-fields';
import { addressOf, type SampleBody, type SampleCall, type SampleCredentials } from '../sample-call';

/** Returns a script for PowerShell 7, which prompts for the password and supports Digest (MD5 and SHA-256). */
export function powershellSample(call: SampleCall, origin: string): readonly SamplePart[] {
  const { method, body } = call;
  const isMultipart = body?.type === MULTIPART && body.form !== undefined;
  const headers = headerFields(call).filter(([name]) => name !== 'Content-Type');
  return singlePart([
    ...(isMultipart ? formLines(body.form ?? []) : []),
    '$request = @{',
    `    Uri = ${powershellText(addressOf(call, origin))}`,
    ...(method === 'GET' ? [] : [`    Method = ${powershellText(method)}`]),
    ...(headers.length === 0
      ? []
      : [
          '    Headers = @{',
          ...headers.map(([name, value]) => `        ${powershellText(name)} = ${powershellText(value)}`),
          '    }',
        ]),
    ...credentialLines(call.credentials, origin),
    ...(isMultipart ? ['    Body = $form'] : bodyLines(body)),
    '}',
    '$response = Invoke-WebRequest @request',
    '"$($response.StatusCode) $($response.Content)"',
  ]);
}

/** Without `Authentication`, PowerShell answers the challenge of the server. */
function credentialLines(credentials: SampleCredentials | undefined, origin: string): readonly string[] {
  if (credentials !== 'basic' && credentials !== 'digest') return [];
  return [
    ...(credentials === 'basic' ? [`    Authentication = 'Basic'`] : []),
    `    Credential = Get-Credential -UserName 'USER'`,
    // PowerShell refuses to send credentials over plain HTTP otherwise.
    ...(origin.startsWith('http:') ? ['    AllowUnencryptedAuthentication = $true'] : []),
  ];
}

function bodyLines(body: SampleBody | undefined): readonly string[] {
  if (body === undefined) return [];
  const type = `    ContentType = ${powershellText(body.type)}`;
  const text = bodyText(body);
  if (body.form !== undefined) return [type, `    Body = ${powershellText(text)}`];
  // PowerShell before 7.4 would send text in ISO 8859-1.
  return [type, "    Body = [Text.Encoding]::UTF8.GetBytes(@'", text, "'@)"];
}

function formLines(form: readonly FormField[]): readonly string[] {
  return ['$form = [Net.Http.MultipartFormDataContent]::new()', ...form.flatMap(fieldLines), ''];
}

function fieldLines(field: FormField): readonly string[] {
  const name = powershellText(field.name);
  if ('text' in field)
    return [`$form.Add([Net.Http.StringContent]::new(${powershellText(field.text)}), ${name})`];
  if ('json' in field) {
    const content = `${powershellText(field.json)}, [Text.Encoding]::UTF8, ${powershellText(JSON_TYPE)}`;
    return [`$form.Add([Net.Http.StringContent]::new(${content}), ${name})`];
  }
  const file = powershellText(field.file);
  return [
    `$file = [Net.Http.StreamContent]::new([IO.File]::OpenRead((Resolve-Path ${file})))`,
    `$file.Headers.ContentType = [Net.Http.Headers.MediaTypeHeaderValue]::Parse(${powershellText(field.type)})`,
    `$form.Add($file, ${name}, ${file})`,
  ];
}

/** A PowerShell string literal, without variables. Typographic quotes end it, too; each is written twice. */
function powershellText(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}
