import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from '#renderer/base/module-state';
import type { NamedColumns } from './named-columns.tsx';

/** Columns that a person chose for files with the same header. */
interface RememberedColumns {
  /** Subject of the import and header of its file. */
  readonly header: string;
  readonly columns: NamedColumns;
}

interface RememberedColumnsStore {
  /** The newest first. */
  readonly entries: readonly RememberedColumns[];
  readonly remember: (entry: RememberedColumns) => void;
}

const ENTRIES_MAX = 50;

/** Chosen columns by the header of their files, stored on this computer only. */
export const useRememberedColumns = createStore<RememberedColumnsStore>()(
  persist(
    (set) => ({
      entries: [],
      remember: (entry) =>
        set(({ entries }) => ({ entries: [entry, ...entries.filter(({ header }) => header !== entry.header)].slice(0, ENTRIES_MAX) })),
    }),
    {
      name: 'paydesk.import-columns',
      version: 1,
      storage: createJSONStorage(() => localStorage),
      partialize: ({ entries }) => ({ entries }),
      merge: (stored, fresh) => ({ ...fresh, entries: readEntries(stored) }),
    },
  ),
);

/** Parses stored entries; those that are not valid are left out. */
function readEntries(stored: unknown): RememberedColumns[] {
  const list = typeof stored === 'object' && stored !== null && 'entries' in stored ? stored.entries : [];
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    const { header, columns }: Record<string, unknown> = typeof entry === 'object' && entry !== null ? { ...entry } : {};
    if (typeof header !== 'string' || typeof columns !== 'object' || columns === null) return [];
    const texts = Object.entries(columns).filter((each): each is [string, string] => typeof each[1] === 'string');
    return [{ header, columns: Object.fromEntries(texts) }];
  });
}
