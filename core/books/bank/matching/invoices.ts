import { addDays } from '#core/kernel';
import { isWhole, misspelled, numbersIn } from './invoice-numbers.ts';
import type { Held, OpenLine, Suggestion } from './suggestion.ts';
import { findCombination } from './sums.ts';

/** Characters by which texts are found: shorter ones are not looked for. */
const PREFIX = 4;

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
  /** Last number of an invoice of the merchant. Numbers have no gaps: a lower one that is not open is an invoice that is paid, canceled or not sent. */
  readonly lastNumber: number;
  readonly payers: readonly PayerRule[];
  readonly held: Held;
  readonly onHeldNamed: () => void;
  readonly compactText: (text: string) => string;
}

/** Parts of one suggestion, as a match takes them. */
const PARTS_MAX = 50;
/** Invoices of a payer, oldest first, that are combined. */
const COMBINED_MAX = 24;
/** Steps of all searches for sums together. */
const SEARCH_STEPS = 4_000_000;
/** Customers with one learned text. A text of more customers names no payer, but for example a kind of transfer. */
const SHARED_MAX = 2;
/** Characters of a name that identify a customer in a text. */
const NAME_MIN = 6;
/** Digits of a number that is rarely one of another company. */
const OWN_DIGITS = 6;
const LEGAL_FORMS = /(?:INCORPORATED|CORPORATION|LIMITED|COMPANY|GMBH|CORP|SARL|LLC|LTD|INC|PLC|SRL|LLP|AG|SA|SL|BV|CO)$/;

type Found = Pick<Suggestion, 'reason' | 'parts' | 'ruleId' | 'lineId' | 'invoiceIds' | 'isAmbiguous'>;
/** A line without its text. */
type Credit = Pick<OpenLine, 'id' | 'day' | 'minor'>;

/** Customers that the text of a line names. */
export interface NamedCustomers {
  /** By their names, or by texts of payers. */
  readonly all: ReadonlySet<string>;
  /** By their names. */
  readonly byName: readonly string[];
  /** By the longest text of a payer that applies. */
  readonly payer?: { readonly ruleId: string; readonly customers: readonly string[] } | undefined;
}

/** Suggestions of open invoices. Each part of an invoice is suggested for one line. */
export interface InvoiceFinder {
  readonly customersIn: (compact: string) => NamedCustomers;
  /** Explains a line by what its text says: numbers, or a former payer or the name of a customer with the amount. */
  readonly byText: (line: OpenLine, compact: string, customers: NamedCustomers) => Found | null;
  /** Explains a line by its amount, if a single open invoice has it, or by a former payer of another amount. */
  readonly byAmount: (line: Credit, customers: NamedCustomers) => Found | null;
}

/** An invoice with the part that is not suggested for a line. */
interface Item extends OpenInvoice {
  left: number;
}

