/** A request of the documentation, with placeholders for the credentials. */
interface ExampleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const pretty = (body: unknown) => JSON.stringify(body, null, 2);
const single = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Languages of the examples, with a function that writes a request in it. Each program runs as it is, without a package. */
export const LANGUAGES: Readonly<Record<string, (request: ExampleRequest) => string>> = {
  curl({ method, url, headers, body }) {
    const lines = [
      `curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'`,
      ...Object.entries(headers).map(([name, value]) => `  -H '${name}: ${value}'`),
      ...(body === undefined ? [] : [`  -d '${pretty(body).replaceAll("'", "'\\''")}'`]),
    ];
    return lines.join(' \\\n');
  },

  Node({ method, url, headers, body }) {
    return `const response = await fetch('${url}', {
  method: '${method}',
  headers: ${pretty(headers).replaceAll('\n', '\n  ')},${body === undefined ? '' : `\n  body: JSON.stringify(${pretty(body).replaceAll('\n', '\n  ')}),`}
});
console.log(response.status, await response.json());`;
  },

  Python({ method, url, headers, body }) {
    return `import json, urllib.error, urllib.request

request = urllib.request.Request(
    "${url}",
    method="${method}",
    headers=${pretty(headers).replaceAll('\n', '\n    ')},${body === undefined ? '' : `\n    data=json.dumps(${python(body).replaceAll('\n', '\n    ')}).encode(),`}
)
try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    response = error
print(response.status, json.load(response))`;
  },

  PHP({ method, url, headers, body }) {
    const lines = Object.entries(headers).map(([name, value]) => `        ${single(`${name}: ${value}`)},`);
    return `<?php
$context = stream_context_create(['http' => [
    'method' => '${method}',
    'ignore_errors' => true,
    'header' => [
${lines.join('\n')}
    ],${body === undefined ? '' : `\n    'content' => json_encode(json_decode(${single(pretty(body))})),`}
]]);
$response = file_get_contents('${url}', false, $context);
var_dump($http_response_header[0], json_decode($response));`;
  },

  'C#'({ method, url, headers, body }) {
    const own = Object.entries(headers).filter(([name]) => name !== 'Content-Type');
    return `using System.Text;

using var client = new HttpClient();
var request = new HttpRequestMessage(HttpMethod.${method.charAt(0)}${method.slice(1).toLowerCase()}, "${url}");
${own.map(([name, value]) => `request.Headers.TryAddWithoutValidation("${name}", "${value}");`).join('\n')}${
  body === undefined ? '' : `\nrequest.Content = new StringContent("""\n${pretty(body)}\n""", Encoding.UTF8, "application/json");`
}
var response = await client.SendAsync(request);
Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");`;
  },
};

/** Returns a value as a Python literal. */
function python(value: unknown): string {
  return pretty(value)
    .replaceAll(/: true\b/g, ': True')
    .replaceAll(/: false\b/g, ': False')
    .replaceAll(/: null\b/g, ': None');
}
