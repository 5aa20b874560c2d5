import { ServiceError } from '#core/kernel';
import { createPdf, type PdfSheet } from '#core/platform/documents';
import { type DocumentType, type Exhibit, FILE_REFUSED, mergeDocuments, type Pages } from '#core/platform/received-files';
import { brandName } from '#shared/card-brands';
import type { DisputeScheme } from '#shared/dispute-reasons';
import type { EntryMode, Verification } from '#shared/terminals';
import { AVS_TEXTS, CVV_TEXTS } from './assess.ts';
import { amountText, type EvidenceFacts, elementsText, minorText, sentenceText, timeText } from './facts.ts';

/** Limits of acquirers for one response. */
const PAGES_MAX = 50;
const MASTERCARD_PAGES_MAX = 19;
const BYTES_MAX = 4_500_000;
/** Limit of what is merged. The result is smaller, because its structure is compressed. */
const MERGED_BYTES_MAX = 64_000_000;

/** A document behind the letter, as it was received and as its pages are merged. */
export interface EvidenceExhibit extends Exhibit {
  readonly mediaType: DocumentType;
  readonly original: Buffer;
}

interface EvidencePdf {
  readonly bytes: Buffer;
  readonly pages: number;
}

const limitOf = (scheme: DisputeScheme) => (scheme === 'mastercard' ? MASTERCARD_PAGES_MAX : PAGES_MAX);

/**
 * Returns the response for the acquirer as one PDF: the letter, the facts as exhibits, and the documents with the number of their exhibit on
 * each page. @throws ServiceError RESOURCE_CONFLICT above the limits of pages or bytes.
 */
export async function evidencePdf(
  tenantId: string,
  facts: EvidenceFacts,
  letter: readonly string[],
  exhibits: readonly EvidenceExhibit[],
): Promise<EvidencePdf> {
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
  const { pdf, pages } = await merge(tenantId, own, exhibits);
  const bytes = Buffer.from(pdf);
  const limit = limitOf(dispute.scheme);
  if (pages > limit)
    throw tooLarge(
      `The response has ${pages} pages, but ${brandName(dispute.scheme)} accepts at most ${limit}. Include fewer documents (\`attachmentIds\`).`,
    );
  if (bytes.length > BYTES_MAX)
    throw tooLarge(
      `The response has ${bytes.length} bytes, but acquirers accept at most ${BYTES_MAX}. Include fewer documents (\`attachmentIds\`), or attach smaller files.`,
    );
  return { bytes, pages };
}

const tooLarge = (message: string) => new ServiceError('RESOURCE_CONFLICT', message, { details: { reason: 'pack_too_large' } });

async function merge(tenantId: string, own: Buffer, exhibits: readonly EvidenceExhibit[]): Promise<Pages> {
  const tooMuch = 'The documents are too large to be merged. Include fewer documents (`attachmentIds`), or attach smaller files.';
  if (exhibits.reduce((sum, { pdf }) => sum + pdf.length, 0) > MERGED_BYTES_MAX) throw tooLarge(tooMuch);
  try {
    return await mergeDocuments(
      tenantId,
      own,
      exhibits.map(({ title, pdf }) => ({ title, pdf })),
    );
  } catch (error) {
    throw error instanceof ServiceError && error.details?.reason === FILE_REFUSED ? tooLarge(tooMuch) : error;
  }
}

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

/** Returns the facts of a payment on a card reader, which show that the card was present. */
function readerRows({ terminal }: EvidenceFacts['transaction']): readonly (readonly [label: string, value: string | null])[] {
  if (terminal?.entryMode == null) return [];
  const { name, entryMode, applicationLabel, applicationId, verification } = terminal;
  return [
    ['Card present', `${READ_TEXTS[entryMode]} by the card reader ${name}`],
    ['Chip application', applicationLabel && `${applicationLabel} (AID ${applicationId})`],
    ['Cardholder verification', verification && VERIFICATION_TEXTS[verification]],
  ];
}

const READ_TEXTS: Readonly<Record<EntryMode, string>> = {
  chip: 'Chip read',
  contactless: 'Contactless card or device read',
  swipe: 'Magnetic stripe read',
  keyed: 'Number keyed',
};
const VERIFICATION_TEXTS: Readonly<Record<Verification, string>> = {
  pin: 'PIN',
  signature: 'Signature',
  device: "The customer's device",
  none: 'Not required by the issuer',
};

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
        ? `${brandName(transaction.card.brand)}, ending in ${transaction.card.last4}`
        : `Bank account ending in ${transaction.bankAccount?.last4}`,
    ],
    ['Entry', facts.installment ? 'Installment, charged automatically' : (ENTRY_TEXTS[transaction.source] ?? transaction.source)],
    ...readerRows(transaction),
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
      `${subscriptionId}: ${frequency} since ${startDate}, ${paymentsMade} ${paymentsMade === 1 ? 'payment' : 'payments'}, ${cancelledAt === null ? 'not canceled' : `canceled on ${timeText(cancelledAt)}`}.`,
    );
  }
  if (facts.installment) {
    heading(sheet, 'Installment plan');
    const { installmentPlanId, number, installmentCount, createdAt, canceledAt } = facts.installment;
    sheet.text(
      `${installmentPlanId}: agreed on ${timeText(createdAt)}, ${canceledAt === null ? 'not canceled' : `canceled on ${timeText(canceledAt)}`}. This payment is installment ${number} of ${installmentCount}.`,
    );
  }
  if (facts.consent) {
    heading(sheet, 'Consent');
    sheet.text(`${facts.consent.at === null ? '' : `${timeText(facts.consent.at)}: `}${facts.consent.text}`);
  }
  heading(sheet, 'Messages');
  if (messages.length === 0) sheet.text('None.');
  for (const { sentAt, createdAt, channel, to, subject, status } of messages)
    sheet.text(`${timeText(sentAt ?? createdAt)}: ${channel} to ${to}: ${subject ?? 'text message'} (${MESSAGE_TEXTS[status] ?? status})`);
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
    sheet.keepTogether(100);
    heading(sheet, 'Visa Compelling Evidence 3.0');
    // The two payments share the same elements.
    const elements = elementsText(qualification.payments[0]?.elements ?? []);
    sheet.text(`The payment qualifies. These undisputed earlier payments have the same ${elements}:`);
    for (const { transactionId, date, daysBefore } of qualification.payments)
      sheet.text(`${date} (${daysBefore} days before): ${transactionId}`);
  }
}

const MESSAGE_TEXTS: Readonly<Record<string, string>> = {
  waiting: 'not sent yet',
  queued: 'not sent yet',
  failed: 'not delivered',
  expired: 'not delivered',
};

const ENTRY_TEXTS: Readonly<Record<string, string>> = {
  keyed: 'Keyed by the merchant',
  swiped: 'Read from the card',
  saved: 'Card on file',
  link: 'Entered by the payer on the payment page',
  api: 'By the program of the merchant',
  recurring: 'Subscription',
  terminal: 'Card reader of the merchant',
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