/** Creates the search for open invoices. Its tables are made once, so that the time of a line does not grow with the number of invoices. */
export function createInvoiceFinder({ invoices, lastNumber, payers, held, onHeldNamed, compactText }: Input): InvoiceFinder {
  const items: readonly Item[] = invoices.map((invoice) => ({
    ...invoice,
    left: Math.max(invoice.minor - (held.get(invoice.id)?.minor ?? 0), 0),
  }));
  const takenBy = new Map([...held].map(([id, { lineId }]) => [id, lineId]));
  const byNumber = new Map(items.map((item) => [numberOf(item), item]));
  /** Open invoices of each customer, the one that is due first at the start. */
  const byCustomer = Map.groupBy(
    items.filter(({ customerId, left }) => customerId !== null && left > 0).toSorted(byDueDay),
    ({ customerId }) => customerId as string,
  );
  const byMinor = Map.groupBy(items, ({ minor }) => minor);
  const payersIn = createTextFinder(payersByText(payers, compactText));
  const namesIn = createTextFinder(namesOf(byCustomer, compactText));
  const budget = { steps: SEARCH_STEPS };

  const isOpen = ({ left }: Item) => left > 0;
  const sumOf = (list: readonly Item[]) => list.reduce((sum, { left }) => sum + left, 0);

  /** Gives a line to invoices, one after another, until its amount is used. What remains of the line stays without a suggestion. */
  function take(line: Pick<OpenLine, 'id' | 'minor'>, list: readonly Item[], found: Omit<Found, 'parts'>): Found {
    let rest = line.minor;
    const parts = list.slice(0, PARTS_MAX).flatMap((item) => {
      const minor = Math.min(rest, item.left);
      if (minor <= 0) return [];
      rest -= minor;
      item.left -= minor;
      takenBy.set(item.id, line.id);
      const ofCustomer = byCustomer.get(item.customerId ?? '');
      if (item.left === 0 && ofCustomer) ofCustomer.splice(ofCustomer.indexOf(item), 1);
      return [{ kind: 'invoice' as const, invoiceId: item.id, minor }];
    });
    return { ...found, parts };
  }

  function customersIn(compact: string): NamedCustomers {
    const byName = [...new Set(namesIn(compact))];
    const [payer] = payersIn(compact);
    return { all: new Set([...byName, ...(payer?.customers ?? [])]), byName, payer };
  }

  function byNumbers(line: OpenLine, compact: string, customers: NamedCustomers): Found | null {
    const { prefixed, bare } = numbersIn(line.text, compact);
    const whole = prefixed.filter(isWhole);
    const named = known([...new Set(whole.map(Number))]);
    const open = named.filter(isOpen);
    if (named.some((item) => !isOpen(item) && held.has(item.id))) onHeldNamed();
    if (open.length > 0) {
      // Another company may have the same short number, and a line cannot know of later invoices.
      const isSure =
        open.every(isBefore(line)) &&
        (whole.some((run) => run.length >= OWN_DIGITS) ||
          sumOf(open) === line.minor ||
          open.some(({ customerId }) => customers.all.has(customerId ?? '')));
      return take(line, open, { reason: 'invoice_number', ...(!isSure && { isAmbiguous: true }) });
    }
    const [taken] = named;
    if (taken) return { reason: 'duplicate', parts: [], invoiceIds: named.map(({ id }) => id), lineId: takenBy.get(taken.id) ?? '' };
    if (whole.some((run) => Number(run) > 0 && Number(run) <= lastNumber)) {
      const next = byCustomers(line, [...customers.all], { reason: 'customer_name', isAmbiguous: true });
      return next ?? { reason: 'duplicate', parts: [] };
    }
    const exact = known(bare).filter(({ left }) => left === line.minor);
    if (exact.length === 1)
      return take(line, exact, { reason: 'invoice_number', ...(!exact.every(isBefore(line)) && { isAmbiguous: true }) });
    const near = known([...new Set(prefixed.flatMap((run) => [...misspelled(run)]))]).filter(
      (item) => item.left === line.minor && isBefore(line)(item) && fits(item, customers),
    );
    return near.length === 1 ? take(line, near, { reason: 'invoice_typo' }) : null;
  }

  const known = (numbers: readonly number[]) => numbers.flatMap((number) => byNumber.get(number) ?? []);
  /** Returns true if the text names the customer of an invoice, or no customer. */
  const fits = ({ customerId }: OpenInvoice, { all }: NamedCustomers) => all.size === 0 || all.has(customerId ?? '');

  /** Returns the open invoices of customers that a line can pay, the one that is due first at the start: those of its amount, and the first ones. */
  function openOf(line: Credit, customers: readonly string[]): { readonly equal: readonly Item[]; readonly first: readonly Item[] } {
    const isOld = isBefore(line);
    const equal: Item[] = [];
    const first: Item[] = [];
    for (const id of customers) {
      let count = 0;
      for (const item of byCustomer.get(id) ?? []) {
        if (count > PARTS_MAX && item.left !== line.minor) continue;
        if (!isOld(item)) continue;
        if (item.left === line.minor) equal.push(item);
        if (count <= PARTS_MAX) first.push(item);
        count += 1;
      }
    }
    return customers.length > 1 ? { equal: equal.toSorted(byDueDay), first: first.toSorted(byDueDay) } : { equal, first };
  }

  /** Explains a line by the invoices of customers that have its amount: one, all, or a combination. */
  function byCustomers(line: Credit, customers: readonly string[], found: Pick<Found, 'reason' | 'ruleId' | 'isAmbiguous'>): Found | null {
    const { equal, first } = openOf(line, customers);
    if (equal[0]) return take(line, [equal[0]], { ...found, ...(equal.length > 1 && { isAmbiguous: true }) });
    if (first.length > 1 && first.length <= PARTS_MAX && sumOf(first) === line.minor) return take(line, first, found);
    const combined = findCombination(
      first.slice(0, COMBINED_MAX).map((item) => ({ item, minor: item.left })),
      line.minor,
      budget,
    );
    if (!combined) return null;
    return take(
      line,
      combined.items.map(({ item }) => item),
      { ...found, ...(!combined.isUnique && { isAmbiguous: true }) },
    );
  }

  return {
    customersIn,
    byText(line, compact, customers) {
      if (line.minor <= 0 || invoices.length === 0) return null;
      const numbered = byNumbers(line, compact, customers);
      if (numbered) return numbered;
      const { payer, byName } = customers;
      // A payer writes the text that is learned, so the names of other customers count more.
      const others = payer ? byName.filter((id) => !payer.customers.includes(id)) : byName;
      const isDoubtful = payer && (others.length > 0 || payer.customers.length > 1) ? { isAmbiguous: true } : {};
      return (
        byCustomers(line, others, { reason: 'customer_name', ...(payer && { isAmbiguous: true }) }) ??
        (payer ? byCustomers(line, payer.customers, { reason: 'former_payer', ruleId: payer.ruleId, ...isDoubtful }) : null)
      );
    },
    byAmount(line, customers) {
      if (line.minor <= 0) return null;
      const isOld = isBefore(line);
      // Thousands of invoices can have one price, so the search ends at the second one.
      const equal = (byMinor.get(line.minor) ?? [])
        .values()
        .filter((item) => item.left === line.minor && isOld(item))
        .take(2)
        .toArray();
      const [only] = equal;
      if (only && equal.length === 1 && fits(only, customers)) return take(line, equal, { reason: 'invoice_amount' });
      const { payer, byName } = customers;
      const [customer] = payer?.customers ?? [];
      if (!payer || customer === undefined || payer.customers.length > 1 || byName.some((id) => id !== customer)) return null;
      // A part of the only invoice, or more than all of them.
      const { first } = openOf(line, payer.customers);
      if (first.length === 0 || (first.length > 1 && sumOf(first) >= line.minor)) return null;
      const isDoubtful = byName.includes(customer) ? {} : { isAmbiguous: true };
      return take(line, first, { reason: 'former_payer', ruleId: payer.ruleId, ...isDoubtful });
    },
  };
}

