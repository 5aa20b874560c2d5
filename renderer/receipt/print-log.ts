import type { ReceiptCopy } from './subject.ts';

/** What this workstation has printed and sold: so that a second print of a copy says so, and F8 finds the last sale. Ids only. */
export interface PrintLog {
  readonly printed: (transactionId: string, copy: ReceiptCopy) => boolean;
  readonly notePrinted: (transactionId: string, copy: ReceiptCopy) => void;
  readonly lastSale: () => string | null;
  readonly noteSale: (transactionId: string) => void;
}

type Kept = Pick<Storage, 'getItem' | 'setItem'>;

const ENTRY = 'paydesk.printed';
const LONGEST_LOG = 500;

interface LogRecord {
  readonly printed: readonly string[];
  readonly lastSale: string | null;
}

/** The log in a workstation's storage. `subject` is a transaction's or a refund's id. */
export function printLog(storage: Kept): PrintLog {
  const read = () => readRecord(storage.getItem(ENTRY));
  const write = (change: Partial<LogRecord>) => storage.setItem(ENTRY, JSON.stringify({ ...read(), ...change }));
  return {
    printed: (subject, copy) => read().printed.includes(`${subject} ${copy}`),
    notePrinted: (subject, copy) => {
      const mark = `${subject} ${copy}`;
      const { printed } = read();
      if (!printed.includes(mark)) write({ printed: [...printed, mark].slice(-LONGEST_LOG) });
    },
    lastSale: () => read().lastSale,
    noteSale: (transactionId) => write({ lastSale: transactionId }),
  };
}

function readRecord(text: string | null): LogRecord {
  try {
    const kept: unknown = JSON.parse(text ?? '{}');
    const { printed, lastSale } = (typeof kept === 'object' && kept !== null ? kept : {}) as { printed?: unknown; lastSale?: unknown };
    return {
      printed: Array.isArray(printed) ? printed.filter((mark) => typeof mark === 'string') : [],
      lastSale: typeof lastSale === 'string' ? lastSale : null,
    };
  } catch {
    // A damaged record costs a DUPLICATE mark, not the receipt.
    return { printed: [], lastSale: null };
  }
}
