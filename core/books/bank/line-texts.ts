import { redactCardNumbers, SENT_TEXT } from '#shared/card-numbers';
import { compactText } from '#shared/compact-text';
import { maskIbans } from './account-numbers.ts';
import type { Dependencies } from './dependencies.ts';
import { createReferenceFinder } from './matching/references.ts';
import { payoutReferences } from './payouts.ts';
import type { BankAccountRow } from './schema.ts';
import type { Entry } from './statements/index.ts';

/** Returns a text for the screen, in which IBANs keep their last four characters, and card numbers are masked. */
export const withoutNumbers = (text: string): string => redactCardNumbers(maskIbans(text), SENT_TEXT);

/**
 * Creates a function that returns the texts of lines for the screen. Digits beside a payout's reference can form a number that is masked with it. Lines are
 * matched by references, so that one is then kept at the end of the text.
 */
export function createLineTexts({ database }: Dependencies, account: BankAccountRow): (entry: Entry) => Promise<string> {
  let referencesIn: ReturnType<typeof createReferenceFinder> | null = null;
  return async ({ text, minor }) => {
    const shown = withoutNumbers(text);
    if (shown === text || minor <= 0) return shown;
    referencesIn ??= createReferenceFinder(await payoutReferences(database.read(account.tenant_id), account));
    const compact = compactText(shown);
    return [shown, ...[...referencesIn(compactText(text))].filter((reference) => !compact.includes(reference))].join(' ');
  };
}
