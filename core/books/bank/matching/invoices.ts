import { addDays } from '#core/kernel';
import { isWhole, misspelled, numbersIn } from './invoice-numbers.ts';
import type { OpenLine, Suggestion } from './suggestion.ts';
import { findCombination } from './sums.ts';
import { createTextFinder } from './text-finder.ts';

/** An invoice that is sent and not fully paid. */
export interface OpenInvoice {
  readonly id: string;
  readonly number: string;
  readonly customerId: string | null;
  /** Names of the customer and the company. */
  readonly names: readonly string[];
  /** Amount that can still be paid. */
  readonly minor: number;
  /** Day of creation. */
  readonly day: string;
  readonly dueDay: string | null;
}

/** A learned or written rule that names a customer. */
export interface PayerRule {
  readonly id: string;
  readonly contains: string;
  readonly customerId: string;
}

interface Input {
  /** In order of their creation. */
  readonly invoices: readonly OpenInvoice[];
  readonly payers: readonly PayerRule[];
  readonly compactText: (text: string) => string;
}

/** Parts of one suggestion, as a match takes them. */
const PARTS_MAX = 50;
/** Invoices of a payer, oldest first, that are combined. */
const COMBINED_MAX = 24;
/** Characters of a name that identify a customer in a text. */
const NAME_MIN = 6;
const LEGAL_FORMS = /(?:INCORPORATED|CORPORATION|LIMITED|COMPANY|GMBH|CORP|SARL|LLC|LTD|INC|PLC|SRL|LLP|AG|SA|SL|BV|CO)$/;

type Found = Pick<Suggestion, 'reason' | 'parts' | 'ruleId' | 'lineId' | 'invoiceIds' | 'isAmbiguous'>;

/** Suggestions of open invoices. Each part of an invoice is suggested for one line. */
export interface InvoiceFinder {
  /** Explains a line by what its text says: numbers, a former payer, or the name of a customer. */
  readonly byText: (line: OpenLine, compact: string) => Found | null;
  /** Explains a line by its amount, if a single open invoice has it. */
  readonly byAmount: (line: Pick<OpenLine, 'id' | 'minor'> & { readonly day: string }) => Found | null;
}

