import { Readable } from 'node:stream';
import type { Core } from '#core';
import { storeUpload } from '#core/books/reconciliation';
import type { PayoutBatch } from '#core/books/settlement';
import { type Actor, addDays, dateIn, formatDecimal, money, parseCurrency } from '#core/kernel';

const ACCOUNT_NUMBER = '000482719365';
/** Fee that the processor withholds from one payout, in cents. */
const WITHHELD_MINOR = 450;
/** Newest payouts whose lines wait for a user. */
const OPEN_PAYOUTS = 2;

/** A line of the sample statement. */
interface Line {
  readonly day: string;
  readonly minor: number;
  readonly text: string;
}

/** Merchant of the sample bank account, with the time zone of its days and its present day. */
interface SampleMerchant {
  readonly merchantId: string;
  readonly zone: string;
  readonly today: string;
}

/**
 * Adds a bank account with a statement until today: older payouts are matched, newer ones have suggestions, and one line has neither. A payout arrives
 * on the next day, so that of today is still in transit.
 */
export async function addSampleBank(core: Core, actor: Actor, { merchantId, zone, today }: SampleMerchant): Promise<void> {
  const account = await core.bank.createAccount(actor, { merchantId, name: 'Business checking', accountNumber: ACCOUNT_NUMBER });
  const { items } = await core.settlement.batches(actor, { merchantId, status: 'paid' }, { page: 1, limit: 20 });
  const bookedDayOf = ({ paidAt, createdAt }: PayoutBatch) => addDays(dateIn(zone, Date.parse(paidAt ?? createdAt)), 1);
  const payouts = items.toReversed().filter((payout) => bookedDayOf(payout) <= today);
  if (payouts.length === 0) return;
  const lines = statementLines(payouts, bookedDayOf);
  const file = await storeUpload(actor.tenantId, Readable.from([Buffer.from(ofxOf(lines))]));
  try {
    await core.bank.importStatement(actor, { bankAccountId: account.bankAccountId, file, filename: 'business-checking.ofx' });
  } finally {
    await file.dispose();
  }
  const open = await core.bank.lines(actor, { bankAccountId: account.bankAccountId, state: 'open' }, { page: 1, limit: 50 });
  const waiting = new Set(payouts.slice(-OPEN_PAYOUTS).map(({ reference }) => reference));
  for (const { lineId, suggestion } of open.items.toReversed()) {
    const [part] = suggestion?.parts ?? [];
    if (!part?.payout || waiting.has(part.payout.reference)) continue;
    await core.bank.match(actor, lineId, { parts: [{ kind: 'payout', payoutId: part.payout.payoutId }] });
  }
}

function statementLines(payouts: readonly PayoutBatch[], bookedDayOf: (payout: PayoutBatch) => string): Line[] {
  const lines = payouts.map((payout, index): Line => {
    const withheld = index === payouts.length - 1 ? WITHHELD_MINOR : 0;
    return { day: bookedDayOf(payout), minor: payout.netAmount.minor - withheld, text: `SANDBOX PROCESSING PAYOUT ${payout.reference}` };
  });
  const [first] = lines as [Line];
  const last = lines.at(-1) as Line;
  return [
    { day: first.day, minor: -2_495, text: 'SANDBOX PROCESSING MONTHLY FEE' },
    ...lines,
    { day: last.day, minor: -185_000, text: 'HARBOR STREET PROPERTIES RENT' },
  ];
}

/** Returns the lines as OFX. */
function ofxOf(lines: readonly Line[]): string {
  const usd = parseCurrency('USD');
  const decimal = (minor: number) => formatDecimal(money(minor, usd));
  const transactions = lines.map(
    ({ day, minor, text }, index) =>
      `<STMTTRN><TRNTYPE>${minor < 0 ? 'DEBIT' : 'CREDIT'}<DTPOSTED>${day.replaceAll('-', '')}<TRNAMT>${decimal(minor)}<FITID>${day}-${index}<NAME>${text}</STMTTRN>`,
  );
  const closing = lines.reduce((sum, { minor }) => sum + minor, 1_000_000);
  return `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>${ACCOUNT_NUMBER}</BANKACCTFROM><BANKTRANLIST>\n${transactions.join('\n')}\n</BANKTRANLIST><LEDGERBAL><BALAMT>${decimal(closing)}</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;
}
