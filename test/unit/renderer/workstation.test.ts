import { describe, expect, test } from 'vitest';
import { printLog } from '../../../renderer/receipt/print-log.ts';
import { readSettings } from '../../../renderer/workstation/settings.ts';

describe('the print log', () => {
  test('knows each copy apart, and the last sale', () => {
    const log = printLog(memory());
    expect([log.printed('txn_1', 'customer'), log.lastSale()]).toEqual([false, null]);
    log.notePrinted('txn_1', 'customer');
    log.noteSale('txn_1');
    expect([log.printed('txn_1', 'customer'), log.printed('txn_1', 'merchant'), log.printed('txn_2', 'customer')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(log.lastSale()).toBe('txn_1');
  });

  test('does not grow without end', () => {
    const storage = memory();
    const log = printLog(storage);
    for (let sale = 0; sale < 600; sale += 1) log.notePrinted(`txn_${sale}`, 'customer');
    expect([log.printed('txn_599', 'customer'), log.printed('txn_0', 'customer')]).toEqual([true, false]);
    expect(storage.size()).toBeLessThan(20_000);
  });

  test.each(['not json', '[]', 'null', '{"printed":7}', '{"printed":[1,null],"lastSale":4}'])('survives a damaged record: %s', (text) => {
    const log = printLog(memory(text));
    expect([log.printed('txn_1', 'customer'), log.lastSale()]).toEqual([false, null]);
    log.notePrinted('txn_1', 'customer');
    expect(log.printed('txn_1', 'customer')).toBe(true);
  });
});

describe('the settings of a workstation', () => {
  test('fall back field by field where a stored value is unknown', () => {
    const fresh = readSettings(undefined);
    expect(readSettings({ receiptWidth: '90mm', copies: 99, printer: '', autoAdvance: 'yes', moreOpen: 1 })).toEqual(fresh);
    expect(readSettings({ receiptWidth: '58mm', copies: 2, printer: 'Front desk', autoAdvance: false })).toEqual({
      ...fresh,
      receiptWidth: '58mm',
      copies: 2,
      printer: 'Front desk',
      autoAdvance: false,
    });
  });
});

function memory(text: string | null = null) {
  let kept = text;
  return {
    getItem: () => kept,
    setItem: (_: string, value: string) => {
      kept = value;
    },
    size: () => kept?.length ?? 0,
  };
}
