import { useState } from 'react';
import type { PrinterSetup, ReceiptPrinter } from '#renderer/desktop';
import { announce, focusField } from '#renderer/ui';
import { type DraftField, type DraftProblems, draftOf, type PrinterDraft, problemsOf, setupOf } from './draft.ts';
import { savePrinter } from './printer.ts';

/** Result of a test or an attempt to save, as text. */
export interface FormOutcome {
  readonly isGood: boolean;
  readonly words: string;
}

export interface PrinterForm {
  readonly draft: PrinterDraft;
  readonly change: (part: Partial<PrinterDraft>) => void;
  /** Shown after the first attempt to continue. */
  readonly problems: DraftProblems;
  readonly busyWith: 'test' | 'save' | 'drawer' | null;
  readonly outcome: FormOutcome | null;
  /** Prints a test page with the values of the form. */
  readonly test: () => Promise<void>;
  /** Saves the printer. Resolves to false if it was refused. */
  readonly save: () => Promise<boolean>;
  /** Runs another operation with the values of the form. */
  readonly tryOut: (kind: 'drawer', work: (setup: PrinterSetup) => Promise<FormOutcome>) => Promise<void>;
}

const FIELD_IDS: Readonly<Partial<Record<DraftField, string>>> = {
  name: 'printer-name',
  host: 'printer-host',
  port: 'printer-port',
  queue: 'printer-queue',
  share: 'printer-share',
  printer: 'printer-system',
  columns: 'printer-columns',
};

/** The form of this workstation's receipt printer. */
export function usePrinterForm(setup: PrinterSetup | null, receiptPrinter: ReceiptPrinter): PrinterForm {
  const [draft, setDraft] = useState(() => draftOf(setup));
  const [isChecked, setChecked] = useState(false);
  const [busyWith, setBusyWith] = useState<PrinterForm['busyWith']>(null);
  const [outcome, setOutcome] = useState<FormOutcome | null>(null);

  const tell = (next: FormOutcome) => {
    setOutcome(next);
    announce(next.words);
  };

  /** Does something with the printer of the form, unless a field is wrong: then the focus goes there. */
  async function withSetup(kind: NonNullable<PrinterForm['busyWith']>, work: (given: PrinterSetup) => Promise<FormOutcome | null>) {
    const wrong = Object.keys(problemsOf(draft)) as DraftField[];
    setChecked(true);
    setOutcome(null);
    const [first] = wrong;
    if (first !== undefined) {
      focusField(FIELD_IDS[first] ?? '');
      return false;
    }
    setBusyWith(kind);
    const next = await work(setupOf(draft)).catch(
      (): FormOutcome => ({ isGood: false, words: 'The application could not reach the printer.' }),
    );
    setBusyWith(null);
    if (next) tell(next);
    return next?.isGood ?? true;
  }

  return {
    draft,
    change: (part) => {
      setDraft((now) => ({ ...now, ...part }));
      setOutcome(null);
    },
    problems: isChecked ? problemsOf(draft) : {},
    busyWith,
    outcome,
    test: async () => {
      await withSetup('test', async (given) => {
        const { sent, problem = '' } = await receiptPrinter.testPrinter(given);
        return sent
          ? { isGood: true, words: `Test page sent to ${given.name}. Each line of the ruler must be one line that reaches the edge.` }
          : { isGood: false, words: problem };
      });
    },
    save: () =>
      withSetup('save', async (given) => {
        const problem = await savePrinter(receiptPrinter, given);
        return problem === undefined ? null : { isGood: false, words: problem };
      }),
    tryOut: async (kind, work) => {
      await withSetup(kind, work);
    },
  };
}
