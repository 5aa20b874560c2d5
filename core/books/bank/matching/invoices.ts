import { writtenNames } from '#core/billing/invoicing';
import { addDays } from '#core/kernel';
import { compactText } from '#shared/compact-text';
import { isWhole, misspelled, numbersIn } from './invoice-numbers.ts';
import type { Held, OpenLine, Suggestion } from './suggestion.ts';
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
  /** True if the merchant has open invoices. */
  readonly hasInvoices: boolean;
  /** Last number of an invoice of the merchant. Numbers have no gaps: a lower one that is not open is an invoice that is paid, canceled or not sent. */
  readonly lastNumber: number;
  readonly payers: readonly PayerRule[];
  readonly held: Held;
  readonly onHeldNamed: () => void;
}

/** Parts of one suggestion, as a match takes them. */
const PARTS_MAX = 50;
/** Invoices of a payer, oldest first, that are combined. */
const COMBINED_MAX = 24;
/** Steps of all searches for sums together. */
const SEARCH_STEPS = 4_000_000;
/** Customers with one learned text. A text of more customers names no payer, but for example a kind of transfer. */
const SHARED_MAX = 2;
/** Digits of a number that is rarely one of another company. */
const OWN_DIGITS = 6;

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

/**
 * Suggestions of open invoices among those that were added. Each part of an invoice is suggested for one line. For the text of a line, the invoices with
 * its numbers and all invoices of the customers that it names must have been added; for its amount, the first ones with this amount.
 */
export interface InvoiceFinder {
  readonly add: (invoices: readonly OpenInvoice[]) => void;
  /** Returns the numbers of invoices that can explain a line, if they exist. */
  readonly numbersOf: (line: OpenLine, compact: string) => readonly number[];
  /** Returns the customers of the payer in a text. */
  readonly payersIn: (compact: string) => readonly string[];
  /** Returns true if several of the added invoices have the amount of a line, so that its amount names none. */
  readonly hasSeveral: (line: Credit) => boolean;
  readonly customersIn: (compact: string) => NamedCustomers;
  /** Explains a line by what its text says: numbers, or a former payer or the name of a customer with the amount. */
  readonly byText: (line: OpenLine, compact: string, customers: NamedCustomers) => Found | null;
  /** Explains a line by its amount, if a single open invoice has it, or by a former payer of another amount. */
  readonly byAmount: (line: Credit, customers: NamedCustomers) => Found | null;
}

/** An invoice with the part that is not suggested for a line. */
interface Item extends OpenInvoice {
  /** True if a part was left before the first line. */
  readonly isFree: boolean;
  left: number;
}

/** Open invoices of a customer. */
interface Customer {
  /** Invoices of which a part is left, the one that is due first at the start. */
  items: Item[];
  /** The one that was due first before the first line. */
  first: Item;
  readonly names: Set<string>;
}

