import { useState } from 'react';
import { t } from '#renderer/base/language';
import type { PrinterSetup, ReceiptPrinter } from '#renderer/desktop/bridge';
import { announce, focusField } from '#renderer/kit/ui';
import { savePrinter } from './printer.ts';
import { type DraftField, type DraftProblems, draftOf, type PrinterDraft, problemsOf, setupOf } from './printer-draft.ts';

/** Result of a test or an attempt to save, as text. */
interface FormOutcome {
  readonly isGood: boolean;
  readonly text: string;
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
  readonly runWithSetup: (kind: 'drawer', work: (setup: PrinterSetup) => Promise<FormOutcome>) => Promise<void>;
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

  const showOutcome = (next: FormOutcome) => {
    setOutcome(next);
    announce(next.text);
  };

  /** Runs `work` with the printer of the form. If a field is invalid, focuses it instead. */
  async function withSetup(kind: NonNullable<PrinterForm['busyWith']>, work: (setup: PrinterSetup) => Promise<FormOutcome | null>) {
    const invalidFields = Object.keys(problemsOf(draft)) as DraftField[];
    setChecked(true);
    setOutcome(null);
    const [first] = invalidFields;
    if (first !== undefined) {
      focusField(FIELD_IDS[first] ?? '');
      return false;
    }
    setBusyWith(kind);
    const next = await work(setupOf(draft)).catch(
      (): FormOutcome => ({ isGood: false, text: t('The application could not reach the printer.') }),
    );
    setBusyWith(null);
    if (next) showOutcome(next);
    return next?.isGood ?? true;
  }

  return {
    draft,
    change: (part) => {
      setDraft((current) => ({ ...current, ...part }));
      setOutcome(null);
    },
    problems: isChecked ? problemsOf(draft) : {},
    busyWith,
    outcome,
    test: async () => {
      await withSetup('test', async (setup) => {
        const { sent, problem = '' } = await receiptPrinter.testPrinter(setup);
        return sent
          ? {
              isGood: true,
              text: t('Test page sent to {{printer}}. Each ruler must fit on one line and reach the edge.', { printer: setup.name }),
            }
          : { isGood: false, text: problem };
      });
    },
    save: () =>
      withSetup('save', async (setup) => {
        const problem = await savePrinter(receiptPrinter, setup);
        return problem === undefined ? null : { isGood: false, text: problem };
      }),
    runWithSetup: async (kind, work) => {
      await withSetup(kind, work);
    },
  };
}
