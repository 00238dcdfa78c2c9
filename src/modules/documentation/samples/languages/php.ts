import { bodyText, headerFields, multipartParts, singlePart, type SamplePart } from '../request-parts';
import { addressOf, type SampleCall, type SampleCredentials } from '../sample-call';

/** Returns a script for PHP 7.3 with its extension curl. */
export function phpSample(call: SampleCall, origin: string): readonly SamplePart[] {
  return singlePart([
    '<?php',
    ...multipartLines(call),
    `$curl = curl_init(${phpText(addressOf(call, origin))});`,
    'curl_setopt_array($curl, [',
    ...methodOf(call.method),
    ...headersOf(call),
    ...credentialsOf(call.credentials),
    ...bodyOf(call),
    '    CURLOPT_RETURNTRANSFER => true,',
    ']);',
    '$body = curl_exec($curl);',
    `echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $body, "\\n";`,
  ]);
}

function methodOf(method: string): readonly string[] {
  if (method === 'GET') return [];
  return [
    method === 'HEAD' ? '    CURLOPT_NOBODY => true,' : `    CURLOPT_CUSTOMREQUEST => ${phpText(method)},`,
  ];
}

function headersOf(call: SampleCall): readonly string[] {
  const fields = headerFields(call).map(([name, value]) => `        ${phpText(`${name}: ${value}`)},`);
  if (multipartParts(call.body) !== undefined)
    fields.push(`        'Content-Type: multipart/form-data; boundary=' . $boundary,`);
  return fields.length === 0 ? [] : ['    CURLOPT_HTTPHEADER => [', ...fields, '    ],'];
}

function credentialsOf(credentials: SampleCredentials | undefined): readonly string[] {
  if (credentials !== 'basic' && credentials !== 'digest') return [];
  return [
    `    CURLOPT_HTTPAUTH => CURLAUTH_${credentials.toUpperCase()},`,
    `    CURLOPT_USERPWD => 'USER:PASSWORD',`,
  ];
}

function bodyOf({ body }: SampleCall): readonly string[] {
  if (body === undefined) return [];
  if (multipartParts(body) !== undefined) return ['    CURLOPT_POSTFIELDS => $data,'];
  if (body.form !== undefined) return [`    CURLOPT_POSTFIELDS => ${phpText(bodyText(body))},`];
  const lines = bodyText(body).split('\n');
  return ["    CURLOPT_POSTFIELDS => <<<'JSON'", ...lines.map((line) => `    ${line}`), '    JSON,'];
}

/** Lists of curl cannot repeat a field: the body is created from its parts. */
function multipartLines({ body }: SampleCall): readonly string[] {
  const parts = multipartParts(body);
  if (parts === undefined) return [];
  return [
    '$parts = [',
    ...parts.map(
      ({ head, text, file }) =>
        `    [${headText(head)}, ${file === undefined ? phpText(text ?? '') : `file_get_contents(${phpText(file)})`}],`,
    ),
    '];',
    '$boundary = bin2hex(random_bytes(16));',
    `$data = '';`,
    'foreach ($parts as [$head, $content]) {',
    '    $data .= "--$boundary\\r\\nContent-Disposition: form-data; $head\\r\\n\\r\\n$content\\r\\n";',
    '}',
    '$data .= "--$boundary--\\r\\n";',
    '',
  ];
}

/** Only text in double quotes has escapes for line ends. */
function headText(head: string): string {
  return head.split('\r\n').map(phpText).join(' . "\\r\\n" . ');
}

/** A PHP string literal in single quotes, without variables. */
function phpText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
