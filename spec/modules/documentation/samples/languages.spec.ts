import fc from 'fast-check';
import {
  SAMPLE_LANGUAGES,
  type SampleLanguage,
} from '../../../../src/modules/documentation/samples/languages';
import type { SampleCall } from '../../../../src/modules/documentation/samples/sample-call';

const post: SampleCall = {
  method: 'POST',
  path: '/v1/things',
  query: ['q=1'],
  accept: 'application/json',
  credentials: 'digest',
  body: { type: 'application/json', value: { name: `It's "red"`, price: '$5' } },
  answersJson: true,
};

const partsOf = (language: SampleLanguage, call: Partial<SampleCall> = {}, origin = 'http://localhost') =>
  SAMPLE_LANGUAGES[language].sampleOf({ ...post, ...call }, origin);
const codeOf = (...parameters: Parameters<typeof partsOf>): string =>
  partsOf(...parameters)
    .map(({ code }) => code)
    .join('\n');

describe('the samples of every language', () => {
  const languages = Object.keys(SAMPLE_LANGUAGES) as SampleLanguage[];

  it.each(languages)('contain the address, the header fields and the body: %s', (language) => {
    const code = codeOf(language);
    for (const text of ['http://localhost/v1/things?q=1', 'application/json', 'red', 'USER'])
      expect([text, code.includes(text)]).toEqual([text, true]);
  });

  it.each(languages)('have the required header fields of the operation: %s', (language) => {
    const code = codeOf(language, { headers: [['If-Match', '"ETAG"']] });
    expect(code).toMatch(/If-Match.*ETAG/);
    expect(codeOf(language)).not.toContain('If-Match');
  });

  it.each(languages)('have no credentials for guests: %s', (language) => {
    const code = codeOf(language, { method: 'GET', body: undefined, credentials: undefined });
    expect(code).not.toMatch(/USER|PASSWORD|CREDENTIALS|Digest/);
    expect(code).not.toContain('red');
  });

  it.each(languages)('have a header field for schemes that they cannot compute: %s', (language) => {
    const bearer = codeOf(language, { credentials: { header: 'Authorization', value: 'Bearer TOKEN' } });
    expect(bearer).toMatch(/Authorization.*Bearer TOKEN/);
    const key = codeOf(language, { credentials: { header: 'X-API-Key', value: 'API_KEY' } });
    expect(key).toMatch(/X-API-Key.*API_KEY/);
    expect(key).not.toContain('Authorization');
  });

  it.each(languages)('have Digest of the client, or a helper: %s', (language) => {
    const helpers = partsOf(language).filter(({ helper }) => helper !== undefined);
    const isLacking = ['javascript', 'python', 'go', 'java', 'ruby'].includes(language);
    expect(helpers.map(({ helper }) => helper)).toEqual(isLacking ? ['digest'] : []);
    for (const { code } of helpers) expect(code).not.toMatch(/USER|PASSWORD/);
    const basic = partsOf(language, { credentials: 'basic' });
    expect(basic.filter(({ helper }) => helper !== undefined)).toEqual([]);
  });
});

describe('the form of a sample', () => {
  const form = [
    { name: 'title', text: 'T' },
    { name: 'a"b', json: '{"k":"\'"}' },
  ];
  const body = { type: 'multipart/form-data', value: {}, form };

  it.each([
    [
      'go',
      [
        '\t"net/textproto"',
        String.raw`"Content-Disposition": {"form-data; name=\"a%22b\""},`,
        '"Content-Type":        {"application/json"},',
        String.raw`part.Write([]byte("{\"k\":\"'\"}"))`,
      ],
    ],
    [
      'csharp',
      [
        String.raw`form.Add(new StringContent("{\"k\":\"'\"}", MediaTypeHeaderValue.Parse("application/json")), "a\"b");`,
      ],
    ],
    [
      'powershell',
      [
        `$form.Add([Net.Http.StringContent]::new('{"k":"''"}', [Text.Encoding]::UTF8, 'application/json'), 'a"b')`,
      ],
    ],
  ] as const)('has the type of a field that is JSON: %s', (language, lines) => {
    const code = codeOf(language, { body });
    expect(lines.filter((line) => !code.includes(line))).toEqual([]);
    expect(code).not.toContain('"os"');
  });
});