/** Creates the search for open invoices. Its tables are made once, so that the time of a line does not grow with the number of invoices. */
export function createInvoiceFinder({ invoices, payers, compactText }: Input): InvoiceFinder {
  const remaining = new Map(invoices.map(({ id, minor }) => [id, minor]));
  const takenBy = new Map<string, string>();
  const byNumber = new Map(invoices.map((invoice) => [numberOf(invoice), invoice]));
  const byCustomer = Map.groupBy(
    invoices.filter(({ customerId }) => customerId !== null),
    ({ customerId }) => customerId as string,
  );
  const byMinor = Map.groupBy(invoices, ({ minor }) => minor);
  const payersIn = createTextFinder(payers.map((rule) => [compactText(rule.contains), rule] as const));
  const namesIn = createTextFinder(namesOf(byCustomer, compactText));

  const left = ({ id }: OpenInvoice) => remaining.get(id) ?? 0;
  const isOpen = (invoice: OpenInvoice) => left(invoice) > 0;
  const sumOf = (list: readonly OpenInvoice[]) => list.reduce((sum, invoice) => sum + left(invoice), 0);

  /** Gives a line to invoices, one after another, until its amount is used. What remains of the line stays without a suggestion. */
  function take(line: Pick<OpenLine, 'id' | 'minor'>, list: readonly OpenInvoice[], found: Omit<Found, 'parts'>): Found {
    let rest = line.minor;
    const parts = list.slice(0, PARTS_MAX).flatMap((invoice) => {
      const minor = Math.min(rest, left(invoice));
      if (minor <= 0) return [];
      rest -= minor;
      remaining.set(invoice.id, left(invoice) - minor);
      takenBy.set(invoice.id, line.id);
      return [{ kind: 'invoice' as const, invoiceId: invoice.id, minor }];
    });
    return { ...found, parts };
  }

  function customersIn(compact: string): ReadonlySet<string> {
    return new Set([...payersIn(compact).map(({ customerId }) => customerId), ...namesIn(compact)]);
  }

  function byNumbers(line: OpenLine, compact: string): Found | null {
    const { prefixed, bare } = numbersIn(line.text, compact);
    const named = known([...new Set(prefixed.filter(isWhole).map(Number))]);
    const open = named.filter(isOpen);
    if (open.length > 0) return take(line, open, { reason: 'invoice_number' });
    const [taken] = named;
    if (taken) return { reason: 'duplicate', parts: [], invoiceIds: named.map(({ id }) => id), lineId: takenBy.get(taken.id) ?? '' };
    const exact = known(bare).filter((invoice) => left(invoice) === line.minor);
    if (exact.length === 1) return take(line, exact, { reason: 'invoice_number' });
    const near = known([...new Set(prefixed.flatMap((run) => [...misspelled(run)]))]).filter((invoice) => left(invoice) === line.minor);
    if (near.length === 0) return null;
    const customers = customersIn(compact);
    const ofCustomer = near.filter(({ customerId }) => customerId !== null && customers.has(customerId));
    const candidates = ofCustomer.length > 0 ? ofCustomer : near;
    return candidates.length === 1 ? take(line, candidates, { reason: 'invoice_typo' }) : null;
  }

  const known = (numbers: readonly number[]) => numbers.flatMap((number) => byNumber.get(number) ?? []);

  /** Explains a line by the invoices of the customers that may have paid it. A former payer also pays a part, or more than is due. */
  function byCustomers(line: OpenLine, customers: readonly string[], found: Pick<Found, 'reason' | 'ruleId'>): Found | null {
    const open = customers
      .flatMap((id) => byCustomer.get(id) ?? [])
      .filter(isOpen)
      .toSorted((one, other) => ((one.dueDay ?? one.day) < (other.dueDay ?? other.day) ? -1 : 1));
    const equal = open.filter((invoice) => left(invoice) === line.minor);
    if (equal[0]) return take(line, [equal[0]], { ...found, ...(equal.length > 1 && { isAmbiguous: true }) });
    const sum = sumOf(open);
    if (open.length > 1 && open.length <= PARTS_MAX && sum === line.minor) return take(line, open, found);
    const items = open.slice(0, COMBINED_MAX).map((invoice) => ({ invoice, minor: left(invoice) }));
    const combined = findCombination(items, line.minor);
    if (combined)
      return take(
        line,
        combined.items.map(({ invoice }) => invoice),
        { ...found, ...(!combined.isUnique && { isAmbiguous: true }) },
      );
    const isSure = found.reason === 'former_payer' && customers.length === 1;
    if (isSure && open.length > 0 && (open.length === 1 || sum < line.minor)) return take(line, open, found);
    return null;
  }

  return {
    byText(line, compact) {
      if (line.minor <= 0 || invoices.length === 0) return null;
      const numbered = byNumbers(line, compact);
      if (numbered) return numbered;
      const rules = payersIn(compact);
      const [longest] = rules;
      if (longest) {
        const same = rules.filter(({ contains }) => compactText(contains) === compactText(longest.contains));
        const customers = [...new Set(same.map(({ customerId }) => customerId))];
        const paid = byCustomers(line, customers, { reason: 'former_payer', ruleId: longest.id });
        if (paid) return paid;
      }
      return byCustomers(line, [...new Set(namesIn(compact))], { reason: 'customer_name' });
    },
    byAmount(line) {
      if (line.minor <= 0) return null;
      const equal = (byMinor.get(line.minor) ?? []).filter(
        (invoice) => left(invoice) === line.minor && invoice.day <= addDays(line.day, 1),
      );
      return equal.length === 1 ? take(line, equal, { reason: 'invoice_amount' }) : null;
    },
  };
}

const numberOf = ({ number }: OpenInvoice): number => Number(number.replace(/^\D+/, ''));

/** Returns the names by which the texts of banks name the customers of open invoices: companies without their legal form, and people in both orders. */
function namesOf(byCustomer: ReadonlyMap<string, readonly OpenInvoice[]>, compactText: (text: string) => string): [string, string][] {
  return [...byCustomer].flatMap(([customerId, invoices]) => {
    const names = new Set(invoices.flatMap((invoice) => invoice.names));
    const written = [...names].flatMap((name) => {
      const words = name.trim().split(/\s+/);
      return [compactText(name).replace(LEGAL_FORMS, ''), ...(words.length === 2 ? [compactText(words.toReversed().join(''))] : [])];
    });
    return [...new Set(written)].filter((name) => name.length >= NAME_MIN).map((name): [string, string] => [name, customerId]);
  });
}
