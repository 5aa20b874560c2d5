import { integer, type RowOf, table, text } from '#core/database';

/** `amount` is a quick amount: a button of the terminal that enters its price, without a tax or a barcode. */
export const ITEM_KINDS = ['item', 'amount'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];
export const ITEM_STATUSES = ['active', 'archived'] as const;

/** Items and quick amounts of merchants. Sales copy what they need, so a change never alters a sale. */
export const CATALOG_ITEMS = table(
  'items',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    kind: text.of<ItemKind>(),
    name: text,
    price_minor: integer,
    currency: text,
    /** Thousandths of a percent; null for no tax. */
    tax_rate: integer.optional,
    /** 1 if the price includes the tax. */
    tax_included: integer,
    /** Short code that is typed at the terminal, in capitals. */
    key: text.optional,
    barcode: text.optional,
    /** Group of buttons and of the report. */
    category: text.optional,
    /** Order of the buttons; equal positions are ordered by ID. */
    position: integer,
    archived_at: text.optional,
    created_at: text,
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'items_by_merchant', columns: ['tenant_id', 'merchant_id', 'position', 'id'] },
      { name: 'items_by_key', columns: ['tenant_id', 'merchant_id', 'key'], where: 'key IS NOT NULL', unique: true },
      { name: 'items_by_barcode', columns: ['tenant_id', 'merchant_id', 'barcode'], where: 'barcode IS NOT NULL', unique: true },
    ],
  },
);

export type ItemRow = RowOf<typeof CATALOG_ITEMS>;
