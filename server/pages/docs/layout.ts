import { assetOf } from '../asset.ts';
import { type Html, html } from '../html.ts';
import { type Endpoint, endpointsOf, type OpenApiDocument, operationUrl } from './document.ts';
import { type GuideSection, guideUrl } from './guides.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export const STYLE_SHEET = assetOf('docs', 'docs', 'css', STYLE);
export const PAGE_SCRIPT = assetOf('docs', 'docs', 'js', SCRIPT);

const LOGO: Html = {
  markup:
    '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="6" fill="#0f5c73"/><path d="M9 23V9h8.2a4.9 4.9 0 0 1 0 9.8H13" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/><path d="M18 23h5" stroke="#6cc3d8" stroke-width="3" stroke-linecap="round"/></svg>',
};

/** Pages besides those of the operations and the guides. */
const PAGES = [
  ['/docs', 'Introduction'],
  ['/docs/sandbox', 'Sandbox cards'],
  ['/docs/errors', 'Error codes'],
  ['/docs/permissions', 'Permissions'],
  ['/docs/webhooks', 'Webhook events'],
  ['/docs/changelog', 'Changelog'],
] as const;

/** Returns a function that writes pages of the documentation with the navigation of a document. */
export function layoutOf(document: OpenApiDocument, sections: readonly GuideSection[]) {
  const groups = groupsOf(endpointsOf(document));
  return ({ title, url, main }: { readonly title: string; readonly url: string; readonly main: Html }): string => {
    const item = (address: string, label: Html, text: string) =>
      html`<li data-text="${text.toLowerCase()}"><a href="${address}"${address === url ? { markup: ' aria-current="page"' } : ''}>${label}</a></li>`;
    const page = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Paydesk API</title>
<link rel="stylesheet" href="${STYLE_SHEET.url}">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<nav aria-label="Documentation">
<a class="home" href="/docs">${LOGO}Paydesk API</a>
<input id="search" type="search" placeholder="Search operations (/)" aria-label="Search operations">
<details open><summary>API</summary><ul>${PAGES.map(([address, label]) => item(address, html`${label}`, label))}</ul></details>
${sections.map(
  ({ title: heading, guides }) =>
    html`<details${guides.some(({ name }) => guideUrl(name) === url) ? { markup: ' open' } : ''}><summary>${heading}</summary><ul>${guides.map((guide) => item(guideUrl(guide.name), html`${guide.title}`, guide.title))}</ul></details>`,
)}
${groups.map(
  ([tag, endpoints]) =>
    html`<details${endpoints.some(({ operation }) => operationUrl(operation.operationId) === url) ? { markup: ' open' } : ''}><summary>${tag}</summary><ul>${endpoints.map(
      ({ method, path, operation: { operationId, summary } }) =>
        item(
          operationUrl(operationId),
          html`<span class="method ${method}">${method === 'DELETE' ? 'DEL' : method}</span><span>${summary}</span>`,
          `${method} ${path} ${summary} ${operationId}`,
        ),
    )}</ul></details>`,
)}
</nav>
<main id="main">
${main}
</main>
<script src="${PAGE_SCRIPT.url}"></script>
</body>
</html>
`;
    return `<!doctype html>\n${page.markup}`;
  };
}

function groupsOf(endpoints: readonly Endpoint[]): [string, Endpoint[]][] {
  const groups = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const [tag = ''] = endpoint.operation.tags;
    groups.set(tag, [...(groups.get(tag) ?? []), endpoint]);
  }
  return [...groups];
}
