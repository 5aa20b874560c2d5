import { describe, expect, test } from 'vitest';
import { addItem, type ItemRecord, importItems } from '../../support/items.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';

describeOnAnyDatabase('files of items', (fixture) => {
  const itemsOf = async (file: string | Uint8Array<ArrayBuffer>, merchant: Record<string, unknown> = {}, fields = {}) => {
    const merchantId = await createMerchant(fixture(), merchant);
    const result = await expectData(importItems(fixture(), file, { merchantId, ...fields }));
    const items = await expectData(fixture().api.admin.get<ItemRecord[]>(`/items?merchantId=${merchantId}&limit=200`));
    return { merchantId, result, items };
  };

  test('reads prices and taxes in the forms of spreadsheets', async () => {
    const { items, result } = await itemsOf(
      [
        'name,price,taxRate,taxIncluded',
        'Tea,$4.50,8.875%,Y',
        'Tart,"1,234.50","8,875",No',
        'Water,.50,,',
        'Juice,4.500,8.0,yes',
        'Salt,+3,0,n',
      ].join('\n'),
    );
    expect(result).toMatchObject({ stored: true, created: 5 });
    expect(items.map(({ name, price, taxRate, taxIncluded }) => [name, price, taxRate, taxIncluded])).toEqual([
      ['Tea', 4.5, 8.875, true],
      ['Tart', 1234.5, 8.875, false],
      ['Water', 0.5, null, false],
      ['Juice', 4.5, 8, true],
      ['Salt', 3, 0, false],
    ]);
  });

  test.each([
    ['US', 'USD', '4.500', 4.5],
    ['US', 'USD', '4,500', 4500],
    ['DE', 'EUR', '4.500', 4500],
    ['DE', 'EUR', '4,500', 4.5],
    ['CO', 'COP', '12.900', 12_900],
    ['KW', 'KWD', '4.500', 4.5],
    ['JP', 'JPY', '1,500', 1500],
    ['SE', 'SEK', '45,50 kr', 45.5],
    ['DE', 'EUR', 'EUR 3,00', 3],
    ['IN', 'INR', '1,23,456.00', 123_456],
  ])('reads a price of a shop in %s in %s: %s', async (country, currency, price, expected) => {
    const { items } = await itemsOf(`name;price\nTea;${price}\n`, { country, currency });
    expect(items.map((item) => item.price)).toEqual([expected]);
  });

  test('takes the decimal mark from the prices that can be read in one way only', async () => {
    const { items } = await itemsOf('name;price\nTea;4,50\nCake;4,500\nHamper;1.250\n');
    expect(items.map(({ price }) => price)).toEqual([4.5, 4.5, 1250]);
    const mixed = await itemsOf('name;price\nTea;4,50\nCake;4.25\nHamper;1.250\n');
    expect(mixed.result.lines.at(-1)).toMatchObject({
      result: 'error',
      reason: 'The price `1.250` can be read in two ways. Write all prices of the file with the same decimal mark and two decimals.',
    });
  });

  test('says why a price is refused', async () => {
    const { result } = await itemsOf('name,price\nTea,-4\nCake,four\nBun,4.505\nPie,1.5E+4\n');
    expect(result.lines.map(({ reason }) => reason)).toEqual([
      '`price` must be 0 or more, with at most the decimals of the currency.',
      '`four` is not a price.',
      '`4.505` is not a price.',
      '`1.5E+4` is not a price.',
    ]);
  });

  test('stores no barcode that a spreadsheet has rounded, and frees the others from its marks', async () => {
    const { result } = await itemsOf('name,price,barcode\nTea,1,1.23457E+11\n');
    expect(result.lines[0]).toMatchObject({
      result: 'error',
      reason: 'A spreadsheet has rounded the `barcode` 1.23457E+11. Format the column as text and export it again.',
    });
    const { items } = await itemsOf('name,price,barcode,key\nPen,1,"=""0012345678905""",\'7\nInk,2,\'4006381333931,\n');
    expect(items.map(({ barcode, key }) => [barcode, key])).toEqual([
      ['0012345678905', '7'],
      ['4006381333931', null],
    ]);
  });

  test('finds the header after other lines, and reads Windows-1252 and UTF-16', async () => {
    const file = 'sep=;\nShop export;;\n\nname;price;category\nCafé crème;4,50;Getränke\n';
    for (const bytes of [Buffer.from(file, 'latin1'), Buffer.from(`\uFEFF${file}`, 'utf16le')]) {
      const { items } = await itemsOf(new Uint8Array(bytes));
      expect(items).toMatchObject([{ name: 'Café crème', price: 4.5, category: 'Getränke' }]);
    }
  });

  test('refuses a row with more cells than the header, and leaves fields alone whose cells a row does not have', async () => {
    const merchantId = await createMerchant(fixture());
    await addItem(fixture(), { name: 'Tea', price: 3, key: 'T', taxRate: 5, category: 'Drinks', merchantId });
    const send = (text: string) => expectData(importItems(fixture(), text, { merchantId }));
    const refused = await send('key,name,price,taxRate,category\nT,Tea, green,4,5,Drinks\n');
    expect(refused.lines[0]).toMatchObject({ result: 'error', reason: 'The row has 6 cells, but the header has 5 columns.' });
    expect(await send('key,name,price,taxRate,category\nT,Tea,3\n')).toMatchObject({ unchanged: 1 });
  });

  test.each([
    [
      'PK\u0003\u0004 spreadsheet',
      'The file is a ZIP archive or a spreadsheet. Unpack it, or save the spreadsheet as CSV. Send the file as CSV.',
    ],
    ['%PDF-1.7\n', 'The file is a PDF. Send the file as CSV.'],
    ['<!doctype html><table>', 'The file is a web page. Send the file as CSV.'],
    ['[{"name": "Tea"}]', 'The file is JSON. Send the file as CSV.'],
  ])('names the format of a file that is no CSV: %s', async (file, message) => {
    expect((await expectError(importItems(fixture(), file, {}), 400, 'VALIDATION_ERROR', 'file')).message).toBe(message);
  });

  test('says which columns a file has and lacks', async () => {
    const error = await expectError(importItems(fixture(), 'Artikel,Kosten\nTee,3\n', {}), 400, 'VALIDATION_ERROR', 'file');
    expect(error.message).toBe(
      'The file has no columns for the name and the price. Name them `name` and `price`, or name the columns of the file in `mapping`.',
    );
    expect(error.details).toMatchObject({ columns: ['Artikel', 'Kosten'], mapping: { name: 'Artikel' } });
  });

  test.each([
    ['Stand: 1.11.\n\nArtikel-Nr.;Bezeichnung;Warengruppe;EAN;VK-Preis;MwSt.\n7;Tee;Getränke;4006381333931;4,50;19\n', 'Bezeichnung'],
    ['Código de barras\tArtículo\tPrecio de venta\tIVA\tCategoría\n4006381333931\tTee\t4,50\t19\tGetränke\n', 'Artículo'],
  ])('recognizes the usual names of columns in German and Spanish', async (file, name) => {
    const { items, result } = await itemsOf(file, { country: 'DE', currency: 'EUR' });
    expect(result).toMatchObject({ layout: 'list', mapping: { name } });
    expect(items).toMatchObject([{ name: 'Tee', price: 4.5, taxRate: 19, barcode: '4006381333931', category: 'Getränke' }]);
  });

  test('reads the columns that a mapping names, and no others', async () => {
    const file = 'Lager 4\nWare;EK;VK netto;Nummer;Status\nTee;1,00;4,50;4006381333931;neu\n';
    const mapping = { name: 'Ware', price: 'vk netto', barcode: 'Nummer' };
    const { merchantId, items, result } = await itemsOf(file, {}, { mapping: JSON.stringify(mapping) });
    expect(items).toMatchObject([{ name: 'Tee', price: 4.5, barcode: '4006381333931', category: null, status: 'active' }]);
    expect(result).toMatchObject({ created: 1, mapping: { ...mapping, price: 'VK netto' }, ignoredColumns: ['EK', 'Status'] });
    const again = { merchantId, mapping: JSON.stringify(result.mapping) };
    expect(await expectData(importItems(fixture(), file, again))).toMatchObject({ created: 0, unchanged: 1 });
  });

  test('reads variants and taxes of a known product with a mapping, and one of its prices of several shops', async () => {
    const handles = 'Handle,SKU,Name,Category,Option 1 value,Price [Main],Price [Pier],Tax - City (8%)';
    const rows = 'coffee,1,Coffee,Drinks,Large,3.00,4.00,Y\ncoffee,2,,,Small,2.00,2.50,Y\n';
    const error = await expectError(importItems(fixture(), `${handles}\n${rows}`, {}), 400, 'VALIDATION_ERROR', 'file');
    expect(error.details).toMatchObject({ mapping: { name: 'Name', category: 'Category' } });
    const mapping = JSON.stringify({ name: 'Name', price: 'Price [Pier]', category: 'Category' });
    const { items } = await itemsOf(`${handles}\n${rows}`, {}, { mapping });
    expect(items.map(({ name, price, taxRate, category }) => [name, price, taxRate, category])).toEqual([
      ['Coffee, Large', 4, 8, 'Drinks'],
      ['Coffee, Small', 2.5, 8, 'Drinks'],
    ]);
  });

  test.each([
    ['{"name": "Ware", "price": "Preis"}', 'mapping.price'],
    ['{"name": "Ware"}', 'mapping.price', 'REQUIRED_FIELD_MISSING'],
    ['{"name": "Ware", "price": ["VK"]}', 'mapping.price'],
    [`{"name": "Ware", "price": "${'x'.repeat(201)}"}`, 'mapping.price'],
    ['Ware', 'mapping'],
  ])('refuses a mapping of columns that the file does not have: %s', async (mapping, field, code = 'VALIDATION_ERROR') => {
    await expectError(importItems(fixture(), 'Ware,VK\nTea,3\n', { mapping }), 400, code, field);
  });

  test('lists field by field what each line would change', async () => {
    const merchantId = await createMerchant(fixture());
    await addItem(fixture(), { name: 'Tea', price: 3, key: 'T', taxRate: 5, merchantId });
    const file = 'key,name,price,taxRate\nT,Green tea,3.50,\n,Cake,4,\n';
    const { lines } = await expectData(importItems(fixture(), file, { merchantId, dryRun: 'true' }));
    expect(lines.map(({ changes }) => changes)).toEqual([
      [
        { field: 'name', before: 'Tea', after: 'Green tea' },
        { field: 'price', before: 3, after: 3.5 },
        { field: 'taxRate', before: 5, after: null },
      ],
      [],
    ]);
  });

  describe('of other products', () => {
    test('reads the item library of Square', async () => {
      const { items, result } = await itemsOf(
        [
          'Reference Handle,Token,Item Name,Variation Name,SKU,Description,Categories,GTIN,Price,Tax - Sales Tax (8.875%),Tax - City (1%)',
          '#coffee,AAA,Coffee,Regular,C-1,,Hot drinks,,$3.50,Y,N',
          '#coffee,AAB,Coffee,Large,C-2,,Hot drinks,00012345678905,$4.25,Y,Y',
          '#gift,AAC,Gift wrap,Regular,,,,,variable,N,N',
        ].join('\n'),
      );
      expect(result).toMatchObject({ layout: 'square', stored: true, created: 2, skipped: 1 });
      expect(result.lines[2]).toMatchObject({ name: 'Gift wrap', result: 'skipped', reason: 'The item has no fixed price.' });
      expect(result.lines.map(({ item }) => item && [item.name, item.price, item.taxRate, item.barcode])).toEqual([
        ['Coffee', 3.5, 8.875, null],
        ['Coffee, Large', 4.25, 9.875, '00012345678905'],
        null,
      ]);
      expect(result.ignoredColumns).toEqual(['Reference Handle', 'Token', 'SKU', 'Description']);
      expect(items.map(({ name, price, taxRate, barcode, category }) => [name, price, taxRate, barcode, category])).toEqual([
        ['Coffee', 3.5, 8.875, null, 'Hot drinks'],
        ['Coffee, Large', 4.25, 9.875, '00012345678905', 'Hot drinks'],
      ]);
    });

    test('reads the products of Shopify, whose rows of variants and pictures have no title', async () => {
      const { items, result } = await itemsOf(
        [
          'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Price,Variant Barcode,Image Src,Status',
          'shirt,Shirt,"<p>Cotton</p>\n<p>Washed</p>",Harbor,Clothes,,TRUE,Size,S,Color,Red,S-1,25.00,\'0012345678905,https://a.example/1,active',
          'shirt,,,,,,,,M,,Red,S-2,27.00,,https://a.example/2,',
          'shirt,,,,,,,,,,,,,,https://a.example/3,',
          'mug,Mug,,Harbor,,,TRUE,Title,Default Title,,,,12.00,,,archived',
        ].join('\n'),
      );
      expect(result).toMatchObject({ layout: 'shopify', stored: true, created: 3, skipped: 0 });
      expect(result.lines.map(({ line }) => line)).toEqual([2, 4, 6]);
      expect(items.map(({ name, price, barcode, category, status }) => [name, price, barcode, category, status])).toEqual([
        ['Shirt, S, Red', 25, '0012345678905', 'Clothes', 'active'],
        ['Shirt, M, Red', 27, null, 'Clothes', 'active'],
        ['Mug', 12, null, null, 'archived'],
      ]);
    });

    test('reads the items of Loyverse, with prices that include their tax if the request says so', async () => {
      const { items, result } = await itemsOf(
        [
          'Handle,SKU,Name,Category,Sold by weight,Option 1 name,Option 1 value,Cost,Barcode,Available for sale [Harbor],Price [Harbor],Tax - "VAT" (20%)',
          'latte,10001,Latte,Coffee,N,Size,Small,0.80,,Y,3.10,Y',
          'latte,10002,,,N,,Large,0.90,5449000000996,Y,3.90,Y',
          'bag,10003,Bag,,N,,,,,Y,variable,N',
        ].join('\n'),
        {},
        { taxIncluded: 'true' },
      );
      expect(result).toMatchObject({ layout: 'loyverse', stored: true, created: 2, skipped: 1 });
      expect(items).toMatchObject([
        { name: 'Latte, Small', price: 3.1, taxRate: 20, taxIncluded: true, category: 'Coffee', barcode: null },
        { name: 'Latte, Large', price: 3.9, taxRate: 20, taxIncluded: true, category: 'Coffee', barcode: '5449000000996' },
      ]);
    });

    test('asks which of two prices counts if a file has one for each shop', async () => {
      const file = 'Handle,SKU,Name,Price [Harbor],Price [Mall]\nlatte,1,Latte,3.10,3.40\n';
      const error = await expectError(importItems(fixture(), file, {}), 400, 'VALIDATION_ERROR', 'file');
      expect(error.message).toBe(
        'The file has several prices: `Price [Harbor]`, `Price [Mall]`. Name the column that counts in `mapping`.',
      );
    });

    test.each([
      [
        'lightspeed',
        'id,handle,sku,name,product_category,variant_option_one_value,retail_price,supply_price,active',
        '1,x,S1,Tea,Drinks,Green,3.5,1,1',
      ],
      [
        'woocommerce',
        'ID,Type,SKU,"GTIN, UPC, EAN, or ISBN",Name,Published,Regular price,Categories',
        '1,simple,S1,,"Tea, Green",1,3.5,Drinks',
      ],
      ['list', 'Product,EAN,Unit price,Department', '"Tea, Green",,3.5,Drinks'],
    ])('reads products of the layout %s', async (layout, header, row) => {
      const { items, result } = await itemsOf(`${header}\n${row}\n`);
      expect(result.layout).toBe(layout);
      expect(items).toMatchObject([{ name: 'Tea, Green', price: 3.5, category: 'Drinks', status: 'active' }]);
    });
  });
});
