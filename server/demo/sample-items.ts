import type { Core } from '#core';
import type { Actor } from '#core/kernel';
import type { ItemInput } from '#core/sales/items';

/** State tax on prepared food, in percent. */
const TAX = 8;

/** The menu of a coffee shop, in the order of its buttons. */
const MENU = [
  { key: 'ES', name: 'Espresso', price: '3.00', taxRate: TAX },
  { key: 'FW', name: 'Flat white', price: '4.50', taxRate: TAX },
  { key: 'CB', name: 'Cold brew', price: '4.75', taxRate: TAX },
  { key: 'TEA', name: 'Pot of tea', price: '3.75', taxRate: TAX },
  { key: 'CR', name: 'Croissant', price: '3.50', taxRate: TAX },
  { key: 'MU', name: 'Blueberry muffin', price: '4.25', taxRate: TAX },
  { key: 'BAG', name: 'House blend, 12 oz', price: '16.00', barcode: '4006381333931' },
  { key: 'MUG', name: 'Harbor mug', price: '14.00', barcode: '5901234123457' },
  { kind: 'amount', key: 'DEP', name: 'Cup deposit', price: '5.00' },
] as const satisfies readonly ItemInput[];

/** Adds the menu as items with keys, barcodes and a quick amount. Returns the ID of each item by its key. */
export async function addSampleItems(core: Core, actor: Actor, merchantId: string): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const item of MENU) {
    const { itemId } = await core.items.create(actor, { ...item, merchantId });
    ids.set(item.key, itemId);
  }
  return ids;
}
