import { currenciesAmong, keyRefused, timeZoneIn } from '../account-texts.ts';
import type { AccountCheck, GatewayAccount } from '../processor.ts';
import type { Client } from './client.ts';
import { childrenOf, type Element, textOf } from './xml.ts';

/** Hosts of test environments and simulators. */
const TEST_HOSTS: ReadonlySet<string> = new Set(['sandbox.nmi.com', '127.0.0.1', 'localhost']);
const YES: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'enabled']);
const BANK: ReadonlySet<string> = new Set(['ck', 'check', 'ach']);

/** Requests the profile of the account, which has no effect. */
export async function check(client: Client, account: GatewayAccount): Promise<AccountCheck> {
  const { mode, currency } = account;
  const response = await client.query({ report_type: 'profile' });
  if (response.kind === 'lost') return { kind: 'unreachable', reason: response.reason };
  if (response.kind === 'refused') return keyRefused(account, response.reason, 'securityKey');
  const [merchant] = childrenOf(response.root, 'merchant');
  const [details] = childrenOf(response.root, 'account_details');
  if (merchant === undefined || details === undefined)
    return { kind: 'unreachable', reason: 'The processor returned no profile of the account.' };
  const isTest = YES.has((textOf(details, 'test_mode_enabled') ?? '').toLowerCase());
  if (mode === 'live' && isTest)
    return { kind: 'refused', reason: 'The account is in test mode at the processor, so payments would not be processed.', field: 'mode' };
  if (mode === 'test' && !isTest && !TEST_HOSTS.has(client.host))
    return { kind: 'refused', reason: 'The account is not in test mode at the processor, so payments would be real.', field: 'mode' };
  const processors = childrenOf(response.root, 'processors').flatMap((all) => childrenOf(all, 'processor'));
  const selected = client.processorId === undefined ? processors : processors.filter((each) => textOf(each, 'id') === client.processorId);
  if (client.processorId !== undefined && selected.length === 0)
    return { kind: 'refused', reason: 'The account has no processor with this name.', field: 'processorId' };
  const currencies = currenciesAmong(selected.flatMap(({ children }) => children.filter(isCurrencyList)).flatMap(valuesIn));
  if (currencies.length > 0 && !currencies.includes(currency))
    return { kind: 'refused', reason: `The account accepts only ${currencies.join(', ')}.`, field: 'currency' };
  return {
    kind: 'ok',
    merchantName: client.clean(textOf(merchant, 'company') ?? ''),
    currencies,
    timezone: timeZoneIn(textOf(merchant, 'timezone')),
    // If there are several processors, each accepts one kind of payment, and a payment goes to the configured one regardless of its kind.
    takesBankAccounts: selected.some((each) => BANK.has((textOf(each, 'type') ?? '').toLowerCase())),
  };
}

const isCurrencyList = ({ name }: Element): boolean => name === 'currencies';

/** Returns the values of an element, which the processor writes as elements or as a list. */
function valuesIn(element: Element): string[] {
  return [...element.text.split(/[\s,]+/), ...element.children.flatMap(valuesIn)];
}
