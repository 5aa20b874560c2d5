import type { Money } from '#core/kernel';
import { amount, flag, id, nullable, number, type RecordOf, record, text } from '#core/platform/fields';

/** One line of a sale. It is a copy: later changes of its item never alter it. */
export const LineItem = record('LineItem', {
  itemId: nullable(id('itm', 'Item that the line was filled from; null for none')),
  description: text('Description', 'Repair'),
  quantity: number('Number of units, with at most three decimals', 1),
  unitPrice: amount('Price of one unit', 80),
  taxRate: nullable(number('Tax rate in percent; null for no tax')),
  taxIncluded: flag('True if the price includes the tax; otherwise the tax is added', false),
  discountAmount: amount('Discount that was taken off quantity times unit price before the tax', 5),
  taxAmount: amount('Tax within the amount', 4.25),
  amount: amount('Amount of the line with its tax', 49.99),
});
export interface LineItem extends RecordOf<typeof LineItem> {
  /** Price of the item, if it is higher and in the same currency; only on lines of a request, not on stored ones. */
  readonly listPrice?: Money;
}
