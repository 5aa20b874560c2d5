import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from '#renderer/base/module-state';
import { DATE_FORMATS } from '#shared/file-cells';
import type { Mapping } from './mapping.ts';

export interface SavedMapping extends Mapping {
  readonly name: string;
}

interface SavedMappingStore {
  readonly mappings: readonly SavedMapping[];
  /** Saves a mapping; one with the same name is replaced. */
  save: (mapping: SavedMapping) => void;
  forget: (name: string) => void;
}

const MAPPINGS_MAX = 50;

/** Saved column mappings by name, stored on this computer only. */
export const useSavedMappings = createStore<SavedMappingStore>()(
  persist(
    (set) => ({
      mappings: [],
      save: (mapping) =>
        set(({ mappings }) => ({ mappings: [mapping, ...mappings.filter(({ name }) => name !== mapping.name)].slice(0, MAPPINGS_MAX) })),
      forget: (name) => set(({ mappings }) => ({ mappings: mappings.filter((mapping) => mapping.name !== name) })),
    }),
    {
      name: 'paydesk.import-mappings',
      version: 1,
      storage: createJSONStorage(() => localStorage),
      partialize: ({ mappings }) => ({ mappings }),
      merge: (stored, fresh) => ({ ...fresh, mappings: readMappings(stored) }),
    },
  ),
);

/** Parses stored mappings; entries that this version cannot read are skipped. */
function readMappings(kept: unknown): SavedMapping[] {
  const list = typeof kept === 'object' && kept !== null && 'mappings' in kept ? kept.mappings : [];
  if (!Array.isArray(list)) return [];
  return list.flatMap((each: unknown) => {
    const record: Record<string, unknown> = typeof each === 'object' && each !== null ? { ...each } : {};
    const text = (field: string) => (typeof record[field] === 'string' ? record[field] : '');
    const dateFormat = DATE_FORMATS.find((format) => format === record.dateFormat);
    if (text('name') === '' || !dateFormat) return [];
    const amounts = (['direction', 'two'] as const).find((layout) => layout === record.amounts) ?? 'one';
    return [
      {
        name: text('name'),
        transactionId: text('transactionId'),
        amounts,
        amount: text('amount'),
        direction: text('direction'),
        debitValues: text('debitValues'),
        credit: text('credit'),
        debit: text('debit'),
        date: text('date'),
        currency: text('currency'),
        dateFormat,
        sign: record.sign === 'negative' ? 'negative' : 'positive',
        unit: record.unit === 'minor' ? 'minor' : 'major',
      },
    ];
  });
}
