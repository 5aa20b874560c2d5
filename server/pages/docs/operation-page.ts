import { ERROR_CATALOG } from '#server/openapi';
import { type Html, html } from '../html.ts';
import { cardTable } from './cards.ts';
import { type DocumentedParameter, type Endpoint, headersOf, type OpenApiDocument, resolved } from './document.ts';
import { fieldTable, line, typeOf } from './fields.ts';
import { LANGUAGES } from './snippets.ts';

const JSON_TYPE = 'application/json';
const EXAMPLE_SERVER = 'http://127.0.0.1:4801';
const CARD_FIELD = /"(number|cardNumber|CardNumber)": "\d+"/;

/** Returns the page of an operation: fields, responses, errors, code in five languages, and a form that sends the request. */
export function operationPage(document: OpenApiDocument, endpoint: Endpoint): Html {
  const { method, path, operation } = endpoint;
  const parameters = operation.parameters.map((parameter) => resolved(document, parameter));
  const body = operation.requestBody?.content[JSON_TYPE];
  const example = body === undefined ? '' : JSON.stringify(body.example, null, 2);
  const [status = '200', first] = Object.entries(operation.responses)[0] ?? [];
  const success = first && resolved(document, first);
  const [type = JSON_TYPE, content] = Object.entries(success?.content ?? {})[0] ?? [];
  return html`<h1>${operation.summary}</h1>
<p class="url"><span class="method ${method}">${method}</span> <code>${path}</code></p>
<p>${line(operation.description)}</p>
${permissionLine(endpoint)}
<div class="columns">
<section aria-label="Code">${snippets(endpoint, parameters)}</section>
<section aria-label="Try it">${form(endpoint, parameters, example)}</section>
</div>
${CARD_FIELD.test(example) && html`<details class="card"><summary>Sandbox cards</summary>${cardTable(true)}</details>`}
${parameters.length > 0 && html`<h2>Parameters</h2>${parameterTable(document, parameters)}`}
${body !== undefined && html`<h2>Request body</h2>${fieldTable(document, body.schema, true)}`}
<h2>Response ${status}</h2>
${type === JSON_TYPE && content ? html`${fieldTable(document, content.schema, false)}${responseExample(document, endpoint)}` : html`<p><code>${type}</code></p>`}
<h2>Errors</h2>
${errorTable(document, endpoint)}`;
}

const PERMISSION_TEXTS = {
  public: 'an API key in `x-api-key` and the tenant in `X-Tenant-ID`',
  sdk: 'an API key as `Authorization: Bearer`',
  admin: 'the access token of a signed-in user as `Authorization: Bearer`, and the tenant in `X-Tenant-ID`. API keys are not accepted here',
  open: 'no credential',
} as const;

function permissionLine({ surface, operation }: Endpoint): Html {
  const permission = operation['x-permission'];
  const needed = [permission === 'session' ? undefined : permission, operation['x-export-permission']]
    .filter((each) => each !== undefined)
    .map((each) => ` Permission: \`${each}\`.`)
    .join('');
  return html`<p class="quiet">${line(`Requires ${PERMISSION_TEXTS[surface]}.${needed}`)}</p>`;
}

function snippets(endpoint: Endpoint, parameters: readonly DocumentedParameter[]): Html {
  const { method, path, operation } = endpoint;
  const query = parameters
    .filter(({ in: place, required }) => place === 'query' && required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example ?? 'text'))}`);
  const filled = parameters.reduce((url, { name, example }) => url.replace(`{${name}}`, String(example ?? name)), path);
  const key: Record<string, string> = parameters.some(({ name }) => name === 'Idempotency-Key') ? { 'Idempotency-Key': 'order-1001' } : {};
  const request = {
    method,
    url: `${EXAMPLE_SERVER}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: { ...headersOf(endpoint), ...key },
    body: operation.requestBody?.content[JSON_TYPE]?.example,
  };
  const languages = Object.entries(LANGUAGES);
  return html`<div class="bar tools"><div role="tablist" aria-label="Language" class="bar">${languages.map(
    ([name], index) =>
      html`<button type="button" role="tab" id="tab-${index}" aria-controls="code-${index}" aria-selected="${index === 0 ? 'true' : 'false'}" data-language="${name}">${name}</button>`,
  )}</div><button type="button" data-copy>Copy</button></div>
${languages.map(
  ([, write], index) =>
    html`<div role="tabpanel" id="code-${index}" aria-labelledby="tab-${index}"${index > 0 && { markup: ' hidden' }}><pre tabindex="0"><code data-snippet>${write(request)}</code></pre></div>`,
)}`;
}

