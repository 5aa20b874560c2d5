import { type Brand, escapeHtml, type Language, plain, readableColor } from '#core/platform/documents';

/** Look of a merchant's emails, and the address for replies. */
export interface Letterhead {
  readonly brand: Brand;
  readonly language: Language;
  readonly email: string | null;
  /** Two capital letters: how phone numbers without a prefix are read. */
  readonly country: string;
}

/** Content ID of the logo, which is attached to the email. */
export const LOGO_CID = 'logo@paydesk';

const PAPER = '#ffffff';
const GROUND = '#f3f4f6';
const INK = '#1f2933';
const QUIET = '#52606d';
/** A rule needs less contrast than text does (WCAG 1.4.11). */
const RULE_CONTRAST = 3;
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const ADDRESS_LINE = /^https?:\/\/[^\s<>"']+$/;

/** A text as it may leave: lines of harmless signs. */
export function harmless(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Cn}\p{Co}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/gu, '')
    .trim();
}

/** Paragraphs of a plain text. A line that is an address and nothing else can be followed. */
function paragraphs(text: string, linkColor: string): string {
  const line = (words: string) => {
    const shown = escapeHtml(words);
    return ADDRESS_LINE.test(words) ? `<a href="${shown}" style="color:${linkColor};word-break:break-all">${shown}</a>` : shown;
  };
  return text
    .split(/\n{2,}/)
    .map((part) => `<p style="margin:0 0 16px">${part.split('\n').map(line).join('<br>')}</p>`)
    .join('\n');
}

interface PageOf {
  /** null where there is no merchant to speak for. */
  readonly letterhead: Letterhead | null;
  readonly subject: string;
  readonly text: string;
  /** Escaped by its maker; without it the text is set in paragraphs. */
  readonly html: string | null;
}

/** Returns the complete HTML of an email. It loads nothing from the network. */
export function emailPage({ letterhead, subject, text, html }: PageOf): string {
  const brand = letterhead?.brand;
  const name = escapeHtml(brand?.companyName ?? '');
  const color = readableColor(brand?.primaryColor ?? INK, PAPER);
  const rule = readableColor(brand?.primaryColor ?? INK, GROUND, RULE_CONTRAST);
  const logo = `<img src="cid:${LOGO_CID}" alt="${name}" height="40" style="display:block;height:40px;max-width:240px;border:0">`;
  const head = brand?.logo ? logo : `<span style="font-size:20px;font-weight:600;color:${color}">${name}</span>`;
  const foot = [brand?.companyName ?? '', ...(brand?.lines ?? [])].filter((line) => line !== '').map((line) => escapeHtml(line));
  return `<!doctype html>
<html lang="${letterhead?.language ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(plain(subject))}</title>
</head>
<body style="margin:0;padding:24px 12px;background:${GROUND};color:${INK};${FONT};font-size:16px;line-height:1.5">
<table role="presentation" align="center" cellpadding="0" cellspacing="0" width="100%" style="max-width:600px;margin:0 auto;background:${PAPER};border-top:4px solid ${rule}">
<tr><td style="padding:24px 24px 8px">${head}</td></tr>
<tr><td style="padding:16px 24px 8px">
${html ?? paragraphs(text, color)}
</td></tr>
<tr><td style="padding:16px 24px 24px;font-size:13px;color:${QUIET}">${foot.join('<br>')}</td></tr>
</table>
</body>
</html>
`;
}
