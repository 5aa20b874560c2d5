import { type Actor, ServiceError } from '#core/kernel';
import type { AllowedChanges } from '#core/processing/gateways';
import { checkedWait, type PairedTerminal } from '#core/processing/terminals';
import type { Dependencies } from '../dependencies.ts';

/** The customer presents the card to a reader. The request waits for the outcome at most `waitSeconds`, by default not at all. */
export interface TerminalMethodInput {
  readonly kind: 'terminal';
  readonly terminalId: string;
  readonly waitSeconds?: number;
  /** True if the reader asks for a tip; by default its setting decides. */
  readonly asksTip?: boolean;
  /** True if the reader adds the surcharge of the merchant's rule to a credit card. */
  readonly addsSurcharge?: boolean;
}

/** Fields of a new payment that decide whether it can be made on a reader. */
interface Requested {
  readonly method?: { readonly kind: string } | TerminalMethodInput;
  readonly channel?: string;
  readonly surchargeAmount?: string | number;
}

const isMethod = (method: Requested['method']): method is TerminalMethodInput => method?.kind === 'terminal';

/**
 * Returns the card reader of a new payment; null if the card is known already. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED; VALIDATION_ERROR for
 * a field that only a known card allows.
 */
export async function terminalOf(deps: Dependencies, actor: Actor, input: Requested): Promise<PairedTerminal | null> {
  const { method } = input;
  if (!isMethod(method)) return null;
  checkedWait(method.waitSeconds);
  if (input.channel !== undefined) throw refused('channel', 'The card reader reports the channel. Leave `channel` out.');
  if (Number(input.surchargeAmount ?? 0) > 0)
    throw refused('surchargeAmount', 'The card is not known before the reader has read it. Send `addSurcharge`, and the reader adds it.');
  return deps.terminals.forPayment(actor, method.terminalId);
}

/** Returns the source of a payment on a card reader. */
export const sourceAtTerminal = (
  terminal: PairedTerminal,
  { waitSeconds = 0 }: Pick<TerminalMethodInput, 'waitSeconds'>,
  changes: AllowedChanges,
) => ({
  source: { kind: 'terminal' as const, terminal, waitMs: waitSeconds * 1_000, changes },
  sealed: null,
  token: '',
});

const refused = (field: string, message: string) => new ServiceError('VALIDATION_ERROR', message, { field });
