import { escapeHtml } from '#core/platform/documents';
import type { Language } from '#shared/languages';
import { assetOf } from '../asset.ts';
import { FRAME_SCRIPT } from './frame-script.ts';

const STYLE = `
:root{--fields-ink:#14181F;--fields-background:#FFFFFF;--fields-edge:#8590A0;--fields-size:16px}
*{box-sizing:border-box}
html{background:transparent;overflow:hidden}
body{margin:0;padding:4px;color:var(--fields-ink);font:var(--fields-size)/1.4 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.row{display:grid;grid-template-columns:1fr;gap:12px}
@media (min-width:420px){.row{grid-template-columns:2fr 1fr}}
label{display:block;font-weight:600}
.box{position:relative}
input{display:block;width:100%;min-height:48px;margin-top:4px;padding:8px 12px;border:1px solid var(--fields-edge);border-radius:6px;background:var(--fields-background);
color:var(--fields-ink);font:inherit;font-variant-numeric:tabular-nums}
input:focus-visible{outline:3px solid #0F5C73;outline-offset:1px}
input[aria-invalid=true]{border:2px solid #A8231C}
#brand{position:absolute;inset-inline-end:12px;bottom:14px;font-size:.875em;pointer-events:none}
.fault{margin:4px 0 0;font-size:.875em;font-weight:600}
.fault:empty{margin:0}
`;

const STYLE_SHEET = assetOf('fields', 'card', 'css', STYLE);
const SCRIPT = assetOf('fields', 'card', 'js', FRAME_SCRIPT);
export const FRAME_ASSETS = [STYLE_SHEET, SCRIPT];

const TEXTS = {
  en: {
    title: 'Card details',
    number: {
      label: 'Card number',
      missing: 'Enter the card number.',
      wrong: 'This is not a valid card number. Compare it with the card.',
    },
    expiry: {
      label: 'Expiry (MM/YY)',
      missing: 'Enter the expiry date.',
      wrong: 'Enter the month and year, such as 08/29.',
    },
    expired: 'This card has expired. Use another one.',
    failed: 'The card could not be stored. Nothing was charged. Try again.',
    /** Texts by error code. */
    codes: {
      TOKEN_EXPIRED: 'This page was open for too long. Load it again.',
      TOKEN_INVALID: 'This page was open for too long. Load it again.',
      UNAUTHORIZED: 'This page is not allowed to accept cards. Load it again.',
      RATE_LIMIT_EXCEEDED: 'Too many attempts. Wait a minute.',
    },
    needsScript: 'The card fields require JavaScript.',
  },
  es: {
    title: 'Datos de la tarjeta',
    number: {
      label: 'Número de tarjeta',
      missing: 'Escriba el número de tarjeta.',
      wrong: 'No es un número de tarjeta válido. Compárelo con la tarjeta.',
    },
    expiry: {
      label: 'Vencimiento (MM/AA)',
      missing: 'Escriba la fecha de vencimiento.',
      wrong: 'Escriba el mes y el año, por ejemplo 08/29.',
    },
    expired: 'Esta tarjeta está vencida. Use otra.',
    failed: 'No se pudo guardar la tarjeta. No se cobró nada. Intente otra vez.',
    codes: {
      TOKEN_EXPIRED: 'Esta página estuvo abierta demasiado tiempo. Cárguela otra vez.',
      TOKEN_INVALID: 'Esta página estuvo abierta demasiado tiempo. Cárguela otra vez.',
      UNAUTHORIZED: 'Esta página no está autorizada a aceptar tarjetas. Cárguela otra vez.',
      RATE_LIMIT_EXCEEDED: 'Demasiados intentos. Espere un minuto.',
    },
    needsScript: 'Los campos de la tarjeta necesitan JavaScript.',
  },
};

/** Returns the document of the frame. It loads nothing from other origins; pages of any origin may embed it. */
export function framePage(language: Language): string {
  const { title, number, expiry, expired, failed, codes, needsScript } = TEXTS[language];
  const texts = escapeHtml(JSON.stringify({ number, expiry, expired, failed, codes }));
  const field = (id: 'number' | 'expiry', label: string, autocomplete: string, length: number) =>
    `<div class="box"><label for="${id}">${escapeHtml(label)}</label>
<input id="${id}" type="text" inputmode="numeric" autocomplete="${autocomplete}" maxlength="${length}" required spellcheck="false">${id === 'number' ? '<span id="brand"></span>' : ''}</div>
<p class="fault" id="${id}-fault" role="alert"></p>`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_SHEET.url}">
<script src="${SCRIPT.url}" defer></script>
</head>
<body data-texts="${texts}">
<div class="row">
<div>${field('number', number.label, 'cc-number', 30)}</div>
<div>${field('expiry', expiry.label, 'cc-exp', 9)}</div>
</div>
<noscript><p>${escapeHtml(needsScript)}</p></noscript>
</body>
</html>
`;
}

export const FRAME_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors *";
