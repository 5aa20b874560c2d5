import { type Brand, escapeHtml, plain, readableColor } from '#core/platform/documents';
import type { Language } from '#shared/languages';

/** Brand and language of a merchant's emails, and the address for replies. */
export interface Letterhead {
  readonly brand: Brand;
  readonly language: Language;
  readonly email: string | null;
  /** Country of phone numbers without a country code, in two capital letters. */
  readonly country: string;
}

/** Content ID of the logo, which is attached to the email. */
export const LOGO_CID = 'logo@paydesk';

const PAGE_COLOR = '#ffffff';
const BACKGROUND_COLOR = '#f3f4f6';
const TEXT_COLOR = '#1f2933';
const MUTED_COLOR = '#52606d';
/** A border needs less contrast than text (WCAG 1.4.11). */
const BORDER_CONTRAST = 3;
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const ADDRESS_LINE = /^https?:\/\/[^\s<>"']+$/;

/** Returns the text of an email or text message without control and format characters. Line breaks and spaces stay, because receipts have columns. */
export function withoutUnsafeCharacters(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]/g, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Cn}\p{Co}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/gu, '')
    .replace(/^( *\n)+/, '')
    .trimEnd();
}

/** Returns a plain text as HTML paragraphs. A line that consists of a web address becomes a link. */
function paragraphs(text: string, linkColor: string): string {
  const lineHtml = (line: string) => {
    const escaped = escapeHtml(line);
    return ADDRESS_LINE.test(line) ? `<a href="${escaped}" style="color:${linkColor};word-break:break-all">${escaped}</a>` : escaped;
  };
  return text
    .split(/\n{2,}/)
    .map((part) => `<p style="margin:0 0 16px">${part.split('\n').map(lineHtml).join('<br>')}</p>`)
    .join('\n');
}

interface EmailPageInput {
  /** Null if the tenant has no merchant. */
  readonly letterhead: Letterhead | null;
  readonly language: Language;
  readonly subject: string;
  readonly text: string;
  /** Content of the page, already escaped; null means the text in paragraphs. */
  readonly html: string | null;
}

/** Returns the complete HTML of an email. It loads nothing from the network. */
export function emailPage({ letterhead, language, subject, text, html }: EmailPageInput): string {
  const brand = letterhead?.brand;
  const name = escapeHtml(brand?.companyName ?? '');
  const color = readableColor(brand?.primaryColor ?? TEXT_COLOR, PAGE_COLOR);
  const borderColor = readableColor(brand?.primaryColor ?? TEXT_COLOR, BACKGROUND_COLOR, BORDER_CONTRAST);
  const logo = `<img src="cid:${LOGO_CID}" alt="${name}" height="40" style="display:block;height:40px;max-width:240px;border:0">`;
  const head = brand?.logo ? logo : `<span style="font-size:20px;font-weight:600;color:${color}">${name}</span>`;
  const foot = [brand?.companyName ?? '', ...(brand?.lines ?? [])].filter((line) => line !== '').map((line) => escapeHtml(line));
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(plain(subject))}</title>
</head>
<body style="margin:0;padding:24px 12px;background:${BACKGROUND_COLOR};color:${TEXT_COLOR};${FONT};font-size:16px;line-height:1.5">
<table role="presentation" align="center" cellpadding="0" cellspacing="0" width="100%" style="max-width:600px;margin:0 auto;background:${PAGE_COLOR};border-top:4px solid ${borderColor}">
<tr><td style="padding:24px 24px 8px">${head}</td></tr>
<tr><td style="padding:16px 24px 8px">
${html ?? paragraphs(text, color)}
</td></tr>
<tr><td style="padding:16px 24px 24px;font-size:13px;color:${MUTED_COLOR}">${foot.join('<br>')}</td></tr>
</table>
</body>
</html>
`;
}
