import type { ReportPeriod } from '#core/processing/gateways';
import type { Answer, Details, TrialAccount } from './trial-account.ts';

export interface Step {
  readonly name: string;
  run(account: TrialAccount): Promise<Answer>;
}

/** Requests to which the test accounts of a processor react in a documented way. */
export interface Triggers {
  readonly declined: Details | { readonly minor: number };
  readonly matching: Details;
  readonly different: Details;
}

const EXPIRY = { expiryMonth: '12', expiryYear: '2035' };
export const CARD = { kind: 'card' as const, number: '4111111111111111', brand: 'visa', cvv: '999', ...EXPIRY };
const BANK = {
  kind: 'ach' as const,
  accountNumber: '24413815',
  routingNumber: '490000018',
  accountType: 'checking',
  accountHolderName: 'Ann Other',
  holder: 'person' as const,
};
const DEBIT: Details = { source: BANK, secCode: 'TEL' };

const DAY_MS = 86_400_000;
/** Amounts begin above those that a test account declines, and stay below those that it declines for bank payments. */
const FIRST_MINOR = 1_001;

export const TRIGGERS: Readonly<Record<string, Triggers>> = {
  authorizenet: {
    declined: { billing: { zip: '46282' } },
    matching: { billing: { zip: '46201' }, source: { ...CARD, cvv: '900' } },
    different: { billing: { zip: '46205' }, source: { ...CARD, cvv: '901' } },
  },
  nmi: {
    declined: { minor: 50 },
    matching: { billing: { address: '888', zip: '77777' }, source: { ...CARD, cvv: '999' } },
    different: { billing: { address: '1 Other Street', zip: '10001' }, source: { ...CARD, cvv: '123' } },
  },
};

/** Returns the steps of a trial in their order; each payment has an amount of its own. */
export function stepsFor({ declined, matching, different }: Triggers): readonly Step[] {
  const steps: Step[] = [];
  const add = (name: string, run: (account: TrialAccount, minor: number) => Promise<Answer>) => {
    const minor = FIRST_MINOR + steps.length;
    steps.push({ name, run: (account) => run(account, minor) });
  };
  const charge = (operation: 'sale' | 'auth' | 'credit', name: string, details?: Details) =>
    add(name, (account, minor) => account.charge(operation, name, minor, details));
  const later = (operation: 'capture' | 'void' | 'refund', name: string, of: string, change?: (minor: number) => number) =>
    add(name, (account) => account.later(operation, name, of, change?.(minorOf(of))));
  const minorOf = (name: string) => FIRST_MINOR + steps.findIndex((step) => step.name === name);
  const find = (of: string) => add(`inquiry: ${of}`, (account) => account.find(of));

  charge('sale', 'sale');
  find('sale');
  add('sale, sent again', (account) => account.repeat('sale'));
  if ('minor' in declined) add('sale, declined', (account) => account.charge('sale', 'sale, declined', declined.minor));
  else charge('sale', 'sale, declined', declined);
  find('sale, declined');
  charge('sale', 'sale, address and code match', matching);
  charge('sale', 'sale, address and code differ', different);
  charge('sale', 'sale, Mastercard', { source: { ...CARD, number: '5424000000000015', brand: 'mastercard' } });
  charge('sale', 'sale, American Express', { source: { ...CARD, number: '370000000000002', brand: 'amex', cvv: '9999' } });
  charge('sale', 'sale, Discover', { source: { ...CARD, number: '6011000000000012', brand: 'discover' } });
  charge('sale', 'sale, invalid card number', { source: { ...CARD, number: '4111111111111112' } });
  charge('sale', 'sale, expired card', { source: { ...CARD, expiryMonth: '01', expiryYear: '2020' } });
  charge('sale', 'sale, purchase order', {
    purchaseOrderNumber: 'PO-4711',
    email: 'ann@example.com',
    billing: { firstName: 'Ann', lastName: 'Other' },
  });
  charge('sale', 'sale by phone', { channel: 'phone' });
  charge('sale', 'sale at the counter', { channel: 'counter' });

  charge('auth', 'authorization');
  find('authorization');
  later('capture', 'capture', 'authorization');
  find('capture');
  later('capture', 'capture, repeated', 'authorization');
  charge('auth', 'authorization for a part');
  later('capture', 'capture of a part', 'authorization for a part', (minor) => minor - 500);
  charge('auth', 'authorization to cancel');
  later('void', 'void of an authorization', 'authorization to cancel');
  later('capture', 'capture after a void', 'authorization to cancel');
  later('void', 'void of a sale', 'sale by phone');
  find('void of a sale');
  later('void', 'void, repeated', 'sale by phone');

  later('refund', 'refund before settlement', 'sale');
  later('refund', 'refund of a part before settlement', 'sale at the counter', (minor) => minor - 500);
  later('refund', 'refund above the payment', 'sale, purchase order', (minor) => minor + 1);
  charge('credit', 'credit');
  find('credit');

  charge('sale', 'bank debit', DEBIT);
  find('bank debit');
  later('void', 'void of a bank debit', 'bank debit');
  charge('credit', 'bank credit', { source: BANK, secCode: 'PPD' });
  charge('sale', 'bank debit, invalid routing number', { ...DEBIT, source: { ...BANK, routingNumber: '123456789' } });

  charge('sale', 'stored card, first charge', {
    channel: 'recurring',
    storedCredential: { use: 'first', initiator: 'customer', purpose: 'recurring' },
  });
  add('stored card, later charge', (account, minor) => {
    const first = account.credentialOf('stored card, first charge');
    const { cvv: _, ...source } = CARD;
    return account.charge('sale', 'stored card, later charge', minor, {
      source,
      channel: 'recurring',
      storedCredential: { use: 'later', initiator: 'merchant', purpose: 'recurring', ...(first && { first }) },
    });
  });

  add('inquiry: a payment that was never sent', (account, minor) => account.findNothing(minor));
  add('settlement report', async ({ connector }) => reading(await connector.settlementReport(period())));
  add('returned bank payments', async ({ connector }) => reading(connector.returns?.(period()) ?? []));
  add('disputes', async ({ connector }) => reading(connector.disputes?.(period()) ?? []));
  return steps;
}

/** Reads a report to its end. Its lines depend on earlier days of the account, so only its form is compared. */
async function reading(pages: Iterable<unknown> | AsyncIterable<unknown>): Promise<Answer> {
  for await (const _ of pages);
  return { result: 'readable' };
}

function period(): ReportPeriod {
  return { tenantId: 'trial', from: new Date(Date.now() - DAY_MS).toISOString(), to: new Date().toISOString() };
}