/** Creates the search for open invoices. The time of a line does not grow with the number of invoices. */
export function createInvoiceFinder({ hasInvoices, lastNumber, payers, held, onHeldNamed }: Input): InvoiceFinder {
  const items = new Map<string, Item>();
  const takenBy = new Map([...held].map(([id, { lineId }]) => [id, lineId]));
  const byNumber = new Map<number, Item>();
  const byCustomer = new Map<string, Customer>();
  /** In order of their creation. */
  const byMinor = new Map<number, Item[]>();
  const payersIn = createTextFinder(payersByText(payers));
  let namesIn: ReturnType<typeof createTextFinder<string>> | null = null;
  const budget = { steps: SEARCH_STEPS };

  const isOpen = ({ left }: Item) => left > 0;
  const sumOf = (list: readonly Item[]) => list.reduce((sum, { left }) => sum + left, 0);

  function add(invoices: readonly OpenInvoice[]): void {
    const added = invoices
      .filter(({ id }) => !items.has(id))
      .map((invoice): Item => {
        const left = Math.max(invoice.minor - (held.get(invoice.id)?.minor ?? 0), 0);
        return { ...invoice, left, isFree: left > 0 };
      })
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const changed = new Set<Customer>();
    for (const item of added) {
      items.set(item.id, item);
      byNumber.set(numberOf(item), item);
      const equal = byMinor.get(item.minor);
      if (!equal) byMinor.set(item.minor, [item]);
      else equal.splice(equal.findLastIndex(({ id }) => id < item.id) + 1, 0, item);
      if (item.customerId === null || !item.isFree) continue;
      const customer = byCustomer.get(item.customerId) ?? { items: [], first: item, names: new Set() };
      byCustomer.set(item.customerId, customer);
      customer.items.push(item);
      if (byDueDayAndId(item, customer.first) < 0) customer.first = item;
      for (const name of item.names) customer.names.add(name);
      changed.add(customer);
    }
    for (const customer of changed) customer.items.sort(byDueDayAndId);
    if (changed.size > 0) namesIn = null;
  }

  /** Gives a line to invoices, one after another, until its amount is used. What remains of the line stays without a suggestion. */
  function take(line: Pick<OpenLine, 'id' | 'minor'>, list: readonly Item[], found: Omit<Found, 'parts'>): Found {
    let rest = line.minor;
    const parts = list.slice(0, PARTS_MAX).flatMap((item) => {
      const minor = Math.min(rest, item.left);
      if (minor <= 0) return [];
      rest -= minor;
      item.left -= minor;
      takenBy.set(item.id, line.id);
      const ofCustomer = byCustomer.get(item.customerId ?? '')?.items;
      if (item.left === 0 && ofCustomer) ofCustomer.splice(ofCustomer.indexOf(item), 1);
      return [{ kind: 'invoice' as const, invoiceId: item.id, minor }];
    });
    return { ...found, parts };
  }

  function customersIn(compact: string): NamedCustomers {
    namesIn ??= createTextFinder(namesOf(byCustomer));
    const byName = [...new Set(namesIn(compact))];
    const [payer] = payersIn(compact);
    return { all: new Set([...byName, ...(payer?.customers ?? [])]), byName, payer };
  }

  function numbersOf({ text, minor }: OpenLine, compact: string): readonly number[] {
    if (minor <= 0) return [];
    const { prefixed, bare } = numbersIn(text, compact);
    const exists = (number: number) => number > 0 && number <= lastNumber;
    const whole = prefixed.filter(isWhole).map(Number).filter(exists);
    if (whole.length > 0) return whole;
    return [...bare, ...prefixed.flatMap((run) => [...misspelled(run)])].filter(exists);
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
      for (const item of byCustomer.get(id)?.items ?? []) {
        if (count > PARTS_MAX && item.left !== line.minor) continue;
        if (!isOld(item)) continue;
        if (item.left === line.minor) equal.push(item);
        if (count <= PARTS_MAX) first.push(item);
        count += 1;
      }
    }
    return customers.length > 1 ? { equal: equal.toSorted(byDueDay), first: first.toSorted(byDueDay) } : { equal, first };
  }

  /** Returns the first two invoices with the amount of a line. Thousands of invoices can have one price. */
  function equalTo(line: Credit): readonly Item[] {
    const isOld = isBefore(line);
    return (byMinor.get(line.minor) ?? [])
      .values()
      .filter((item) => item.left === line.minor && isOld(item))
      .take(2)
      .toArray();
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
    add,
    numbersOf,
    payersIn: (compact) => payersIn(compact)[0]?.customers ?? [],
    hasSeveral: (line) => equalTo(line).length > 1,
    customersIn,
    byText(line, compact, customers) {
      if (line.minor <= 0 || !hasInvoices) return null;
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
      const equal = equalTo(line);
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
const byDueDayAndId = (one: OpenInvoice, other: OpenInvoice) => byDueDay(one, other) || (one.id < other.id ? -1 : 1);

/** Returns a condition that is true for invoices that existed on the day of a line. The bank's day can be earlier than that of the merchant's time zone. */
export function isBefore(line: Pick<OpenLine, 'day'>): (invoice: OpenInvoice) => boolean {
  const last = addDays(line.day, 1);
  return ({ day }) => day <= last;
}

/** Returns the texts of payers with their customers. Texts of too many customers are left out. */
function payersByText(payers: readonly PayerRule[]): [string, { readonly ruleId: string; readonly customers: readonly string[] }][] {
  return [...Map.groupBy(payers, ({ contains }) => compactText(contains))].flatMap(([text, rules]) => {
    const customers = [...new Set(rules.map(({ customerId }) => customerId))];
    return customers.length > SHARED_MAX ? [] : [[text, { ruleId: rules[0]?.id ?? '', customers }]];
  });
}

const numberOf = ({ number }: OpenInvoice): number => Number(number.replace(/^\D+/, ''));

/** Returns the names by which the texts of banks name customers, the one whose invoice is due first at the start. */
function namesOf(byCustomer: ReadonlyMap<string, Customer>): [string, string][] {
  return [...byCustomer]
    .toSorted(([, { first: one }], [, { first: other }]) => byDueDayAndId(one, other))
    .flatMap(([customerId, { names }]) => writtenNames([...names]).map((name): [string, string] => [name, customerId]));
}
