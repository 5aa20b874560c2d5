import { PDFDocument, type PDFFont, rgb, StandardFonts } from '@cantoo/pdf-lib';
import { ServiceError } from '#core/kernel';
import { createPdf, type PdfSheet } from '#core/platform/documents';
import type { DisputeScheme } from '#shared/dispute-reasons';
import type { DisputeAttachment } from '../attachments.ts';
import { AVS_TEXTS, CVV_TEXTS } from './assess.ts';
import { amountText, brandText, type EvidenceFacts, elementsText, minorText, sentenceText, timeText } from './facts.ts';

/** Limits of acquirers for one response. */
const PAGES_MAX = 50;
const MASTERCARD_PAGES_MAX = 19;
const BYTES_MAX = 4_500_000;

const LETTER = [612, 792] as const;
const MARGIN = 36;
const LABEL_SIZE = 9;
const PAGE_NUMBER_Y = 20;
const GRAY = rgb(0.2, 0.2, 0.2);

/** A document behind the letter, numbered in the order of the exhibits. */
export interface Exhibit {
  readonly title: string;
  readonly mediaType: DisputeAttachment['mediaType'];
  readonly content: Buffer;
}

export interface EvidencePdf {
  readonly bytes: Buffer;
  readonly pages: number;
}

const limitOf = (scheme: DisputeScheme) => (scheme === 'mastercard' ? MASTERCARD_PAGES_MAX : PAGES_MAX);

/**
 * Returns the response for the acquirer as one PDF: the letter, the facts as exhibits, and the documents with the number of their exhibit on
 * each page. @throws ServiceError RESOURCE_CONFLICT above the limits of pages or bytes.
 */
export async function evidencePdf(facts: EvidenceFacts, letter: readonly string[], exhibits: readonly Exhibit[]): Promise<EvidencePdf> {
  const { dispute, merchantName } = facts;
  const own = await createPdf(
    {
      title: `Dispute ${dispute.disputeId}`,
      author: merchantName,
      language: 'en',
      // The pages are numbered when the exhibits are merged.
      footer: () => dispute.disputeId,
    },
    (sheet) => {
      writeLetter(sheet, letter, exhibits);
      writeRecords(sheet, facts);
    },
  );
  const merged = await PDFDocument.load(own, { updateMetadata: false });
  const font = await merged.embedFont(StandardFonts.Helvetica);
  for (const [index, exhibit] of exhibits.entries()) await addExhibit(merged, font, `Exhibit ${index + 2}: ${exhibit.title}`, exhibit);
  const pages = merged.getPageCount();
  for (const [index, page] of merged.getPages().entries())
    page.drawText(`Page ${index + 1} of ${pages}`, { x: MARGIN, y: PAGE_NUMBER_Y, size: LABEL_SIZE, font, color: GRAY });
  const bytes = Buffer.from(await merged.save());
  const limit = limitOf(dispute.scheme);
  if (pages > limit)
    throw tooLarge(
      `The response has ${pages} pages, but ${brandText(dispute.scheme)} accepts at most ${limit}. Include fewer documents (\`attachmentIds\`).`,
    );
  if (bytes.length > BYTES_MAX)
    throw tooLarge(
      `The response has ${bytes.length} bytes, but acquirers accept at most ${BYTES_MAX}. Include fewer documents (\`attachmentIds\`), or attach smaller files.`,
    );
  return { bytes, pages };
}

const tooLarge = (message: string) => new ServiceError('RESOURCE_CONFLICT', message, { details: { reason: 'pack_too_large' } });

function writeLetter(sheet: PdfSheet, [title = '', ...paragraphs]: readonly string[], exhibits: readonly Exhibit[]): void {
  sheet.text(title, { size: 16, font: 'strong', tag: 'H1' });
  sheet.skip(10);
  for (const paragraph of paragraphs) {
    sheet.text(paragraph);
    sheet.skip(6);
  }
  sheet.skip(6);
  sheet.text('Exhibits', { size: 12, font: 'strong', tag: 'H2' });
  for (const [index, title] of ['Records of the payment', ...exhibits.map((exhibit) => exhibit.title)].entries())
    sheet.text(`${index + 1}. ${title}`);
  sheet.skip(14);
}

