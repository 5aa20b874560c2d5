import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from '#renderer/base/module-state';

export const RECEIPT_WIDTHS = ['58mm', '80mm', 'letter'] as const;
export type ReceiptWidth = (typeof RECEIPT_WIDTHS)[number];

export const AUTO_PRINT = ['never', 'customer', 'both'] as const;
/** Receipts that are printed automatically after an approval. */
export type AutoPrint = (typeof AUTO_PRINT)[number];

const DENSITIES = ['roomy', 'compact'] as const;
/** Height of rows in lists: roomy for the front desk, compact for the back office. */
type Density = (typeof DENSITIES)[number];

/** Settings of this workstation: stored on this computer only, without any card data. */
interface WorkstationSettings {
  /** Paper where no receipt printer is set up; null follows the merchant's setting. */
  readonly receiptWidth: ReceiptWidth | null;
  /** Null follows the merchant's setting. */
  readonly autoPrint: AutoPrint | null;
  /** Moves the focus on when a card field is complete and valid. */
  readonly autoAdvance: boolean;
  readonly sound: boolean;
  readonly density: Density;
  /** True if single letters are shortcuts outside of fields; users of speech input turn them off. */
  readonly letterKeys: boolean;
  /** True if the navigation shows icons only. */
  readonly isRailCollapsed: boolean;
  /** True if the Sell screen shows the recent sales; null shows them unless there are items. */
  readonly showsRecentSales: boolean | null;
  /** Name of the cash drawer of this workstation. */
  readonly drawer: string;
  /** ID of the card reader that takes payments first, or `none`; null for the one that is assigned to the drawer. */
  readonly cardReader: string | null;
}

export const DRAWER_LENGTH_MAX = 40;
const CARD_READER_LENGTH_MAX = 60;

const DEFAULTS: WorkstationSettings = {
  receiptWidth: null,
  autoPrint: null,
  autoAdvance: true,
  sound: false,
  density: 'roomy',
  letterKeys: true,
  isRailCollapsed: false,
  showsRecentSales: null,
  drawer: 'Drawer 1',
  cardReader: null,
};

interface WorkstationStore extends WorkstationSettings {
  change: (settings: Partial<WorkstationSettings>) => void;
}

/** The settings of this workstation, read through selectors. */
export const useWorkstation = createStore<WorkstationStore>()(
  persist((set) => ({ ...DEFAULTS, change: (settings) => set(settings) }), {
    name: 'paydesk.workstation',
    version: 1,
    storage: createJSONStorage(() => localStorage),
    partialize: ({ change: _, ...settings }) => settings,
    merge: (stored, fresh) => ({ ...fresh, ...readSettings(stored) }),
  }),
);

/** Parses stored settings field by field; an unknown value gets its default. */
export function readSettings(stored: unknown): WorkstationSettings {
  const record: Record<string, unknown> = typeof stored === 'object' && stored !== null ? { ...stored } : {};
  return {
    receiptWidth: RECEIPT_WIDTHS.find((width) => width === record.receiptWidth) ?? DEFAULTS.receiptWidth,
    autoPrint: AUTO_PRINT.find((choice) => choice === record.autoPrint) ?? DEFAULTS.autoPrint,
    autoAdvance: typeof record.autoAdvance === 'boolean' ? record.autoAdvance : DEFAULTS.autoAdvance,
    sound: typeof record.sound === 'boolean' ? record.sound : DEFAULTS.sound,
    density: DENSITIES.find((density) => density === record.density) ?? DEFAULTS.density,
    letterKeys: typeof record.letterKeys === 'boolean' ? record.letterKeys : DEFAULTS.letterKeys,
    isRailCollapsed: typeof record.isRailCollapsed === 'boolean' ? record.isRailCollapsed : DEFAULTS.isRailCollapsed,
    showsRecentSales: typeof record.showsRecentSales === 'boolean' ? record.showsRecentSales : DEFAULTS.showsRecentSales,
    drawer: typeof record.drawer === 'string' && record.drawer.trim() !== '' ? record.drawer.slice(0, DRAWER_LENGTH_MAX) : DEFAULTS.drawer,
    cardReader: typeof record.cardReader === 'string' ? record.cardReader.slice(0, CARD_READER_LENGTH_MAX) : DEFAULTS.cardReader,
  };
}
