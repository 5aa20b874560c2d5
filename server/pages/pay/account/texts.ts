import type { Frequency } from '#core/billing/recurring';

interface Message {
  readonly title: string;
  readonly text: string;
}

/** Changes that a customer makes on the page, each after a code. */
export const CHANGES = ['cancel', 'skip', 'replace', 'remove'] as const;
export type Change = (typeof CHANGES)[number];

/** Texts of the page of a customer. */
export interface AccountTexts {
  readonly title: (merchant: string) => string;
  readonly back: string;
  readonly invoices: {
    readonly title: string;
    readonly none: string;
    readonly total: string;
    readonly due: (day: string) => string;
    readonly overdue: (day: string) => string;
    readonly noDate: string;
    readonly pending: string;
    readonly ownPage: string;
    readonly open: (number: string) => string;
    readonly choose: string;
    readonly pay: string;
    readonly several: (count: number) => string;
    readonly listed: (count: number, total: number) => string;
  };
  readonly plans: {
    readonly title: string;
    readonly invoice: (number: string) => string;
    readonly next: (amount: string, day: string) => string;
    readonly remaining: (amount: string) => string;
    readonly paused: string;
    readonly schedule: string;
  };
  readonly subscriptions: {
    readonly title: string;
    readonly frequency: Readonly<Record<Frequency, string>>;
    readonly next: (day: string) => string;
    readonly noNext: string;
    readonly pastDue: string;
    readonly paused: string;
    readonly chargedTo: (method: string) => string;
    readonly noMethod: string;
  };
  readonly methods: {
    readonly title: string;
    readonly none: string;
    readonly expires: (date: string) => string;
    readonly isDefault: string;
    readonly needed: string;
    readonly add: string;
  };
  readonly receipts: {
    readonly title: string;
    readonly none: string;
    readonly pdf: (amount: string, day: string) => string;
    readonly range: (first: number, last: number, total: number) => string;
    readonly newer: string;
    readonly older: string;
  };
  readonly confirm: {
    readonly title: string;
    readonly explanation: (to: string) => string;
    readonly impossible: (merchant: string) => string;
    /** The only addresses for codes were changed a short time ago. */
    readonly held: (merchant: string, until: string) => string;
    readonly send: string;
    readonly sent: (to: string) => string;
    readonly code: string;
    readonly codeHint: string;
    readonly check: string;
    readonly confirmed: string;
    readonly end: string;
    readonly wrong: string;
    readonly used: string;
    /** The code was sent to a former address. */
    readonly moved: string;
    readonly tooSoon: (seconds: number) => string;
    readonly tooMany: string;
    readonly again: string;
  };
  /** Buttons, questions and results of changes. `subject` names the subscription or the card. */
  readonly changes: Readonly<
    Record<
      Change,
      {
        readonly action: string;
        readonly question: (subject: string) => string;
        readonly explanation: (day: string) => string;
        readonly button: string;
        readonly done: string;
      }
    >
  >;
  readonly keep: string;
  /** The payment of an earlier period is skipped already, whose day has not passed. */
  readonly skippedAlready: (day: string) => string;
  readonly refused: string;
  readonly pay: {
    readonly title: string;
    readonly nothingChosen: string;
    readonly changed: string;
    readonly onFile: string;
    readonly payOnFile: (amount: string) => string;
    readonly needsCode: string;
    readonly otherCard: string;
    readonly seconds: string;
  };
  readonly result: {
    readonly all: string;
    readonly some: string;
    readonly none: string;
    readonly paid: string;
    readonly notCharged: string;
    readonly waiting: string;
    readonly voided: string;
    readonly received: (amount: string, merchant: string) => string;
    readonly stopped: string;
  };
  readonly done: Readonly<Record<'confirmed' | 'ended', string>>;
  readonly expired: (merchant: string) => Message;
  readonly closed: (merchant: string) => Message;
}
