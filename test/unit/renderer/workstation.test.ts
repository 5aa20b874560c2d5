import { describe, expect, test } from 'vitest';
import { readSettings } from '../../../renderer/base/workstation/settings.ts';
import { lastSale, rememberSale } from '../../../renderer/shared/receipt/last-sale.ts';

describe('the last sale of a workstation', () => {
  test('stores the last sale by its ID', () => {
    const storage = memory();
    expect(lastSale(storage)).toBeNull();
    rememberSale('txn_1', storage);
    rememberSale('txn_2', storage);
    expect(lastSale(storage)).toBe('txn_2');
  });

  test.each(['', 'null', '../../admin', '{"lastSale":"txn_1"}'])('returns no last sale if the record is damaged: %s', (text) => {
    expect(lastSale(memory(text))).toBeNull();
  });
});

describe('the settings of a workstation', () => {
  test('uses the default of each setting whose stored value is unknown', () => {
    const fresh = readSettings(undefined);
    expect(readSettings({ receiptWidth: '90mm', autoPrint: 'all', density: 1, autoAdvance: 'yes' })).toEqual(fresh);
    expect(readSettings({ receiptWidth: '58mm', autoPrint: 'both', density: 'compact', autoAdvance: false })).toEqual({
      ...fresh,
      receiptWidth: '58mm',
      autoPrint: 'both',
      density: 'compact',
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
  };
}
