import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';

export const RECEIPT_WIDTHS = ['58mm', '80mm', 'letter'] as const;
export type ReceiptWidth = (typeof RECEIPT_WIDTHS)[number];

export const AUTO_PRINT = ['never', 'customer', 'both'] as const;
/** Receipts that are printed automatically after an approval. */
export type AutoPrint = (typeof AUTO_PRINT)[number];

export const DENSITIES = ['roomy', 'compact'] as const;
/** Height of rows in lists: roomy for the front desk, compact for the back office. */
export type Density = (typeof DENSITIES)[number];

/** Settings of this workstation: stored on this computer only, without any card data. */
interface WorkstationSettings {
  /** Paper where no receipt printer is set up; null follows the merchant's setting. */
  readonly receiptWidth: ReceiptWidth | null;
  /** Null follows the merchant's setting. */
  readonly autoPrint: AutoPrint | null;
  /** Moves the focus on when a card field is complete and valid. */
  readonly autoAdvance: boolean;
  readonly sound: boolean;
  /** True if the optional fields of the sale are open. */
  readonly moreOpen: boolean;
  readonly density: Density;
  /** True if single letters are shortcuts outside of fields; users of speech input turn them off. */
  readonly letterKeys: boolean;
}

const FRESH: WorkstationSettings = {
  receiptWidth: null,
  autoPrint: null,
  autoAdvance: true,
  sound: false,
  moreOpen: false,
  density: 'roomy',
  letterKeys: true,
};

interface WorkstationStore extends WorkstationSettings {
  change: (settings: Partial<WorkstationSettings>) => void;
}

/** The settings of this workstation, read through selectors. */
export const useWorkstation = create<WorkstationStore>()(
  persist((set) => ({ ...FRESH, change: (settings) => set(settings) }), {
    name: 'paydesk.workstation',
    version: 1,
    storage: createJSONStorage(() => localStorage),
    partialize: ({ change: _, ...settings }) => settings,
    merge: (kept, fresh) => ({ ...fresh, ...readSettings(kept) }),
  }),
);

/** Parses stored settings field by field; an unknown value gets its default. */
export function readSettings(kept: unknown): WorkstationSettings {
  const record: Record<string, unknown> = typeof kept === 'object' && kept !== null ? { ...kept } : {};
  return {
    receiptWidth: RECEIPT_WIDTHS.find((width) => width === record.receiptWidth) ?? FRESH.receiptWidth,
    autoPrint: AUTO_PRINT.find((choice) => choice === record.autoPrint) ?? FRESH.autoPrint,
    autoAdvance: typeof record.autoAdvance === 'boolean' ? record.autoAdvance : FRESH.autoAdvance,
    sound: typeof record.sound === 'boolean' ? record.sound : FRESH.sound,
    moreOpen: typeof record.moreOpen === 'boolean' ? record.moreOpen : FRESH.moreOpen,
    density: DENSITIES.find((density) => density === record.density) ?? FRESH.density,
    letterKeys: typeof record.letterKeys === 'boolean' ? record.letterKeys : FRESH.letterKeys,
  };
}
