import { randomBytes } from 'node:crypto';
import type { Brand } from '#core/platform/documents';
import type { Language } from '#shared/languages';
import { type Html, html } from '../html.ts';
import { PAGE_SCRIPT, STYLE_SHEET } from './assets.ts';
import { textsOf } from './languages.ts';
import { brandStyle } from './style.ts';

/** A page with its HTTP status. */
export interface Page {
  readonly status: number;
  readonly title: string;
  readonly main: Html;
  /** True if the page reloads itself until the payment is concluded. */
  readonly waits?: boolean;
  /** Origin of another company to which a form of the page is sent. */
  readonly formOrigin?: string;
}

/** Language and merchant of a page; without a brand the page is neutral. */
interface PageContext {
  readonly language: Language;
  readonly brand: Brand | null;
  readonly isSandbox: boolean;
}

/** A complete document with its content security policy: nothing from other origins, and no script but the file of the page. */
interface Document {
  readonly text: string;
  readonly policy: string;
}

const RELOAD_SECONDS = 3;

export function documentOf({ title, main, waits, formOrigin }: Page, { language, brand, isSandbox }: PageContext): Document {
  const nonce = randomBytes(16).toString('base64');
  const texts = textsOf(language);
  const { markup } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<title>${brand ? `${title} · ${brand.companyName}` : title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_SHEET.url}">
<style nonce="${nonce}">${{ markup: brandStyle(brand) }}</style>
${waits && html`<noscript><meta http-equiv="refresh" content="${RELOAD_SECONDS}"></noscript>`}
<script src="${PAGE_SCRIPT.url}" defer></script>
</head>
<body>
${isSandbox && html`<p class="ribbon" role="note">${texts.sandbox}</p>`}
${brand && html`<header>${head(brand)}</header>`}
<main>
${main}
</main>
${brand && brand.lines.length > 0 && html`<footer class="stack"><p>${texts.contact}</p>${contact(brand)}</footer>`}
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    `form-action ${formOrigin ?? "'self'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
  return { text: markup, policy };
}

function head({ logo, companyName }: Brand): Html {
  if (!logo) return html`<p class="user">${companyName}</p>`;
  return html`<img src="data:${logo.type};base64,${logo.bytes.toString('base64')}" alt="${companyName}">`;
}

function contact({ companyName, lines }: Brand): Html {
  return html`<p><span class="user">${companyName}</span>${lines.map((line) => html`<br><span class="user">${line}</span>`)}</p>`;
}
