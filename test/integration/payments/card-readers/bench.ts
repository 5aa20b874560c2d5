// Card readers of each connector, as the conformance table plays them.
import type { Core } from '#core';
import type { Actor } from '#core/kernel';
import type { Transaction } from '#core/sales/payments';

/**
 * Action of a person at a reader, or a fault of its surroundings. `reversed`: the chip refuses the approval, and the reader reverses it. `lost_answer`: the
 * issuer approves, and Paydesk gets no answer.
 */
export type ReaderStep =
  | 'chip'
  | 'chip_signature'
  | 'contactless'
  | 'phone'
  | 'swipe'
  | 'keyed'
  | 'declined'
  | 'no_funds'
  | 'expired'
  | 'stolen'
  | 'unsupported'
  | 'pin_exceeded'
  | 'wrong_pin'
  | 'unreadable'
  | 'removed'
  | 'cancel'
  | 'time_out'
  | 'part'
  | 'other_amount'
  | 'reversed'
  | 'unplug'
  | 'connect'
  | 'disconnect'
  | 'lost_answer'
  | 'no_tip'
  | { readonly tip: number };

/** Fault of the wire to the processor. Connectors without a wire have none. */
export type WireFault =
  | 'start_lost'
  | 'status_lost'
  | 'half_status'
  | 'odd_state'
  | 'other_names'
  | 'no_transaction'
  | 'other_order'
  | 'updating'
  | 'wrong_hmac'
  | 'wrong_key_version'
  | 'wrong_header'
  | 'wrong_padding'
  | 'replay'
  | 'none';

/** One connector with a paired reader, as a row of the table plays it. */
export interface ReaderBench {
  readonly core: Core;
  readonly actor: Actor;
  /** Pairs a new reader and returns its ID. */
  pair(code?: 'valid' | 'expired' | 'wrong' | 'taken'): Promise<string>;
  /** Acts at the reader. Steps that a processor does not see change nothing there. */
  act(terminalId: string, step: ReaderStep): Promise<void>;
  /** Starts a payment of another program on the reader. */
  occupy(terminalId: string): Promise<void>;
  /** Sets a fault of the wire; null for a connector without a wire. */
  readonly fault: ((fault: WireFault) => void) | null;
  /** Lets time pass, with everything that is due by then. */
  pass(ms: number): Promise<void>;
  /** Returns the amount in the books of the processor under a reference, without what was voided, in minor units. */
  charged(payment: Transaction): Promise<number>;
  /** Returns the number of payments in the books of the processor under a reference. */
  entries(payment: Transaction): Promise<number>;
  close(): Promise<void>;
}
