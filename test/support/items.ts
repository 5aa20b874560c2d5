import { type ApiFixture, expectData } from './server.ts';

export interface ItemRecord {
  itemId: string;
  name: string;
  kind: 'item' | 'amount';
  price: number;
  taxRate: number | null;
  taxIncluded: boolean;
  key: string | null;
  barcode: string | null;
  category: string | null;
  status: 'active' | 'archived';
  position: number;
  updatedAt: string;
}

export interface ImportRecord {
  stored: boolean;
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  failed: number;
  layout: string;
  mapping: Record<string, string>;
  ignoredColumns: string[];
  lines: {
    line: number;
    name: string | null;
    result: string;
    reason: string | null;
    changes: object[];
    item: Record<string, unknown> | null;
  }[];
}

export const addItem = ({ api }: ApiFixture, item: Record<string, unknown>) => expectData(api.admin.post<ItemRecord>('/items', item), 201);

/** Imports a CSV file of items. */
export function importItems({ api }: ApiFixture, csv: string | Uint8Array<ArrayBuffer>, fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([csv]), 'items.csv');
  return api.admin.post<ImportRecord>('/items/import', form);
}
