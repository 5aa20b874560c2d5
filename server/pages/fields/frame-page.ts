import { escapeHtml, type Language } from '#core/platform/documents';
import { assetOf } from '../asset.ts';
import { FRAME_SCRIPT } from './frame-script.ts';

const STYLE = `
:root{--fields-ink:#14181F;--fields-paper:#FFFFFF;--fields-edge:#8590A0;--fields-size:16px}
*{box-sizing:border-box}
html{background:transparent;overflow:hidden}
body{margin:0;padding:4px;color:var(--fields-ink);font:var(--fields-size)/1.4 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.row{display:grid;grid-template-columns:1fr;gap:12px}
@media (min-width:420px){.row{grid-template-columns:2fr 1fr}}
label{display:block;font-weight:600}
.box{position:relative}
input{display:block;width:100%;min-height:48px;margin-top:4px;padding:8px 12px;border:1px solid var(--fields-edge);border-radius:6px;background:var(--fields-paper);
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

interface FrameWords {
  readonly title: string;
  readonly number: { readonly label: string; readonly missing: string; readonly wrong: string };
  readonly expiry: { readonly label: string; readonly missing: string; readonly wrong: string };
  readonly expired: string;
  readonly failed: string;
  /** Texts by error code. */
  readonly codes: Readonly<Record<string, string>>;
  readonly needsScript: string;
}

const WORDS: Readonly<Record<Language, FrameWords>> = {
  en: {
    title: 'Card details',
    number: {
      label: 'Card number',
      missing: 'Type the card number.',
      wrong: 'This is not a card number. Compare it with the card.',
    },
    expiry: {
      label: 'Expiry (MM/YY)',
      missing: 'Type the expiry date.',
      wrong: 'Type month and year of the expiry, as 08/29.',
    },
    expired: 'This card has expired. Use another one.',
    failed: 'The card could not be read in. Nothing was charged; try again.',
    codes: {
      TOKEN_EXPIRED: 'This page was open for too long. Load it again.',
      TOKEN_INVALID: 'This page was open for too long. Load it again.',
      UNAUTHORIZED: 'This page may not take cards. Load it again.',
      RATE_LIMIT_EXCEEDED: 'Too many tries. Wait a minute.',
    },
    needsScript: 'The card fields need JavaScript.',
  },
  es: {
    title: 'Datos de la tarjeta',
    number: {
      label: 'Número de tarjeta',
      missing: 'Escriba el número de tarjeta.',
      wrong: 'No es un número de tarjeta. Compárelo con la tarjeta.',
    },
    expiry: {
      label: 'Vencimiento (MM/AA)',
      missing: 'Escriba la fecha de vencimiento.',
      wrong: 'Escriba mes y año de vencimiento, como 08/29.',
    },
    expired: 'Esta tarjeta está vencida. Use otra.',
    failed: 'No se pudo leer la tarjeta. No se cobró nada; intente otra vez.',
    codes: {
      TOKEN_EXPIRED: 'Esta página estuvo abierta demasiado tiempo. Cárguela otra vez.',
      TOKEN_INVALID: 'Esta página estuvo abierta demasiado tiempo. Cárguela otra vez.',
      UNAUTHORIZED: 'Esta página no puede tomar tarjetas. Cárguela otra vez.',
      RATE_LIMIT_EXCEEDED: 'Demasiados intentos. Espere un minuto.',
    },
    needsScript: 'Los campos de la tarjeta necesitan JavaScript.',
  },
};

/** The document of the frame: nothing of anybody else's, and a shop of any origin may hold it. */
export function framePage(language: Language): string {
  const { title, number, expiry, expired, failed, codes, needsScript } = WORDS[language];
  const words = escapeHtml(JSON.stringify({ number, expiry, expired, failed, codes }));
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
<body data-words="${words}">
<main class="row">
<div>${field('number', number.label, 'cc-number', 30)}</div>
<div>${field('expiry', expiry.label, 'cc-exp', 9)}</div>
</main>
<noscript><p>${escapeHtml(needsScript)}</p></noscript>
</body>
</html>
`;
}

export const FRAME_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors *";