describe('a sample for Go', () => {
  it('imports what it uses, in the order of gofmt', () => {
    expect(codeOf('go', { credentials: 'basic' })).toBe(String.raw`package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

func main() {
	request, err := http.NewRequest("POST", "http://localhost/v1/things?q=1", strings.NewReader(${'`'}{
  "name": "It's \"red\"",
  "price": "$5"
}${'`'}))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Content-Type", "application/json")
	request.SetBasicAuth("USER", "PASSWORD")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(response.StatusCode, string(content))
}`);
  });

  it('joins backticks to raw strings, and escapes what Go refuses', () => {
    const code = codeOf(
      'go',
      { body: { type: 'application/json', value: 'a`b\ufeff' } },
      'http://\ufeff\ud800',
    );
    expect(code).toContain('strings.NewReader(`"a` + "`" + `b\\ufeff"`)');
    expect(code).toContain('"http://\\ufeff\ufffd/v1/things?q=1"');
  });
});

describe('a sample for C#', () => {
  it('uses the credentials and the body of HttpClient', () => {
    expect(codeOf('csharp')).toBe(String.raw`using System.Net;
using System.Net.Http.Headers;

var credentials = new CredentialCache
{
    { new Uri("http://localhost"), "Digest", new NetworkCredential("USER", "PASSWORD") },
};
using var client = new HttpClient(new HttpClientHandler { Credentials = credentials });
using var request = new HttpRequestMessage(HttpMethod.Post, "http://localhost/v1/things?q=1");
request.Headers.Add("Accept", "application/json");
request.Content = new StringContent("""
    {
      "name": "It's \"red\"",
      "price": "$5"
    }
    """, MediaTypeHeaderValue.Parse("application/json"));
using var response = await client.SendAsync(request);
Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");`);
  });

  it('delimits raw strings by more quotes than they contain', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: 'grapheme' }),
        fc.array(fc.constantFrom('"', 'x')),
        (value, more) => {
          const code = codeOf('csharp', { body: { type: 'text/plain', value: [value, more.join('')] } });
          const [, fence = '', text = ''] = /StringContent\(("+)\n([\s\S]*?)\n {4}"+, Media/.exec(code)!;
          const runs = (text.match(/"+/g) ?? []).map((run) => run.length);
          expect(fence.length).toBeGreaterThan(Math.max(2, ...runs));
          // Ends of lines in C#, which would need the indentation.
          expect(text).not.toMatch(/[\r\u0085\u2028\u2029]/);
          expect(text.split('\n').every((line) => line.startsWith('    '))).toBe(true);
          expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify([value, more.join('')])));
        },
      ),
    );
  });

  it('escapes every end of a line in strings', () => {
    expect(codeOf('csharp', {}, 'http://\u0085\u2028\u2029\n"\\')).toContain(
      String.raw`"http://\u0085\u2028\u2029\n\"\\/v1/things?q=1"`,
    );
  });
});

describe('a sample for PowerShell', () => {
  it('prompts for the password, and allows plain HTTP where the address has it', () => {
    expect(codeOf('powershell')).toBe(`$request = @{
    Uri = 'http://localhost/v1/things?q=1'
    Method = 'POST'
    Headers = @{
        'Accept' = 'application/json'
    }
    Credential = Get-Credential -UserName 'USER'
    AllowUnencryptedAuthentication = $true
    ContentType = 'application/json'
    Body = [Text.Encoding]::UTF8.GetBytes(@'
{
  "name": "It's \\"red\\"",
  "price": "$5"
}
'@)
}
$response = Invoke-WebRequest @request
"$($response.StatusCode) $($response.Content)"`);
    const https = codeOf('powershell', { credentials: 'basic' }, 'https://api.example.com');
    expect(https).toContain("Authentication = 'Basic'");
    expect(https).not.toContain('AllowUnencryptedAuthentication');
  });

  it('writes every kind of quote twice', () => {
    expect(codeOf('powershell', {}, "http://a'b‘c’d‚e‛f$g")).toContain(
      "'http://a''b‘‘c’’d‚‚e‛‛f$g/v1/things?q=1'",
    );
  });

  it('has no line in a body that would end it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const code = codeOf('powershell', { body: { type: 'application/json', value } });
        const [, text = ''] = /@'\n([\s\S]*?)\n['‘’‚‛]@\)/.exec(code)!;
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
