import { mappedColumns } from '#core/platform/imports';
import { columnOf, foldedName } from '#shared/file-columns';

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

/** Any list with usual names of columns in English, German or Spanish. */
const LIST: Layout = {
  source: 'list',
  marks: [],
  columns: {
    name: [
      ...['Name', 'Item', 'Item name', 'Product', 'Product name', 'Title', 'Description'],
      ...['Artikelname', 'Artikelbezeichnung', 'Bezeichnung', 'Produktname', 'Produkt', 'Artikel', 'Beschreibung'],
      ...['Nombre', 'Nombre del producto', 'Nombre del artículo', 'Producto', 'Artículo', 'Denominación', 'Descripción'],
    ],
    price: [
      ...['Price', 'Unit price', 'Retail price', 'Selling price', 'Sales price', 'Default price'],
      ...['Preis', 'Verkaufspreis', 'VK-Preis', 'VK', 'Einzelpreis', 'Stückpreis'],
      ...['Precio', 'Precio de venta', 'Precio unitario', 'PVP'],
    ],
    taxRate: ['Tax rate', 'Tax', 'VAT', 'MwSt', 'MwSt-Satz', 'Mehrwertsteuer', 'USt', 'Steuersatz', 'IVA', 'Tipo de IVA', 'Impuesto'],
    taxIncluded: ['Tax included', 'inkl. MwSt', 'IVA incluido', 'Impuesto incluido'],
    barcode: ['Barcode', 'GTIN', 'EAN', 'UPC', 'EAN-Code', 'Strichcode', 'Código de barras', 'Código EAN'],
    key: ['Key', 'Short code', 'Kürzel', 'Kurzcode', 'Código corto', 'Clave'],
    category: [
      ...['Category', 'Categories', 'Department', 'Group'],
      ...['Kategorie', 'Warengruppe', 'Gruppe', 'Abteilung', 'Categoría', 'Familia', 'Grupo', 'Departamento'],
    ],
    status: ['Status'],
  },
  options: [],
  group: null,
};

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
  LIST,
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

/** Columns of a file by field, with their names in the file. */
export type ItemMapping = Readonly<Partial<Record<ItemColumn, string | undefined>>>;

/** A header that has all columns, but some of them several times. */
interface AmbiguousHeader {
  readonly several: 'price' | 'column';
  readonly names: readonly string[];
}

/** Returns the index of each column of a layout in a header. */
function columnsIn({ source, columns }: Layout, names: readonly string[]): ReadonlyMap<ItemColumn, number> {
  const found = ITEM_COLUMNS.map((column) => [column, columnOf(names, columns[column] ?? [])] as const);
  const price = source === 'loyverse' ? names.findIndex((name) => SHOP_PRICE.test(name)) : -1;
  return new Map([...(price < 0 ? [] : [['price', price] as const]), ...found.filter(([, index]) => index >= 0)]);
}

/** Returns the columns with usual names in a header that lacks others. */
export const likelyColumns = (names: readonly string[]): ReadonlyMap<ItemColumn, number> => columnsIn(LIST, names);

/** Returns the columns of a row that is the header of a file of items; null if it is another row. */
export function headerOf(cells: readonly string[], mapping?: ItemMapping): ItemHeader | AmbiguousHeader | null {
  const names = cells.map((cell) => cell.replace(/^\uFEFF/, '').trim());
  const known = LAYOUTS.map((layout) => ({ layout, columns: columnsIn(layout, names) })).find(
    ({ layout: { marks }, columns }) => columns.has('name') && columns.has('price') && marks.every((mark) => columnOf(names, [mark]) >= 0),
  );
  if (mapping !== undefined) {
    const columns = mappedColumns(mapping, ITEM_COLUMNS, names);
    // The variants and the taxes of a known product are read as without a mapping.
    return columns && checkedColumns(known?.layout ?? LIST, names, columns);
  }
  if (known === undefined) return null;
  const prices = names.filter((name) => SHOP_PRICE.test(name));
  const isShopPrice = SHOP_PRICE.test(names[known.columns.get('price') ?? -1] ?? '');
  if (isShopPrice && prices.length > 1) return { several: 'price', names: prices };
  return checkedColumns(known.layout, names, known.columns);
}

function checkedColumns(
  { source, options, group }: Layout,
  names: readonly string[],
  columns: ReadonlyMap<ItemColumn, number>,
): ItemHeader | AmbiguousHeader {
  const indexesOf = (wanted: readonly string[]) => wanted.map((name) => columnOf(names, [name])).filter((index) => index >= 0);
  const variants = indexesOf(options);
  const taxes = names.flatMap((name, index) => {
    const rate = TAX.exec(name)?.groups?.rate;
    return rate === undefined ? [] : [{ index, rate: rate.replace(',', '.') }];
  });
  const read = new Set([...columns.values(), ...variants, ...taxes.map(({ index }) => index)]);
  const plain = names.map(foldedName);
  const twice = [...read].filter((index) => plain.indexOf(plain[index] ?? '') !== plain.lastIndexOf(plain[index] ?? ''));
  if (twice.length > 0) return { several: 'column', names: twice.map((index) => names[index] ?? '') };
  const ignored = names.filter((name, index) => name !== '' && !read.has(index));
  return { source, names, columns, options: variants, group: indexesOf(group === null ? [] : [group])[0] ?? null, taxes, ignored };
}
