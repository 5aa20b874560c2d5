import { Type } from 'typebox';
import { ITEM_KINDS, ITEM_STATUSES, Item, ItemImport, type ItemInput } from '#core/sales/items';
import { type Column, Paginated, type Route, receiveUpload, route, Success, sendCsv } from '#server/http';
import { ItemBody, ItemImportFields, ItemOrderBody, NewItemBody, oneOf, PageQuery, Params, pageFrom, Text } from '#server/schemas';

const SCOPE = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const INPUT = ['REQUIRED_FIELD_MISSING', 'INVALID_AMOUNT', 'RESOURCE_CONFLICT'] as const;
const IMPORT_FORM = { file: 'file', bytesMax: 16 * 1_048_576, fields: ItemImportFields } as const;
const FILTERS = {
  status: oneOf(...ITEM_STATUSES),
  kind: oneOf(...ITEM_KINDS),
  q: Type.Optional(Text(100, 'a part of the name, a key or a barcode')),
  merchantId: Type.Optional(Text(60, "one merchant; by default the caller's")),
};

const COLUMNS: readonly Column<Item>[] = [
  ['itemId', (item) => item.itemId, 'plain'],
  ['kind', (item) => item.kind, 'plain'],
  ['name', (item) => item.name],
  ['price', (item) => item.price],
  ['taxRate', (item) => item.taxRate],
  ['taxIncluded', (item) => String(item.taxIncluded), 'plain'],
  ['key', (item) => item.key],
  ['barcode', (item) => item.barcode],
  ['status', (item) => item.status, 'plain'],
  ['category', (item) => item.category],
];

/** Declares the routes of items, which are the same on the Public and the Admin surface. */
export function itemRoutes(surface: 'admin' | 'public'): Route[] {
  const shared = { surface, tag: surface === 'admin' ? 'Items' : 'Public API', scope: 'merchant' } as const;
  const read = { ...shared, method: 'GET', permission: 'items:read' } as const;
  const write = { ...shared, permission: 'items:write' } as const;
  const params = Params('id');
  return [
    route({
      ...read,
      path: '/items',
      id: `${surface}.listItems`,
      summary: 'Items and quick amounts of a merchant',
      description: 'In the order of their buttons at the terminal. Archived items are part of the list unless `status` excludes them.',
      query: Type.Object({ ...PageQuery, ...FILTERS }),
      response: Paginated(Item),
      errors: SCOPE,
      run: ({ core, actor, query }) => core.items.page(actor, query, pageFrom(query)),
    }),
    route({
      ...write,
      method: 'POST',
      path: '/items',
      id: `${surface}.createItem`,
      summary: 'Add an item or a quick amount',
      description:
        'Needs `name` and `price`. Sales copy the name, the price and the tax of an item, so later changes never alter a sale. RESOURCE_CONFLICT if another item of the merchant has the key or the barcode.',
      created: true,
      body: NewItemBody,
      response: Success(Item),
      errors: [...SCOPE, ...INPUT],
      run: ({ core, actor, body }) => core.items.create(actor, body as ItemInput),
    }),
    route({
      ...read,
      path: '/items/export',
      exports: 'items',
      id: `${surface}.exportItems`,
      summary: 'Items as CSV',
      description: 'Every item of the filter in the order of its button. The file can be changed and imported again.',
      query: Type.Object({ ...FILTERS, format: oneOf('csv') }),
      contentType: 'text/csv',
      response: Type.String(),
      errors: SCOPE,
      run: async ({ core, actor, query, reply }) => sendCsv(reply, 'items.csv', COLUMNS, await core.items.list(actor, query)),
    }),
    route({
      ...write,
      method: 'POST',
      path: '/items/import',
      id: `${surface}.importItems`,
      summary: 'Import items from CSV',
      description:
        'A form with `file`: CSV with a header row, of at most 16 MB and 2,000 lines. `name` and `price` are required columns; `itemId`, `kind`, `taxRate`, `taxIncluded`, `key`, `barcode`, `status` and `category` are optional. The exports of Square, Shopify, Lightspeed, Loyverse and WooCommerce are recognized by their columns (`layout`); their items without a fixed price are skipped. Usual names of columns in English, German and Spanish are recognized; `mapping`, as JSON, names the columns of other files, such as `{"name": "Ware", "price": "VK netto"}`. A line with the ID, the barcode or the key of an existing item updates it; another line creates an item, unless one without barcode and key is the same in every column of the file, as after the same file was imported before. Columns that the file does not have stay as they are. If a line has an error, nothing is stored, and `lines` states the reasons. With `dryRun=true` nothing is stored in any case.',
      upload: IMPORT_FORM,
      response: Success(ItemImport),
      errors: [...SCOPE],
      run: async ({ core, actor, request }) => {
        const { file, fields } = await receiveUpload(request, actor.tenantId, IMPORT_FORM);
        try {
          const { dryRun, taxIncluded, mapping, merchantId } = fields;
          return await core.items.import(actor, {
            text: () => file.text(),
            dryRun: dryRun === 'true',
            ...(taxIncluded && { taxIncluded: taxIncluded === 'true' }),
            mapping,
            ...(merchantId && { merchantId }),
          });
        } finally {
          await file.dispose();
        }
      },
    }),
    route({
      ...write,
      method: 'POST',
      path: '/items/order',
      id: `${surface}.orderItems`,
      idempotent: false,
      summary: 'Order the items of a merchant',
      description: 'The named items come first, in this order; the others follow in their present order.',
      body: ItemOrderBody,
      response: Success(Type.Array(Item)),
      errors: [...SCOPE, 'NOT_FOUND'],
      run: ({ core, actor, body }) => core.items.order(actor, body),
    }),
    route({
      ...read,
      path: '/items/:id',
      id: `${surface}.getItem`,
      summary: 'One item',
      description: 'Returns an item or a quick amount, also an archived one.',
      params,
      response: Success(Item),
      errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
      run: ({ core, actor, params: { id } }) => core.items.get(actor, id),
    }),
    route({
      ...write,
      method: 'PUT',
      path: '/items/:id',
      id: `${surface}.updateItem`,
      summary: 'Change or archive an item',
      description:
        'Changes the fields that are given; null clears `taxRate`, `key`, `barcode` or `category`. An archived item is not offered at the terminal and gives its key away; sales keep their copies.',
      params,
      body: ItemBody,
      response: Success(Item),
      errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', ...INPUT],
      run: ({ core, actor, params: { id }, body }) => core.items.update(actor, id, body as ItemInput),
    }),
  ];
}
