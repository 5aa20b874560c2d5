import { currenciesAmong, keyRefused, zoneNamed } from '../account-texts.ts';
import type { AccountCheck, GatewayAccount } from '../processor.ts';
import type { Client } from './client.ts';
import { childrenOf, type Element, textOf } from './xml.ts';

/** Hosts where no account is real. */
const PLAYGROUNDS: ReadonlySet<string> = new Set(['sandbox.nmi.com', '127.0.0.1', 'localhost']);
const YES: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'enabled']);
const BANK: ReadonlySet<string> = new Set(['ck', 'check', 'ach']);

/** Requests the profile of the account, which has no effect. */
export async function check(client: Client, account: GatewayAccount): Promise<AccountCheck> {
  const { mode, currency } = account;
  const heard = await client.query({ report_type: 'profile' });
  if (heard.kind === 'lost') return { kind: 'unreachable', reason: heard.reason };
  if (heard.kind === 'refused') return keyRefused(account, heard.reason, 'securityKey');
  const [merchant] = childrenOf(heard.root, 'merchant');
  const [details] = childrenOf(heard.root, 'account_details');
  if (merchant === undefined || details === undefined)
    return { kind: 'unreachable', reason: 'The processor shows no profile of the account.' };
  const isTest = YES.has((textOf(details, 'test_mode_enabled') ?? '').toLowerCase());
  if (mode === 'live' && isTest)
    return { kind: 'refused', reason: 'The account is in test mode at the processor: it would keep no payment.', field: 'mode' };
  if (mode === 'test' && !isTest && !PLAYGROUNDS.has(client.host))
    return { kind: 'refused', reason: 'The account is not in test mode at the processor: payments would be real.', field: 'mode' };
  const processors = childrenOf(heard.root, 'processors').flatMap((all) => childrenOf(all, 'processor'));
  const chosen = client.processorId === undefined ? processors : processors.filter((each) => textOf(each, 'id') === client.processorId);
  if (client.processorId !== undefined && chosen.length === 0)
    return { kind: 'refused', reason: 'The account has no processor of this name.', field: 'processorId' };
  const currencies = currenciesAmong(chosen.flatMap(({ children }) => children.filter(isCurrencies)).flatMap(wordsIn));
  if (currencies.length > 0 && !currencies.includes(currency))
    return { kind: 'refused', reason: `The account takes ${currencies.join(', ')}.`, field: 'currency' };
  return {
    kind: 'ok',
    merchantName: client.clean(textOf(merchant, 'company') ?? ''),
    currencies,
    timezone: zoneNamed(textOf(merchant, 'timezone')),
    // With several processors, each accepts one kind of payment, and a payment goes to the named one whatever its kind.
    takesBankAccounts: chosen.some((each) => BANK.has((textOf(each, 'type') ?? '').toLowerCase())),
  };
}

const isCurrencies = ({ name }: Element): boolean => name === 'currencies';

/** Returns the values of an element, which the processor writes as elements or as a list. */
function wordsIn(element: Element): string[] {
  return [...element.text.split(/[\s,]+/), ...element.children.flatMap(wordsIn)];
}
