import { unicodeEscape } from '../../../../framework';
import { bodyText, headerFields, type SamplePart } from '../request-parts';
import { partHead } from '../../../content-negotiation';
import { JSON_TYPE, MULTIPART } from '../form-fields';
import { addressOf, type SampleBody, type SampleCall } from '../sample-call';

/** Returns a program for Go. net/http does not support Digest: the sample includes RFC 7616. */
export function goSample(call: SampleCall, origin: string): readonly SamplePart[] {
  const { method, credentials, body } = call;
  const isDigest = credentials === 'digest';
  const send = isDigest ? 'sendWithDigest(request, "USER", "PASSWORD")' : 'http.DefaultClient.Do(request)';
  const code = [
    'package main',
    '',
    'import (',
    ...packagesOf(call).map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...multipartLines(body),
    `\trequest, err := http.NewRequest(${goText(method)}, ${goText(addressOf(call, origin))}, ${readerOf(body)})`,
    ...FAIL,
    ...headerFields(call).map(([name, value]) => `\trequest.Header.Set(${goText(name)}, ${goText(value)})`),
    ...(isMultipart(body) ? ['\trequest.Header.Set("Content-Type", form.FormDataContentType())'] : []),
    ...(credentials === 'basic' ? ['\trequest.SetBasicAuth("USER", "PASSWORD")'] : []),
    `\tresponse, err := ${send}`,
    ...FAIL,
    '\tdefer response.Body.Close()',
    '\tcontent, err := io.ReadAll(response.Body)',
    ...FAIL,
    '\tfmt.Println(response.StatusCode, string(content))',
    '}',
  ].join('\n');
  return isDigest ? [{ code: `${code}\n` }, { code: DIGEST, helper: 'digest' }] : [{ code }];
}

const FAIL = ['\tif err != nil {', '\t\tpanic(err)', '\t}'];

const isMultipart = (body: SampleBody | undefined): boolean =>
  body?.type === MULTIPART && body.form !== undefined;

/** The imported packages, in the order of gofmt. */
function packagesOf({ credentials, body }: SampleCall): readonly string[] {
  const names = new Set(['fmt', 'io', 'net/http']);
  if (credentials === 'digest') for (const name of DIGEST_PACKAGES) names.add(name);
  if (isMultipart(body)) for (const name of ['bytes', 'mime/multipart']) names.add(name);
  for (const field of (isMultipart(body) ? body?.form : undefined) ?? []) {
    if (!('text' in field)) names.add('net/textproto');
    if ('file' in field) names.add('os');
  }
  if (body !== undefined && !isMultipart(body)) names.add('strings');
  return [...names].sort();
}

function readerOf(body: SampleBody | undefined): string {
  if (body === undefined) return 'nil';
  if (isMultipart(body)) return '&data';
  const text = bodyText(body);
  return `strings.NewReader(${body.form === undefined ? rawText(text) : goText(text)})`;
}

function multipartLines(body: SampleBody | undefined): readonly string[] {
  if (body?.form === undefined || !isMultipart(body)) return [];
  const fields = body.form.flatMap((field) => {
    if ('text' in field) return [`\tform.WriteField(${goText(field.name)}, ${goText(field.text)})`];
    const [head, type] =
      'file' in field
        ? [partHead(field.name, undefined, field.file), field.type]
        : [partHead(field.name), JSON_TYPE];
    return [
      '\t{',
      ...('file' in field
        ? [`\t\tfile, err := os.ReadFile(${goText(field.file)})`, ...FAIL.map((line) => `\t${line}`)]
        : []),
      '\t\tpart, _ := form.CreatePart(textproto.MIMEHeader{',
      `\t\t\t"Content-Disposition": {${goText(`form-data; ${head}`)}},`,
      `\t\t\t"Content-Type":        {${goText(type)}},`,
      '\t\t})',
      `\t\tpart.Write(${'file' in field ? 'file' : `[]byte(${goText(field.json)})`})`,
      '\t}',
    ];
  });
  return ['\tvar data bytes.Buffer', '\tform := multipart.NewWriter(&data)', ...fields, '\tform.Close()'];
}

/** A Go string literal. Go has the escapes of JSON, except for halves of surrogate pairs; it refuses byte order marks. */
function goText(text: string): string {
  return JSON.stringify(text.replace(/\p{Cs}/gu, '\ufffd')).replaceAll('\ufeff', unicodeEscape);
}

/** A raw string literal, which spans lines and cannot contain a backtick. */
function rawText(text: string): string {
  return `\`${text.replaceAll('`', '` + "`" + `')}\``;
}

const DIGEST_PACKAGES = ['crypto/md5', 'crypto/rand', 'crypto/sha256', 'hash', 'regexp', 'strings'];

/** Sends a request, and repeats it with the response to the first challenge for Digest (RFC 7616, 3.4). */
const DIGEST = String.raw`func sendWithDigest(request *http.Request, user, password string) (*http.Response, error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode != http.StatusUnauthorized {
		return response, err
	}
	challenge := ""
	for _, one := range response.Header.Values("WWW-Authenticate") {
		if challenge == "" && strings.HasPrefix(one, "Digest ") {
			challenge = one
		}
	}
	if challenge == "" {
		return response, nil
	}
	response.Body.Close()
	parameters := map[string]string{"algorithm": "MD5"}
	for _, found := range regexp.MustCompile(${'`'}(\w+)=(?:"([^"]*)"|([^\s,]+))${'`'}).FindAllStringSubmatch(challenge, -1) {
		parameters[found[1]] = found[2] + found[3]
	}
	algorithm, realm, nonce := parameters["algorithm"], parameters["realm"], parameters["nonce"]
	newHash := map[string]func() hash.Hash{"MD5": md5.New, "SHA-256": sha256.New}[algorithm]
	if newHash == nil {
		return nil, fmt.Errorf("unsupported algorithm %q", algorithm)
	}
	hashed := func(parts ...string) string {
		sum := newHash()
		io.WriteString(sum, strings.Join(parts, ":"))
		return fmt.Sprintf("%x", sum.Sum(nil))
	}
	random := make([]byte, 8)
	if _, err := rand.Read(random); err != nil {
		return nil, err
	}
	uri, nc, cnonce := request.URL.RequestURI(), "00000001", fmt.Sprintf("%x", random)
	fields := []string{
		fmt.Sprintf(${'`'}username="%s", realm="%s", uri="%s", nonce="%s"${'`'}, user, realm, uri, nonce),
		fmt.Sprintf("algorithm=%s, nc=%s, cnonce=\"%s\", qop=auth", algorithm, nc, cnonce),
		fmt.Sprintf(${'`'}response="%s"${'`'}, hashed(
			hashed(user, realm, password), nonce, nc, cnonce, "auth", hashed(request.Method, uri),
		)),
	}
	if opaque, found := parameters["opaque"]; found {
		fields = append(fields, fmt.Sprintf(${'`'}opaque="%s"${'`'}, opaque))
	}
	again := request.Clone(request.Context())
	if request.GetBody != nil {
		if again.Body, err = request.GetBody(); err != nil {
			return nil, err
		}
	}
	again.Header.Set("Authorization", "Digest "+strings.Join(fields, ", "))
	return http.DefaultClient.Do(again)
}`;
