import { FORM, MULTIPART, textFields } from '../form-fields';
import { multipartParts, singlePart, type SamplePart } from '../request-parts';
import { addressOf, type SampleBody, type SampleCall, type SampleCredentials } from '../sample-call';

/**
 * Returns a script for Python 3 without dependencies. urllib reads only the first challenge and supports only MD5, so
 * the sample for Digest includes an implementation of RFC 7616.
 */
export function pythonSample(call: SampleCall, origin: string): readonly SamplePart[] {
  const { method, body, credentials, answersJson } = call;
  const isDigest = credentials === 'digest';
  const headers = headersOf(call);
  const isMultipart = body?.type === MULTIPART;
  const imports = [
    ...(credentials === 'basic' ? ['base64'] : []),
    ...(isDigest ? ['hashlib'] : []),
    ...(answersJson || (body !== undefined && body.form === undefined) ? ['json'] : []),
    ...(isDigest || isMultipart ? ['os'] : []),
    ...(isDigest ? ['re', 'urllib.error'] : []),
    ...(body?.type === FORM ? ['urllib.parse'] : []),
    'urllib.request',
  ];
  const head = [...imports.map((name) => `import ${name}`), ''];
  const lines = [
    ...formLines(body),
    'request = urllib.request.Request(',
    `    ${pythonText(addressOf(call, origin))},`,
    `    method=${pythonText(method)},`,
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    ...(body?.form === undefined ? [] : ['    data=data,']),
    ...(body === undefined || body.form !== undefined
      ? []
      : [`    data=json.dumps(${pythonValue(body.value, '    ')}).encode(),`]),
    ')',
    `with ${isDigest ? 'open_with_digest(request)' : 'urllib.request.urlopen(request)'} as response:`,
    answersJson
      ? '    print(response.status, json.load(response))'
      : '    print(response.status, response.read().decode())',
  ];
  if (!isDigest) return singlePart([...head, ...lines]);
  return [
    { code: [...head, 'user, password = "USER", "PASSWORD"', ''].join('\n') },
    { code: `${DIGEST}\n`, helper: 'digest' },
    { code: lines.join('\n') },
  ];
}

function headersOf({ accept, body, credentials, headers = [] }: SampleCall): readonly string[] {
  return [
    ...(accept === undefined ? [] : [`        "Accept": ${pythonText(accept)},`]),
    ...(body === undefined ? [] : [`        "Content-Type": ${contentTypeOf(body)},`]),
    ...headers.map(([name, value]) => `        ${pythonText(name)}: ${pythonText(value)},`),
    ...authorizationOf(credentials),
  ];
}

function contentTypeOf({ type }: SampleBody): string {
  return type === MULTIPART ? `"${MULTIPART}; boundary=" + boundary` : pythonText(type);
}

/** Code that creates a form before it is sent: urllib does not support forms with files. */
function formLines(body: SampleBody | undefined): readonly string[] {
  if (body?.form === undefined) return [];
  if (body.type === FORM) {
    const pairs = textFields(body.form).map(
      ([name, text]) => `    (${pythonText(name)}, ${pythonText(text)}),`,
    );
    return ['data = urllib.parse.urlencode([', ...pairs, ']).encode()', ''];
  }
  const parts = (multipartParts(body) ?? []).map(({ head, text = '', file }) => {
    const content =
      file === undefined ? `${pythonText(text)}.encode()` : `open(${pythonText(file)}, "rb").read()`;
    return `    (${pythonText(head)}, ${content}),`;
  });
  return [
    'boundary = os.urandom(16).hex()',
    'parts = [',
    ...parts,
    ']',
    'data = b"".join(',
    '    f"--{boundary}\\r\\nContent-Disposition: form-data; {head}\\r\\n\\r\\n".encode() + content + b"\\r\\n"',
    '    for head, content in parts',
    ') + f"--{boundary}--\\r\\n".encode()',
    '',
  ];
}

function authorizationOf(credentials: SampleCredentials | undefined): readonly string[] {
  if (credentials === 'basic') {
    return ['        "Authorization": "Basic " + base64.b64encode(b"USER:PASSWORD").decode(),'];
  }
  if (typeof credentials === 'object') {
    return [`        ${pythonText(credentials.header)}: ${pythonText(credentials.value)},`];
  }
  return [];
}

/** A Python string literal. Python supports the escapes of JSON, except for surrogate pairs. */
function pythonText(text: string): string {
  return JSON.stringify(text);
}

const WORDS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
]);

/** A Python literal of a JSON value. @param indent of its first line */
function pythonValue(value: unknown, indent: string): string {
  const word = WORDS.get(value);
  if (word !== undefined) return word;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}    `;
  const items = Array.isArray(value)
    ? value.map((item: unknown) => pythonValue(item, inner))
    : Object.entries(value).map(([name, item]) => `${pythonText(name)}: ${pythonValue(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (items.length === 0) return `${open ?? ''}${close ?? ''}`;
  return `${open ?? ''}\n${items.map((item) => `${inner}${item},`).join('\n')}\n${indent}${close ?? ''}`;
}

/** Sends a request, and repeats it with the response to the first challenge for Digest (RFC 7616, 3.4). */
const DIGEST = String.raw`def open_with_digest(request):
    try:
        return urllib.request.urlopen(request)
    except urllib.error.HTTPError as refused:
        challenges = refused.headers.get_all("WWW-Authenticate", [])
        challenge = next((one for one in challenges if one.startswith("Digest ")), None)
        if refused.code != 401 or challenge is None:
            raise
    # Python reads and writes each octet of a field as one character.
    challenge = challenge.encode("latin-1").decode()
    parameters = {name: a or b for name, a, b in re.findall(r'(\w+)=(?:"([^"]*)"|([^\s,]+))', challenge)}
    algorithm = parameters.get("algorithm", "MD5")
    def hashed(*parts):
        return hashlib.new(algorithm.replace("-", ""), ":".join(parts).encode()).hexdigest()
    uri, nc, cnonce = request.selector, "00000001", os.urandom(8).hex()
    response = hashed(
        hashed(user, parameters["realm"], password), parameters["nonce"], nc, cnonce, "auth",
        hashed(request.get_method(), uri),
    )
    fields = {"username": user, "uri": uri, "cnonce": cnonce, "response": response}
    fields |= {name: parameters[name] for name in ("realm", "nonce", "opaque") if name in parameters}
    quoted = [f'{name}="{value}"' for name, value in fields.items()]
    answer = "Digest " + ", ".join(quoted + [f"algorithm={algorithm}", f"nc={nc}", "qop=auth"])
    request.add_header("Authorization", answer.encode().decode("latin-1"))
    return urllib.request.urlopen(request)`;
