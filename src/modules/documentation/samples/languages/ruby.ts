import {
  bodyText,
  headerFields,
  multipartParts,
  type MultipartPart,
  type SamplePart,
} from '../request-parts';
import { addressOf, type SampleCall } from '../sample-call';

/** Returns a script for Ruby without gems. Net::HTTP does not support Digest: the sample includes RFC 7616. */
export function rubySample(call: SampleCall, origin: string): readonly SamplePart[] {
  const { method, credentials, body } = call;
  const isDigest = credentials === 'digest';
  const isMultipart = multipartParts(body) !== undefined;
  const imports = [
    ...(isDigest ? ['digest'] : []),
    'net/http',
    ...(isDigest || isMultipart ? ['securerandom'] : []),
  ].map((name) => `require '${name}'`);
  const send = isDigest ? 'send_with_digest(http, request, user, password)' : 'http.request(request)';
  const lines = [
    `uri = URI(${rubyText(addressOf(call, origin))})`,
    `request = Net::HTTP::${method[0] ?? ''}${method.slice(1).toLowerCase()}.new(uri)`,
    ...headerFields(call).map(([name, value]) => `request[${rubyText(name)}] = ${rubyText(value)}`),
    ...(credentials === 'basic' ? [`request.basic_auth('USER', 'PASSWORD')`] : []),
    ...bodyLines(call),
    `response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') do |http|`,
    `  ${send}`,
    'end',
    'puts "#{response.code} #{response.body}"',
  ];
  if (!isDigest) return [{ code: [...imports, '', ...lines].join('\n') }];
  return [
    { code: [...imports, '', "user, password = 'USER', 'PASSWORD'", ''].join('\n') },
    { code: `${DIGEST}\n`, helper: 'digest' },
    { code: lines.join('\n') },
  ];
}

function bodyLines({ body }: SampleCall): readonly string[] {
  if (body === undefined) return [];
  const parts = multipartParts(body);
  if (parts !== undefined) return multipartLines(parts);
  if (body.form !== undefined) return [`request.body = ${rubyText(bodyText(body))}`];
  const lines = bodyText(body).split('\n');
  return ["request.body = <<~'JSON'", ...lines.map((line) => `  ${line}`), 'JSON'];
}

/** Net::HTTP cannot mix text and binary files in a form: the body is created from its parts. */
function multipartLines(parts: readonly MultipartPart[]): readonly string[] {
  return [
    'parts = [',
    ...parts.map(
      ({ head, text, file }) =>
        `  [${headText(head)}, ${file === undefined ? rubyText(text ?? '') : `File.binread(${rubyText(file)})`}],`,
    ),
    ']',
    'boundary = SecureRandom.hex(16)',
    `request['Content-Type'] = "multipart/form-data; boundary=#{boundary}"`,
    'request.body = parts.map do |head, content|',
    '  "--#{boundary}\\r\\nContent-Disposition: form-data; #{head}\\r\\n\\r\\n".b + content.b + "\\r\\n"',
    'end.join + "--#{boundary}--\\r\\n"',
  ];
}

/** Only text in double quotes has escapes for line ends. */
function headText(head: string): string {
  return head.split('\r\n').map(rubyText).join(' + "\\r\\n" + ');
}

/** A Ruby string literal in single quotes, without interpolation. */
function rubyText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** Sends a request, and repeats it with the response to the first challenge for Digest (RFC 7616, 3.4). */
const DIGEST = String.raw`def send_with_digest(http, request, user, password)
  response = http.request(request)
  challenges = response.get_fields('WWW-Authenticate') || []
  challenge = challenges.find { |one| one.start_with?('Digest ') }
  return response unless response.code == '401' && challenge

  parameters = challenge.scan(/(\w+)=(?:"([^"]*)"|([^\s,]+))/).to_h { |name, a, b| [name, a || b] }
  algorithm = parameters.fetch('algorithm', 'MD5')
  digest = { 'MD5' => Digest::MD5, 'SHA-256' => Digest::SHA256 }.fetch(algorithm)
  hashed = ->(*parts) { digest.hexdigest(parts.join(':')) }
  realm, nonce, opaque = parameters.values_at('realm', 'nonce', 'opaque')
  nc, cnonce = '00000001', SecureRandom.hex(8)
  fields = {
    'username' => user, 'realm' => realm, 'uri' => request.path, 'nonce' => nonce, 'opaque' => opaque,
    'cnonce' => cnonce,
    'response' => hashed.(
      hashed.(user, realm, password), nonce, nc, cnonce, 'auth', hashed.(request.method, request.path)
    ),
  }.compact
  quoted = fields.map { |name, value| %(#{name}="#{value}") }
  request['Authorization'] = "Digest #{[*quoted, "algorithm=#{algorithm}", "nc=#{nc}", 'qop=auth'].join(', ')}"
  http.request(request)
end`;