/** Writes Exhibit 1: the recorded facts. */
function writeRecords(sheet: PdfSheet, facts: EvidenceFacts): void {
  const { transaction, refunds, messages, earlier, qualification } = facts;
  sheet.keepTogether(200);
  sheet.text('Exhibit 1: Records of the payment', { size: 14, font: 'strong', tag: 'H2' });
  sheet.skip(6);
  const rows: readonly (readonly [label: string, value: string | null | undefined])[] = [
    ['Payment', transaction.transactionId],
    ['Amount', amountText(transaction.amount)],
    ['Captured', amountText(transaction.capturedAmount)],
    ['Time', timeText(transaction.createdAt)],
    [
      'Paid with',
      transaction.card
        ? `${brandText(transaction.card.brand)}, ending in ${transaction.card.last4}`
        : `Bank account ending in ${transaction.bankAccount?.last4}`,
    ],
    ['Entry', ENTRY_TEXTS[transaction.source] ?? transaction.source],
    ['Authorization code', transaction.authCode],
    ['Address check', checkText(AVS_TEXTS, transaction.avsResponse)],
    ['Security code check', checkText(CVV_TEXTS, transaction.cvvResponse)],
    ['Reference at the processor', transaction.processorRef],
    ['Customer', transaction.customer?.name],
    ['Email address', transaction.customer?.email],
    ['Description', transaction.description],
    ['Order', transaction.orderId],
    ['IP address of the payer', facts.traces.context.ipAddress],
    ['Browser of the payer', facts.traces.context.userAgent],
    ['Device of the payer', facts.traces.context.deviceId],
    ['Shipping address', facts.traces.context.shippingAddress],
  ];
  sheet.pairs(rows.flatMap(([label, value]) => (value ? [{ label, value }] : [])));
  heading(sheet, 'History');
  for (const { at, action, result, amount } of transaction.history)
    sheet.text(`${timeText(at)}: ${sentenceText(action)} ${result}${amount === null ? '' : `, ${amountText(amount)}`}`);
  heading(sheet, 'Refunds');
  if (refunds.length === 0) sheet.text('None.');
  for (const { refundId, amount, status, createdAt } of refunds)
    sheet.text(`${timeText(createdAt)}: ${refundId}, ${amountText(amount)}, ${status}`);
  if (facts.subscription) {
    heading(sheet, 'Subscription');
    const { subscriptionId, frequency, startDate, paymentsMade, cancelledAt } = facts.subscription;
    sheet.text(
      `${subscriptionId}: ${frequency} since ${startDate}, ${paymentsMade} payments, ${cancelledAt === null ? 'not canceled' : `canceled on ${timeText(cancelledAt)}`}.`,
    );
  }
  if (facts.consent) {
    heading(sheet, 'Consent');
    sheet.text(`${facts.consent.at === null ? '' : `${timeText(facts.consent.at)}: `}${facts.consent.text}`);
  }
  heading(sheet, 'Messages');
  if (messages.length === 0) sheet.text('None.');
  for (const { sentAt, createdAt, channel, to, subject, status } of messages)
    sheet.text(`${timeText(sentAt ?? createdAt)}: ${channel} to ${to}: ${subject ?? 'text message'} (${status})`);
  if (facts.invoice) {
    heading(sheet, 'Visits of the pay page');
    if (facts.invoice.visits.length === 0) sheet.text('None on record.');
    for (const { firstAt, lastAt, visits, ipAddress, userAgent, deviceId } of facts.invoice.visits) {
      const [first, last] = [timeText(firstAt), timeText(lastAt)];
      const times = `${first === last ? first : `${first} to ${last}`}${visits === 1 ? '' : `, ${visits} visits`}`;
      const isPayer = deviceId !== undefined && deviceId === facts.traces.context.deviceId;
      sheet.text(`${times}: ${ipAddress ?? 'unknown address'}, ${userAgent ?? 'unknown browser'}${isPayer ? ' (device that paid)' : ''}`);
    }
  }
  heading(sheet, 'Earlier payments of the same card');
  if (earlier.length === 0) sheet.text('None.');
  for (const { date, transactionId, amountMinor, isDisputed } of earlier.slice(0, 20))
    sheet.text(`${date}: ${transactionId}, ${minorText(amountMinor, transaction.currency)}${isDisputed ? ', disputed' : ''}`);
  // A result that does not qualify would only help the payer.
  if (qualification?.qualifies) {
    heading(sheet, 'Visa Compelling Evidence 3.0');
    sheet.text('The payment qualifies by these earlier payments with the same elements.');
    for (const { transactionId, date, daysBefore, elements } of qualification.payments)
      sheet.text(`${date} (${daysBefore} days before): ${transactionId}, ${elementsText(elements)}`);
  }
}

const ENTRY_TEXTS: Readonly<Record<string, string>> = {
  keyed: 'Keyed by the merchant',
  swiped: 'Read from the card',
  saved: 'Card on file',
  link: 'Entered by the payer on the payment page',
  api: 'By the program of the merchant',
  recurring: 'Subscription',
};

/** Returns the meaning of a check with the code of the issuer; null without a check. */
const checkText = (texts: Readonly<Record<string, string>>, code: string | null) =>
  code === null ? null : texts[code] === undefined ? code : `${sentenceText(texts[code])} (${code})`;

function heading(sheet: PdfSheet, text: string): void {
  sheet.skip(10);
  sheet.keepTogether(40);
  sheet.text(text, { size: 11, font: 'strong', tag: 'H2' });
  sheet.skip(2);
}

async function addExhibit(merged: PDFDocument, font: PDFFont, label: string, { mediaType, content }: Exhibit): Promise<void> {
  // The built-in font has Latin-1 characters only.
  const printable = label.replaceAll(/[^\x20-\x7e]/g, '?');
  const first = merged.getPageCount();
  if (mediaType === 'application/pdf') {
    const source = await PDFDocument.load(content, { updateMetadata: false });
    for (const page of await merged.copyPages(source, source.getPageIndices())) merged.addPage(page);
  } else {
    const picture = await (mediaType === 'image/png' ? merged.embedPng(content) : merged.embedJpg(content));
    const page = merged.addPage([...LETTER]);
    const { width, height } = picture.scaleToFit(LETTER[0] - 2 * MARGIN, LETTER[1] - 4 * MARGIN);
    page.drawImage(picture, { x: MARGIN, y: LETTER[1] - 2 * MARGIN - height, width, height });
  }
  for (let index = first; index < merged.getPageCount(); index += 1) {
    const page = merged.getPage(index);
    page.drawText(printable, { x: MARGIN, y: page.getHeight() - 20, size: LABEL_SIZE, font, color: GRAY });
  }
}