function form({ method, path, surface, operation }: Endpoint, parameters: readonly DocumentedParameter[], example: string): Html {
  if (operation.requestBody !== undefined && example === '')
    return html`<p class="card quiet">This operation takes a file. Use the code on the left.</p>`;
  const credential = (name: string, label: string) =>
    html`<label>${label}<input data-credential="${name}" autocomplete="off" spellcheck="false"></label>`;
  const fields = parameters.filter(({ in: place }) => place !== 'header');
  return html`<form id="try" class="card" data-method="${method}" data-path="${path}" data-surface="${surface}">
${(surface === 'public' || surface === 'sdk') && credential('apiKey', 'API key')}
${surface === 'admin' && credential('token', 'Access token')}
${surface !== 'sdk' && surface !== 'open' && credential('tenantId', 'Tenant ID')}
${fields.map(
  ({ name, in: place, required, schema, example: value }) =>
    html`<label>${name} <span class="quiet">${place === 'path' ? '' : required ? '' : 'optional'}</span>${
      schema.enum
        ? html`<select data-parameter="${name}" data-in="${place}"><option value=""></option>${schema.enum.map((each) => html`<option>${String(each)}</option>`)}</select>`
        : html`<input data-parameter="${name}" data-in="${place}" value="${place === 'path' ? String(value ?? '') : ''}">`
    }</label>`,
)}
${parameters.some(({ name }) => name === 'Idempotency-Key') && html`<label>Idempotency-Key <span class="quiet">optional</span><input id="idempotency-key"></label>`}
${example !== '' && html`<label>Body<textarea id="body" spellcheck="false">${example}</textarea></label>`}
<button class="main">Send request</button>
<div id="response-box" aria-live="polite" hidden><p class="bar"><span id="response-status" class="status"></span><a id="response-help" hidden></a></p><pre tabindex="0"><code id="response"></code></pre></div>
</form>`;
}

function parameterTable(document: OpenApiDocument, parameters: readonly DocumentedParameter[]): Html {
  return html`<div class="scroll"><table><thead><tr><th>Name</th><th>In</th><th>Type</th><th>Required</th><th>Description</th></tr></thead><tbody>${parameters.map(
    ({ name, in: place, required, schema, description }) =>
      html`<tr><td><code>${name}</code></td><td>${place}</td><td>${typeOf(document, schema)}</td><td>${required ? 'yes' : ''}</td><td>${line(description ?? '')}</td></tr>`,
  )}</tbody></table></div>`;
}

function responseExample(document: OpenApiDocument, { operation }: Endpoint): Html | false {
  const [success] = Object.values(operation.responses);
  const [example] = Object.values((success && resolved(document, success))?.content[JSON_TYPE]?.examples ?? {});
  if (example === undefined) return false;
  const { value } = resolved(document, example as { $ref?: string; value?: unknown });
  return html`<h3>Example</h3><pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}

function errorTable(document: OpenApiDocument, { operation }: Endpoint): Html {
  const rows = Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) =>
      resolved(document, response)
        .description.split(', ')
        .map((code) => [status, code] as const),
    )
    .toSorted(([one], [other]) => Number(one) - Number(other));
  return html`<div class="scroll"><table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.map(
    ([status, code]) =>
      html`<tr><td>${status}</td><td><a href="/docs/errors/${code}">${code}</a></td><td>${line(ERROR_CATALOG[code as keyof typeof ERROR_CATALOG]?.meaning ?? '')}</td></tr>`,
  )}</tbody></table></div>`;
}
