import { daysBetween } from '../due-dates.ts';

/** Elements of Visa Compelling Evidence 3.0 that link two payments of a card; null if not kept. */
export interface PaymentTraces {
  readonly ipAddress: string | null;
  readonly deviceId: string | null;
  /** Account of the customer at the merchant. */
  readonly customerAccount: string | null;
  readonly shippingAddress: string | null;
}

/** An earlier payment of the same card at the same merchant. */
export interface EarlierPayment {
  readonly transactionId: string;
  /** Day of the payment, YYYY-MM-DD. */
  readonly date: string;
  readonly isDisputed: boolean;
  readonly traces: PaymentTraces;
}

type Element = keyof PaymentTraces;

/** An earlier payment that qualifies, with the elements that match the disputed one. */
interface QualifyingPayment {
  readonly transactionId: string;
  readonly date: string;
  readonly daysBefore: number;
  readonly elements: readonly Element[];
}

/** Result of the qualification: two payments that share at least two elements with the disputed payment. */
export interface Qualification {
  readonly qualifies: boolean;
  readonly payments: readonly QualifyingPayment[];
}

const DAYS_MIN = 120;
const DAYS_MAX = 365;
const PAYMENTS_NEEDED = 2;
const ELEMENTS_NEEDED = 2;
const ELEMENTS = ['ipAddress', 'deviceId', 'customerAccount', 'shippingAddress'] as const satisfies Element[];

const normalized = (text: string | null) => (text === null ? null : text.trim().toLowerCase().replaceAll(/\s+/g, ' '));

/**
 * Selects the two earlier payments for Visa Compelling Evidence 3.0: not disputed, 120 to 365 days before the disputed payment, and with at
 * least two common elements, of which one is the IP address or the device. Both must share the same elements.
 */
export function qualifyForCompellingEvidence(
  disputed: { readonly date: string; readonly traces: PaymentTraces },
  earlier: readonly EarlierPayment[],
): Qualification {
  const candidates = earlier
    .filter(({ isDisputed }) => !isDisputed)
    .map(({ transactionId, date, traces }) => ({
      transactionId,
      date,
      daysBefore: daysBetween(date, disputed.date),
      elements: ELEMENTS.filter(
        (name) => normalized(traces[name]) !== null && normalized(traces[name]) === normalized(disputed.traces[name]),
      ),
    }))
    .filter(({ daysBefore }) => daysBefore >= DAYS_MIN && daysBefore <= DAYS_MAX)
    .toSorted((left, right) => right.elements.length - left.elements.length || left.daysBefore - right.daysBefore);
  for (const [index, first] of candidates.entries()) {
    for (const second of candidates.slice(index + 1)) {
      const common = first.elements.filter((name) => second.elements.includes(name));
      const hasOrigin = common.includes('ipAddress') || common.includes('deviceId');
      if (common.length >= ELEMENTS_NEEDED && hasOrigin)
        return { qualifies: true, payments: [first, second].map((payment) => ({ ...payment, elements: common })) };
    }
  }
  return { qualifies: false, payments: candidates.slice(0, PAYMENTS_NEEDED) };
}