const dueDayOf = ({ dueDay, day }: OpenInvoice) => dueDay ?? day;
const byDueDay = (one: OpenInvoice, other: OpenInvoice) => (dueDayOf(one) < dueDayOf(other) ? -1 : dueDayOf(one) > dueDayOf(other) ? 1 : 0);

/** Returns a condition that is true for invoices that existed on the day of a line. The bank's day can be earlier than that of the merchant's time zone. */
function isBefore(line: Credit): (invoice: OpenInvoice) => boolean {
  const last = addDays(line.day, 1);
  return ({ day }) => day <= last;
}

/** Returns the texts of payers with their customers. Texts of too many customers are left out. */
function payersByText(
  payers: readonly PayerRule[],
  compactText: (text: string) => string,
): [string, { readonly ruleId: string; readonly customers: readonly string[] }][] {
  return [...Map.groupBy(payers, ({ contains }) => compactText(contains))].flatMap(([text, rules]) => {
    const customers = [...new Set(rules.map(({ customerId }) => customerId))];
    return customers.length > SHARED_MAX ? [] : [[text, { ruleId: rules[0]?.id ?? '', customers }]];
  });
}

const numberOf = ({ number }: OpenInvoice): number => Number(number.replace(/^\D+/, ''));

/** Returns names as the texts of banks have them: companies without their legal form, and people in both orders. */
export function writtenNames(names: readonly string[], compactText: (text: string) => string): string[] {
  const written = [...new Set(names)].flatMap((name) => {
    const words = name.trim().split(/\s+/);
    return [compactText(name).replace(LEGAL_FORMS, ''), ...(words.length === 2 ? [compactText(words.toReversed().join(''))] : [])];
  });
  return [...new Set(written)].filter((name) => name.length >= NAME_MIN);
}

/** Returns the names by which the texts of banks name the customers of open invoices. */
function namesOf(byCustomer: ReadonlyMap<string, readonly OpenInvoice[]>, compactText: (text: string) => string): [string, string][] {
  return [...byCustomer].flatMap(([customerId, invoices]) => {
    const names = invoices.flatMap((invoice) => invoice.names);
    return writtenNames(names, compactText).map((name): [string, string] => [name, customerId]);
  });
}

/**
 * Returns a function that finds the entries whose text a compact text contains, longest texts first. Texts are looked up by their first four characters, so
 * that thousands of names cost as much as a few.
 */
function createTextFinder<Entry>(entries: Iterable<readonly [text: string, entry: Entry]>): (compact: string) => Entry[] {
  const byPrefix = new Map<string, { readonly text: string; readonly entry: Entry }[]>();
  for (const [text, entry] of entries) {
    if (text.length < PREFIX) continue;
    const prefix = text.slice(0, PREFIX);
    const group = byPrefix.get(prefix);
    if (group) group.push({ text, entry });
    else byPrefix.set(prefix, [{ text, entry }]);
  }
  if (byPrefix.size === 0) return () => [];
  return (compact) => {
    const found = new Map<Entry, number>();
    for (let index = 0; index + PREFIX <= compact.length; index += 1)
      for (const { text, entry } of byPrefix.get(compact.slice(index, index + PREFIX)) ?? [])
        if (compact.startsWith(text, index)) found.set(entry, Math.max(text.length, found.get(entry) ?? 0));
    return [...found].toSorted((one, other) => other[1] - one[1]).map(([entry]) => entry);
  };
}
