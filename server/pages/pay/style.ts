import { type Brand, readableColor } from '#core/platform/documents';
import { TYPEFACE_STYLE } from '../typeface.ts';

const CARD_COLOR = { light: '#F6F7F9', dark: '#171C22' } as const;
const BUTTON_TEXT_COLOR = { light: '#FFFFFF', dark: '#0D1216' } as const;
const DEFAULT_COLOR = '#0F5C73';

/** Returns the merchant's color in both color schemes, adjusted until text on it and in it has a contrast of at least 4.5 to 1. */
export function brandStyle(brand: Pick<Brand, 'primaryColor'> | null): string {
  const color = brand?.primaryColor ?? DEFAULT_COLOR;
  const set = (scheme: 'light' | 'dark') =>
    `:root{--brand:${readableColor(color, CARD_COLOR[scheme])};--on-brand:${BUTTON_TEXT_COLOR[scheme]}}`;
  return `${set('light')}@media (prefers-color-scheme:dark){${set('dark')}}`;
}

/** Style sheet of the payment pages: one column from 360 pixels, two where both fit, the typeface of the screens, both color schemes. */
export const STYLE = `${TYPEFACE_STYLE}:root{color-scheme:light dark;--ground:#F6F7F9;--card:#FFF;--ink:#14181F;--quiet:#556070;--line:#E0E4E9;--edge:#8590A0;--wash:#F1F3F6;
--good:#17683D;--good-wash:#E6F4EC;--warn:#855000;--warn-wash:#FDF1DC;--bad:#A8231C;--bad-wash:#FCE9E7}
@media (prefers-color-scheme:dark){:root{--ground:#101418;--card:#171C22;--ink:#E6E9ED;--quiet:#9AA5B1;--line:#2A323B;--edge:#6A7585;--wash:#1D232A;
--good:#6FD19D;--good-wash:#16302A;--warn:#E9B45B;--warn-wash:#33290F;--bad:#F49A92;--bad-wash:#3A1D1C}}
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-bottom:96px}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
overflow-wrap:anywhere;border-top:6px solid var(--brand)}
.ribbon{margin:0;padding:6px 16px;background:var(--warn-wash);color:var(--warn);text-align:center;font-size:14px;font-weight:600}
header,main,footer{max-width:544px;margin:0 auto;padding:0 16px}
main:first-child,.ribbon+main{padding-top:20px}
header{padding-top:20px;padding-bottom:12px}
header img{display:block;max-width:220px;max-height:56px}
header p{margin:0;font-size:18px;font-weight:650}
h1{font-size:20px;line-height:1.3;margin:0}
h2{font-size:16px;line-height:1.4;margin:0}
p{margin:0}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:20px 16px;margin:0 0 16px}
.stack>*+*{margin-top:12px}
.quiet{color:var(--quiet)}
.small{font-size:14px}
.sum{font-size:36px;line-height:1.15;font-weight:650;font-variant-numeric:tabular-nums}
.user{unicode-bidi:isolate}
.warn{color:var(--warn);font-weight:600}
table{width:100%;border-collapse:collapse;font-size:15px}
th{text-align:start;font-weight:600;font-size:13px;color:var(--quiet);padding:0 0 6px}
td{padding:8px 0;border-top:1px solid var(--line);vertical-align:top}
th:last-child,td:last-child{text-align:end;white-space:nowrap;padding-inline-start:16px;font-variant-numeric:tabular-nums}
tfoot td{font-size:15px}
tfoot tr:first-child td{border-top:2px solid var(--line)}
tfoot tr+tr td{border-top:0;padding-top:0}
tfoot tr:last-child td{font-weight:650}
a{color:var(--brand);text-underline-offset:2px}
.action{display:inline-flex;align-items:center;min-height:44px}
.button,button{display:block;width:100%;min-height:52px;padding:12px 16px;border:0;border-radius:6px;background:var(--brand);color:var(--on-brand);
font:inherit;font-size:18px;font-weight:650;text-align:center;text-decoration:none;cursor:pointer}
button[aria-disabled=true]{cursor:progress;opacity:.75}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
form{display:block}
fieldset{border:0;margin:0;padding:0;min-width:0}
legend{padding:0;font-weight:600}
.field{margin-top:16px}
form>[type=hidden]+:not([type=hidden]){margin-top:0}
form>.number:first-child>.field{margin-top:0}
.press{margin:24px -16px -20px;padding:12px 16px;position:sticky;bottom:0;z-index:1;background:var(--card);border-top:1px solid var(--line);border-radius:0 0 8px 8px}
.field label,.field legend{display:block;font-weight:600;font-size:15px}
.hint{display:block;color:var(--quiet);font-size:14px}
.wrong{display:block;color:var(--bad);font-size:14px;font-weight:600}
input[type=text],input[type=email]{display:block;width:100%;min-height:48px;margin-top:4px;padding:10px 12px;border:1px solid var(--edge);border-radius:6px;
background:var(--card);color:var(--ink);font:inherit;font-variant-numeric:tabular-nums}
select{display:block;width:100%;min-height:48px;margin-top:4px;padding:10px 12px;border:1px solid var(--edge);border-radius:6px;
background:var(--card);color:var(--ink);font:inherit}
input[aria-invalid=true],select[aria-invalid=true]{border:2px solid var(--bad)}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 12px;align-items:end}
.pair .field{min-width:0}
@media (max-width:339px){.pair{grid-template-columns:1fr}}
.choices{display:flex;flex-wrap:wrap;gap:8px;margin-top:4px}
.choices label{display:flex;align-items:center;gap:10px;flex:1 1 140px;min-height:48px;padding:8px 12px;border:1px solid var(--edge);border-radius:6px;
font-weight:600;cursor:pointer}
.choices label:has(:checked){border-color:var(--brand);box-shadow:inset 0 0 0 1px var(--brand)}
.choices label:has(:focus-visible){outline:3px solid var(--brand);outline-offset:2px}
.choices input{width:20px;height:20px;margin:0;flex:none;accent-color:var(--brand)}
.choices input:focus-visible{outline:0}
.method{margin-top:16px}
.method>legend{font-size:17px}
.shipping{margin-top:24px}
.shipping>legend{font-size:17px}
.person{margin-top:20px;padding-top:4px;border-top:1px solid var(--line)}
form:has(#method-card:checked) #ach,form:has(#method-ach:checked) #card{display:none}
@supports selector(:has(*)){.only-one{display:none}
.several .method>legend{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}}
@supports selector(:has(*)){form:not(:has(#tip-custom:checked)) .custom-tip{display:none}}
.number{position:relative}
#brand{position:absolute;inset-inline-end:12px;bottom:13px;color:var(--quiet);font-size:14px;pointer-events:none}
.faults{border:2px solid var(--bad);background:var(--bad-wash);border-radius:8px;padding:16px;margin:0 0 16px}
.faults ul{margin:8px 0;padding:0;list-style:none}
.faults li{padding:2px 0}
.faults a{color:var(--bad);display:inline-block;padding:6px 0}
.note{border-radius:8px;padding:16px;margin:0 0 16px;background:var(--wash)}
.good a,.wait a{color:inherit}
.good{background:var(--good-wash);border-color:var(--good)}
.good h1::before{content:"✓ ";color:var(--good)}
.bad{background:var(--bad-wash);border-color:var(--bad)}
.wait{background:var(--warn-wash);border-color:var(--warn)}
dl{display:grid;grid-template-columns:auto 1fr;gap:6px 16px;margin:0}
dt{color:var(--quiet)}
dd{margin:0;text-align:end}
footer{padding-top:8px;padding-bottom:32px;color:var(--quiet);font-size:14px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.rows{list-style:none;margin:0;padding:0}
.rows>li{padding:12px 0;border-top:1px solid var(--line)}
.rows>li:first-child{border-top:0}
.row{display:flex;gap:12px;align-items:flex-start}
.row>span:first-of-type{flex:1;min-width:0}
label.row{min-height:44px;cursor:pointer}
.row input{width:22px;height:22px;margin:1px 0 0;flex:none;accent-color:var(--brand)}
.price{text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums}
.actions{display:flex;flex-wrap:wrap;gap:0 20px}
.head{margin:0 0 16px}
.head+.account{margin-top:0}
.between{margin:24px 0 12px}
.slim{width:auto;min-height:44px;padding:8px 20px;font-size:16px}
@media (forced-colors:active){.choices label:has(:checked){outline:2px solid}}
@media (min-width:600px){.card{padding:28px}.sum{font-size:40px}.press{margin:24px -28px -28px;padding:12px 28px}}
@media (min-width:900px){body:has(.account) :is(header,main,footer){max-width:1000px}
.account{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 16px;align-items:start}
body:has(.two) :is(header,main,footer){max-width:1000px}.to-details{display:none}
.two{display:grid;grid-template:"summary payment" auto "details payment" 1fr/minmax(0,1fr) minmax(0,1fr);gap:0 16px;align-items:start}
.summary{grid-area:summary}.payment{grid-area:payment}.details{grid-area:details}}
`;
