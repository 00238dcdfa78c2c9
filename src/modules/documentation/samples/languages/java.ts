import {
  bodyText,
  headerFields,
  multipartParts,
  type MultipartPart,
  type SamplePart,
} from '../request-parts';
import { addressOf, type SampleBody, type SampleCall } from '../sample-call';

/** Returns a program for Java 17. java.net.http does not support Digest: the sample includes RFC 7616. */
export function javaSample(call: SampleCall, origin: string): readonly SamplePart[] {
  const { method, credentials, body } = call;
  const isDigest = credentials === 'digest';
  const parts = multipartParts(body);
  const send = isDigest
    ? 'sendWithDigest(request, "USER", "PASSWORD")'
    : 'HttpClient.newHttpClient().send(request, BodyHandlers.ofString())';
  const lines = [
    ...importsOf(call).map((name) => `import ${name};`),
    '',
    'public class Sample {',
    '    public static void main(String[] args) throws Exception {',
    ...(parts === undefined ? [] : multipartLines(parts)),
    `        var request = HttpRequest.newBuilder(URI.create(${javaText(addressOf(call, origin))}))`,
    ...headerFields(call).map(
      ([name, value]) => `            .header(${javaText(name)}, ${javaText(value)})`,
    ),
    ...(parts === undefined
      ? []
      : ['            .header("Content-Type", "multipart/form-data; boundary=" + boundary)']),
    ...(credentials === 'basic' ? BASIC : []),
    ...(method === 'GET' ? [] : [`            .method(${javaText(method)}, ${publisherOf(body)})`]),
    '            .build();',
    `        var response = ${send};`,
    '        System.out.println(response.statusCode() + " " + response.body());',
    '    }',
  ];
  if (!isDigest) return [{ code: [...lines, '}'].join('\n') }];
  return [{ code: `${lines.join('\n')}\n` }, { code: DIGEST, helper: 'digest' }, { code: '}' }];
}

const BASIC = [
  '            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString("USER:PASSWORD".getBytes()))',
];

function importsOf({ credentials, body }: SampleCall): readonly string[] {
  const parts = multipartParts(body);
  return [
    ...(parts === undefined ? [] : ['java.io.ByteArrayOutputStream']),
    'java.net.URI',
    'java.net.http.HttpClient',
    'java.net.http.HttpRequest',
    'java.net.http.HttpRequest.BodyPublishers',
    'java.net.http.HttpResponse',
    'java.net.http.HttpResponse.BodyHandlers',
    ...(parts?.some(({ file }) => file !== undefined) === true
      ? ['java.nio.file.Files', 'java.nio.file.Path']
      : []),
    ...(credentials === 'digest' ? ['java.security.MessageDigest'] : []),
    ...(credentials === 'basic' ? ['java.util.Base64'] : []),
    ...(credentials === 'digest' ? ['java.util.HashMap', 'java.util.HexFormat'] : []),
    ...(credentials === 'digest' || parts !== undefined ? ['java.util.UUID'] : []),
    ...(credentials === 'digest' ? ['java.util.regex.Pattern'] : []),
  ];
}

function publisherOf(body: SampleBody | undefined): string {
  if (body === undefined) return 'BodyPublishers.noBody()';
  if (multipartParts(body) !== undefined) return 'BodyPublishers.ofByteArray(data.toByteArray())';
  const text = bodyText(body);
  return `BodyPublishers.ofString(${body.form === undefined ? textBlock(text) : javaText(text)})`;
}

function multipartLines(parts: readonly MultipartPart[]): readonly string[] {
  return [
    '        var boundary = UUID.randomUUID().toString();',
    '        var data = new ByteArrayOutputStream();',
    ...parts.flatMap(({ head, text, file }) => [
      `        data.write(("--" + boundary + "\\r\\nContent-Disposition: form-data; "`,
      `            + ${javaText(`${head}\r\n\r\n`)}).getBytes("UTF-8"));`,
      `        data.write(${file === undefined ? `${javaText(text ?? '')}.getBytes("UTF-8")` : `Files.readAllBytes(Path.of(${javaText(file)}))`});`,
      '        data.write("\\r\\n".getBytes());',
    ]),
    '        data.write(("--" + boundary + "--\\r\\n").getBytes());',
  ];
}

/** A Java string literal. Java has the escapes of JSON. */
function javaText(text: string): string {
  return JSON.stringify(text);
}

/** A text block, whose indentation Java removes. It has escapes, and ends at three quotes. */
function textBlock(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', '""\\"');
  const lines = escaped.replace(/"$/, '\\"').split('\n');
  return ['"""', ...lines.map((line) => `                ${line}`)].join('\n') + '"""';
}

/** Sends a request, and repeats it with the response to the first challenge for Digest (RFC 7616, 3.4). */
const DIGEST = String.raw`    static HttpResponse<String> sendWithDigest(HttpRequest request, String user, String password) throws Exception {
        var client = HttpClient.newHttpClient();
        var response = client.send(request, BodyHandlers.ofString());
        var challenge = response.headers().allValues("WWW-Authenticate").stream()
            .filter(one -> one.startsWith("Digest ")).findFirst().orElse("");
        if (response.statusCode() != 401 || challenge.isEmpty()) {
            return response;
        }
        var parameters = new HashMap<String, String>();
        var found = Pattern.compile("(\\w+)=(?:\"([^\"]*)\"|([^\\s,]+))").matcher(challenge);
        while (found.find()) {
            parameters.put(found.group(1), found.group(2) == null ? found.group(3) : found.group(2));
        }
        var algorithm = parameters.getOrDefault("algorithm", "MD5");
        var realm = parameters.get("realm");
        var nonce = parameters.get("nonce");
        var path = request.uri().getRawPath();
        var query = request.uri().getRawQuery();
        var uri = query == null ? path : path + "?" + query;
        var cnonce = UUID.randomUUID().toString().replace("-", "");
        var answer = hashed(algorithm,
            hashed(algorithm, user, realm, password), nonce, "00000001", cnonce, "auth",
            hashed(algorithm, request.method(), uri));
        var fields = "Digest username=\"" + user + "\", realm=\"" + realm + "\", uri=\"" + uri + "\", nonce=\"" + nonce
            + "\", algorithm=" + algorithm + ", nc=00000001, cnonce=\"" + cnonce + "\", qop=auth, response=\"" + answer + "\""
            + (parameters.containsKey("opaque") ? ", opaque=\"" + parameters.get("opaque") + "\"" : "");
        var again = HttpRequest.newBuilder(request, (name, value) -> true).header("Authorization", fields).build();
        return client.send(again, BodyHandlers.ofString());
    }

    static String hashed(String algorithm, String... parts) throws Exception {
        var digest = MessageDigest.getInstance(algorithm).digest(String.join(":", parts).getBytes("UTF-8"));
        return HexFormat.of().formatHex(digest);
    }`;
