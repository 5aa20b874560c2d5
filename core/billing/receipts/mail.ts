import { dateIn } from '#core/kernel';
import { escapeHtml, formatDay, formatMoney, plain } from '#core/platform/documents';
import { methodOf, type ReceiptContent, type ReceiptFact, type ReceiptSubject, receiptContent } from './content.ts';
import { receiptText } from './text.ts';
import { receiptTexts } from './texts.ts';

/** Line length that no mail program breaks. */
const MAIL_COLUMNS = 64;

interface ReceiptMail {
  readonly subject: string;
  readonly body: string;
  readonly html: string;
}

/** Returns the email of a receipt: plain text, and HTML with inline styles, because mail programs drop style sheets. */
export function receiptMail(subject: ReceiptSubject): ReceiptMail {
  return contentMail(receiptContent(subject), subject.refund === null ? 'receipt' : 'refund');
}

/** Returns the email with the content of a receipt, or of the notice of a returned check. */
export function contentMail(content: ReceiptContent, kind: 'receipt' | 'refund' | 'return'): ReceiptMail {
  const { mail } = receiptTexts(content.language);
  const subjects = { receipt: mail.subject, refund: mail.refundSubject, return: mail.returnSubject } as const;
  const attached = kind === 'return' ? mail.noticeAttached : mail.attached;
  return {
    subject: subjects[kind](content.heading),
    body: `${receiptText(content, MAIL_COLUMNS)}\n${attached}\n`,
    html: htmlOf(content, attached),
  };
}

/** Returns a receipt as one short text message. */
export function receiptSms(subject: ReceiptSubject): string {
  const { transaction, merchant } = subject;
  const { language } = merchant;
  const texts = receiptTexts(language);
  return texts.sms({
    merchant: plain(merchant.name),
    amount: formatMoney(transaction.captured ? transaction.capturedAmount : transaction.amount, language),
    paidBy: methodOf(transaction, texts),
    authCode: transaction.type === 'credit' ? null : transaction.authCode,
    date: formatDay(dateIn(merchant.timezone, Date.parse(transaction.createdAt)), language),
  });
}

const CELL = 'padding:4px 0;vertical-align:top;';
const RULE = 'border-top:1px solid #c9d1d8;padding-top:10px;';

function htmlOf(content: ReceiptContent, attached: string): string {
  const place = content.headingLines.map((line) => paragraph(line, 'margin:0;color:#4a5560;')).join('');
  return [
    ...content.marks.map((mark) =>
      paragraph(mark, 'margin:0 0 8px;padding:4px;border:1px solid #16202a;font-weight:700;letter-spacing:0.12em;text-align:center;'),
    ),
    `<h1 style="margin:0;font-size:20px;line-height:1.3;">${escapeHtml(content.heading)}</h1>${place}`,
    `<h2 style="margin:20px 0 4px;font-size:16px;">${escapeHtml(content.title)}</h2>`,
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;">${content.facts.map((fact) => row(fact, '')).join('')}`,
    ...content.items.map((item) => `<tr><td colspan="2" style="${CELL}word-break:break-word;">${escapeHtml(item)}</td></tr>`),
    ...content.lines.map((line, index) => row(line, index === 0 ? RULE : '')),
    ...content.amounts.map((amount, index) => row(amount, index === 0 && content.lines.length > 0 ? RULE : '')),
    row(content.total, `font-size:18px;font-weight:700;${RULE}`),
    ...(content.payments ?? []).map((payment, index) => row(payment, index === 0 ? RULE : '')),
    '</table>',
    paragraph(content.copyLine, 'margin:20px 0 0;color:#4a5560;'),
    ...content.footer.map((line) => paragraph(line, 'margin:8px 0 0;color:#4a5560;')),
    paragraph(attached, 'margin:16px 0 0;color:#4a5560;'),
  ].join('');
}

function row({ label, value }: ReceiptFact, style: string): string {
  const labelCell = `<td style="${CELL}padding-right:16px;${style}">${escapeHtml(label)}</td>`;
  return `<tr>${labelCell}<td align="right" style="${CELL}text-align:right;word-break:break-word;${style}">${escapeHtml(value)}</td></tr>`;
}

function paragraph(text: string, style: string): string {
  return `<p style="${style}">${escapeHtml(text)}</p>`;
}
