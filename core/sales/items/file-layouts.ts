import { columnIndex } from '#shared/file-columns';

/** Columns of a file of items, in the order of an export. */
export const ITEM_COLUMNS = ['itemId', 'kind', 'name', 'price', 'taxRate', 'taxIncluded', 'key', 'barcode', 'status', 'category'] as const;
export type ItemColumn = (typeof ITEM_COLUMNS)[number];

/** Products whose files are recognized. `list` is any file with columns for a name and a price. */
export const ITEM_LAYOUTS = ['paydesk', 'square', 'shopify', 'loyverse', 'lightspeed', 'woocommerce', 'list'] as const;

interface Layout {
  readonly source: (typeof ITEM_LAYOUTS)[number];
  /** Columns that files of this product have, besides those of the name and the price. */
  readonly marks: readonly string[];
  /** Names of each column, the best one first. */
  readonly columns: Readonly<Partial<Record<ItemColumn, readonly string[]>>>;
  /** Columns with the values of a variant, which become part of the name. */
  readonly options: readonly string[];
  /** Column that is equal in all rows of a product. Its variants leave the name blank. */
  readonly group: string | null;
}

const LAYOUTS: readonly Layout[] = [
  {
    source: 'square',
    marks: ['Token', 'Variation Name'],
    columns: { name: ['Item Name'], price: ['Price'], barcode: ['GTIN'], category: ['Categories', 'Category'] },
    options: ['Variation Name'],
    group: 'Reference Handle',
  },
  {
    source: 'shopify',
    marks: ['Handle', 'Option1 Value'],
    columns: { name: ['Title'], price: ['Variant Price'], barcode: ['Variant Barcode'], category: ['Type'], status: ['Status'] },
    options: ['Option1 Value', 'Option2 Value', 'Option3 Value'],
    group: 'Handle',
  },
  {
    source: 'lightspeed',
    marks: ['handle', 'supply_price'],
    columns: { name: ['name'], price: ['retail_price'], barcode: ['barcode'], category: ['product_category', 'type'], status: ['active'] },
    options: ['variant_option_one_value', 'variant_option_two_value', 'variant_option_three_value'],
    group: 'handle',
  },
  {
    source: 'loyverse',
    marks: ['Handle', 'SKU'],
    columns: { name: ['Name'], price: ['Price', 'Default price'], barcode: ['Barcode'], category: ['Category'] },
    options: ['Option 1 value', 'Option 2 value', 'Option 3 value'],
    group: 'Handle',
  },
  {
    source: 'woocommerce',
    marks: ['Type', 'SKU'],
    columns: {
      name: ['Name'],
      price: ['Regular price'],
      barcode: ['GTIN, UPC, EAN, or ISBN'],
      category: ['Categories'],
      status: ['Published'],
    },
    options: [],
    group: null,
  },
  {
    source: 'paydesk',
    marks: ['name', 'price'],
    columns: Object.fromEntries(ITEM_COLUMNS.map((column) => [column, [column]])),
    options: [],
    group: null,
  },
  {
    source: 'list',
    marks: [],
    columns: {
      name: ['Name', 'Item', 'Item name', 'Product', 'Product name', 'Title', 'Description'],
      price: ['Price', 'Unit price', 'Retail price', 'Selling price', 'Sales price', 'Default price'],
      taxRate: ['Tax rate', 'Tax', 'VAT'],
      taxIncluded: ['Tax included'],
      barcode: ['Barcode', 'GTIN', 'EAN', 'UPC'],
      key: ['Key', 'Short code'],
      category: ['Category', 'Categories', 'Department', 'Group'],
      status: ['Status'],
    },
    options: [],
    group: null,
  },
];

/** A tax of Square or Loyverse with its percentage. The cell says whether the item has it. */
const TAX = /^Tax - .*\((?<rate>\d{1,3}(?:[.,]\d{1,3})?) ?%\)$/;
/** A price of one of several shops. */
const SHOP_PRICE = /^(?:Price|Default price) \[.*\]$/i;

/** Columns of a file by their index. */
export interface ItemHeader {
  readonly source: Layout['source'];
  readonly names: readonly string[];
  readonly columns: ReadonlyMap<ItemColumn, number>;
  readonly options: readonly number[];
  readonly group: number | null;
  readonly taxes: readonly { readonly index: number; readonly rate: string }[];
  /** Names of the columns that are not read. */
  readonly ignored: readonly string[];
}

/** A header that has all columns, but some of them several times. */
interface AmbiguousHeader {
  readonly several: 'price' | 'column';
  readonly names: readonly string[];
}

const simple = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '');

/** Returns the columns of a row that is the header of a file of items; null if it is another row. */
export function headerOf(cells: readonly string[]): ItemHeader | AmbiguousHeader | null {
  const names = cells.map((cell) => cell.replace(/^\uFEFF/, '').trim());
  const bare = names.map(simple);
  const indexOf = (name: string) => columnIndex(bare, simple(name));
  const firstOf = (wanted: readonly string[] = []) => wanted.map(indexOf).find((index) => index >= 0) ?? -1;
  for (const { source, marks, columns, options, group } of LAYOUTS) {
    const prices = names.flatMap((name, index) => (SHOP_PRICE.test(name) ? [index] : []));
    const price = source === 'loyverse' && firstOf(columns.price) < 0 ? (prices[0] ?? -1) : firstOf(columns.price);
    if (marks.some((mark) => indexOf(mark) < 0) || firstOf(columns.name) < 0 || price < 0) continue;
    if (SHOP_PRICE.test(names[price] ?? '') && prices.length > 1)
      return { several: 'price', names: prices.map((index) => names[index] ?? '') };
    const found = new Map<ItemColumn, number>();
    for (const column of ITEM_COLUMNS) {
      const index = column === 'price' ? price : firstOf(columns[column]);
      if (index >= 0) found.set(column, index);
    }
    const variants = options.map(indexOf).filter((index) => index >= 0);
    const taxes = names.flatMap((name, index) => {
      const rate = TAX.exec(name)?.groups?.rate;
      return rate === undefined ? [] : [{ index, rate: rate.replace(',', '.') }];
    });
    const read = new Set([...found.values(), ...variants, ...taxes.map(({ index }) => index)]);
    const twice = [...read].filter((index) => bare.indexOf(bare[index] ?? '') !== bare.lastIndexOf(bare[index] ?? ''));
    if (twice.length > 0) return { several: 'column', names: twice.map((index) => names[index] ?? '') };
    const ignored = names.filter((name, index) => name !== '' && !read.has(index));
    const groupIndex = group === null ? -1 : indexOf(group);
    return { source, names, columns: found, options: variants, group: groupIndex < 0 ? null : groupIndex, taxes, ignored };
  }
  return null;
}
