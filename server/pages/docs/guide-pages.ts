import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ERRORS, type ErrorCode } from '#core/kernel';
import { ERROR_CATALOG, exampleOfError } from '#server/openapi';
import { type Html, html } from '../html.ts';
import { cardTable } from './cards.ts';
import type { OpenApiDocument } from './document.ts';
import { fieldTable, line } from './fields.ts';
import { markdown } from './markdown.ts';

/** Returns the introduction of the documentation, with the OpenAPI document. */
export function introductionPage({ info }: OpenApiDocument): Html {
  return html`<h1>${info.title}</h1>
<p class="quiet">Version ${info.version}. Everything on these pages comes from this server and works without the internet.</p>
<div class="card"><strong>Download</strong>
<p class="small">Postman, Bruno and other programs make a collection of all operations from it: import its address.</p>
<p class="bar"><a href="/openapi.json">OpenAPI document</a></p></div>
${markdown(info.description)}
<h2 id="sandbox-cards">Sandbox cards</h2>
${cardTable(false)}`;
}

export const sandboxPage = (): Html => html`<h1>Sandbox cards</h1>
<p>A card number that is not in the table is approved. Any later expiry date is accepted. Security code 901 gives a CVV mismatch, ZIP code 46205 an address mismatch. Amounts of exactly 1,000.00, and of 100,000.00 or more, exceed the limit.</p>
${cardTable(false)}`;

/** Returns the list of all error codes. */
export function errorsPage(): Html {
  const rows = (Object.keys(ERRORS) as ErrorCode[]).map(
    (code) =>
      html`<tr><td><a href="/docs/errors/${code}">${code}</a></td><td>${statusOf(code)}</td><td>${line(ERROR_CATALOG[code].meaning)}</td></tr>`,
  );
  return html`<h1>Error codes</h1>
<p>Every failed request has one of these codes. Compare the code, because messages are for people and may change.</p>
<div class="scroll"><table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

const statusOf = (code: ErrorCode) => (ERROR_CATALOG[code].isDecline ? '200 (decline)' : String(ERRORS[code]));

/** Returns the page of an error code: meaning, causes, remedy and an example. */
export function errorPage(code: ErrorCode): Html {
  const { meaning, causes, remedy, message, details, isDecline } = ERROR_CATALOG[code];
  const example = isDecline
    ? {
        success: false,
        data: { status: 'declined', errorCode: code, declineReason: message, ...(details === undefined ? {} : { details }) },
      }
    : exampleOfError(code);
  return html`<h1>${code}</h1>
<p class="quiet">${isDecline ? line('Not an HTTP error: a declined payment or refund has this code as `errorCode`, with HTTP status 200.') : `HTTP status ${ERRORS[code]}`}</p>
<p>${line(meaning)}</p>
<h2>Causes</h2>
<ul>${causes.map((cause) => html`<li>${line(cause)}</li>`)}</ul>
<h2>What to do</h2>
<p>${line(remedy)}</p>
<h2>Example</h2>
<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>`;
}

/** Returns the list of webhook events with the fields of their data. */
export function webhooksPage(document: OpenApiDocument): Html {
  return html`<h1>Webhook events</h1>
<p>Paydesk sends a signed request to each endpoint that subscribed to the event. Only a response with status 200 ends the delivery.</p>
${Object.entries(document.webhooks).map(([type, { post }]) => {
  const content = post.requestBody?.content['application/json'];
  return (
    content &&
    html`<details class="card"><summary><code>${type}</code></summary>${fieldTable(document, content.schema, false)}<h3>Example</h3><pre tabindex="0"><code>${JSON.stringify(content.example, null, 2)}</code></pre></details>`
  );
})}`;
}

/** Returns the changelog of this version. */
export function changelogPage(): Html {
  return markdown(readChangelog(import.meta.dirname));
}

/** Finds CHANGELOG.md above this file: the server runs from its sources, from a bundle, or from the desktop application. */
function readChangelog(folder: string): string {
  const file = join(folder, 'CHANGELOG.md');
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const parent = dirname(folder);
  return parent === folder ? '# Changelog\n\nThis installation does not contain the changelog.' : readChangelog(parent);
}
