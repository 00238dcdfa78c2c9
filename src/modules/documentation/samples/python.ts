import { addressOf, type SampleCall, type SampleCredentials } from './sample-call';

/**
 * A script for Python 3 and nothing beside it. Its urllib looks at one challenge only, and knows MD5 only: the sample
 * of an operation behind Digest brings what RFC 7616 asks for.
 */
export function pythonSample(call: SampleCall, origin: string): string {
  const { method, body, credentials, answersJson } = call;
  const isDigest = credentials === 'digest';
  const headers = headersOf(call);
  const imports = [
    ...(credentials === 'basic' ? ['base64'] : []),
    ...(isDigest ? ['hashlib'] : []),
    ...(answersJson || body !== undefined ? ['json'] : []),
    ...(isDigest ? ['os', 're', 'urllib.error'] : []),
    'urllib.request',
  ];
  return [
    ...imports.map((name) => `import ${name}`),
    '',
    ...(isDigest ? [...DIGEST, ''] : []),
    'request = urllib.request.Request(',
    `    ${pythonText(addressOf(call, origin))},`,
    `    method=${pythonText(method)},`,
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    ...(body === undefined ? [] : [`    data=json.dumps(${pythonValue(body.value, '    ')}).encode(),`]),
    ')',
    `with ${isDigest ? 'open_with_digest(request)' : 'urllib.request.urlopen(request)'} as response:`,
    answersJson
      ? '    print(response.status, json.load(response))'
      : '    print(response.status, response.read().decode())',
  ].join('\n');
}

function headersOf({ accept, body, credentials }: SampleCall): readonly string[] {
  return [
    ...(accept === undefined ? [] : [`        "Accept": ${pythonText(accept)},`]),
    ...(body === undefined ? [] : [`        "Content-Type": ${pythonText(body.type)},`]),
    ...authorizationOf(credentials),
  ];
}

function authorizationOf(credentials: SampleCredentials | undefined): readonly string[] {
  if (credentials === 'basic') {
    return ['        "Authorization": "Basic " + base64.b64encode(b"USER:PASSWORD").decode(),'];
  }
  if (typeof credentials === 'object') {
    return [`        "Authorization": ${pythonText(`${credentials.scheme} CREDENTIALS`)},`];
  }
  return [];
}

/** A text as a literal of Python: its escapes have those of JSON among them, but for pairs of surrogates. */
function pythonText(text: string): string {
  return JSON.stringify(text);
}

const WORDS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
]);

/** A JSON value as a literal of Python. @param indent of the line that it starts on */
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

/** Asks, reads the first challenge, and asks again with the answer to it (RFC 7616, 3.4). */
const DIGEST = String.raw`user, password = "USER", "PASSWORD"

def open_with_digest(request):
    try:
        return urllib.request.urlopen(request)
    except urllib.error.HTTPError as refused:
        challenge = refused.headers.get("WWW-Authenticate", "")
        if refused.code != 401 or not challenge.startswith("Digest "):
            raise
    given = {name: a or b for name, a, b in re.findall(r'(\w+)=(?:"([^"]*)"|([^\s,]+))', challenge)}
    algorithm = given.get("algorithm", "MD5")
    def hashed(*parts):
        return hashlib.new(algorithm.replace("-", ""), ":".join(parts).encode()).hexdigest()
    uri, nc, cnonce = request.selector, "00000001", os.urandom(8).hex()
    response = hashed(
        hashed(user, given["realm"], password), given["nonce"], nc, cnonce, "auth",
        hashed(request.get_method(), uri),
    )
    fields = {"username": user, "uri": uri, "cnonce": cnonce, "response": response}
    fields |= {name: given[name] for name in ("realm", "nonce", "opaque") if name in given}
    quoted = [f'{name}="{value}"' for name, value in fields.items()]
    request.add_header(
        "Authorization",
        "Digest " + ", ".join(quoted + [f"algorithm={algorithm}", f"nc={nc}", "qop=auth"]),
    )
    return urllib.request.urlopen(request)`.split('\n');
