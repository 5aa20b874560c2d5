import { expect, test } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { insertInto, stepOf } from '../../support/migrations.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const AT = MIGRATIONS.findIndex(({ name }) => name.startsWith('AddSurchargeRules'));

test.for(ANY_DATABASE)('moves the surcharge of the terminal to the settings of amounts (%s)', async (kind) => {
  const { open, drop } = await stepOf(kind);
  const old = await open(MIGRATIONS.slice(0, AT));
  // Without a space, the database would take a value after a colon for a parameter.
  const terminal = (id: string, settings: object) =>
    insertInto(old, 'merchants', { tenant_id: 'ten_1', id, vt_settings: JSON.stringify(settings, null, 1) });
  await terminal('mer_1', { surchargePercent: 2.5, autoPrint: true });
  await terminal('mer_2', { surchargePercent: 9 });
  await terminal('mer_3', { surchargePercent: 0 });
  await terminal('mer_4', { requireZip: false });
  await old.close();

  const migrated = await open(MIGRATIONS.slice(0, AT + 1));
  const settings = await migrated.readAcrossTenants().all('SELECT vt_settings, amount_settings FROM merchants ORDER BY id');
  expect(settings).toEqual([
    { vt_settings: '{"autoPrint":true}', amount_settings: '{"surchargePercent":2.5}' },
    { vt_settings: '{}', amount_settings: '{"surchargePercent":4}' },
    { vt_settings: '{}', amount_settings: '{}' },
    { vt_settings: '{\n "requireZip": false\n}', amount_settings: '{}' },
  ]);
  await migrated.close();
  await drop();
});
