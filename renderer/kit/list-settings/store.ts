import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from '#renderer/base/module-state';

/** Columns of one list as the user arranged them. */
interface ColumnSettings {
  /** Fields of hidden columns. */
  readonly hidden: readonly string[];
  /** Fields of columns that are shown although the list is too narrow for them. */
  readonly shown: readonly string[];
  /** Widths in pixels of columns that were resized. */
  readonly widths: Readonly<Record<string, number>>;
}

/** A filter with a name. */
export interface SavedView {
  readonly name: string;
  /** Query of the address with its question mark, without the page. */
  readonly search: string;
  /** Path of the list; the area's own path if missing. */
  readonly path?: string;
}

interface ListSettings {
  /** By name of the list. */
  readonly columns: Readonly<Record<string, ColumnSettings>>;
  /** By the first part of the screen's path. */
  readonly views: Readonly<Record<string, readonly SavedView[]>>;
}

interface ListSettingsStore extends ListSettings {
  readonly setColumns: (list: string, columns: ColumnSettings) => void;
  readonly setViews: (area: string, views: readonly SavedView[]) => void;
}

export const DEFAULT_COLUMNS: ColumnSettings = { hidden: [], shown: [], widths: {} };

/** Columns and saved views of lists, stored on this computer. */
export const useListSettings = createStore<ListSettingsStore>()(
  persist(
    (set) => ({
      columns: {},
      views: {},
      setColumns: (list, columns) => set((before) => ({ columns: { ...before.columns, [list]: columns } })),
      setViews: (area, views) => set((before) => ({ views: { ...before.views, [area]: views } })),
    }),
    {
      name: 'paydesk.lists',
      version: 1,
      storage: createJSONStorage(() => localStorage),
      partialize: ({ columns, views }) => ({ columns, views }),
      merge: (stored, fresh) => ({ ...fresh, ...readListSettings(stored) }),
    },
  ),
);

/** Parses stored settings entry by entry; an entry that is not valid is left out. */
export function readListSettings(stored: unknown): ListSettings {
  const { columns, views } = recordOf(stored);
  return {
    columns: Object.fromEntries(Object.entries(recordOf(columns)).map(([list, value]) => [list, readColumns(value)])),
    views: Object.fromEntries(
      Object.entries(recordOf(views)).map(([area, value]) => [area, (Array.isArray(value) ? value : []).filter(isView)]),
    ),
  };
}

function readColumns(value: unknown): ColumnSettings {
  const { hidden, shown, widths } = recordOf(value);
  const texts = (list: unknown) => (Array.isArray(list) ? list : []).filter((field) => typeof field === 'string');
  return {
    hidden: texts(hidden),
    shown: texts(shown),
    widths: Object.fromEntries(Object.entries(recordOf(widths)).filter((entry): entry is [string, number] => Number.isFinite(entry[1]))),
  };
}

function isView(value: unknown): value is SavedView {
  const { name, search, path } = recordOf(value);
  return (
    typeof name === 'string' && typeof search === 'string' && (path === undefined || (typeof path === 'string' && path.startsWith('/')))
  );
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
