import { expect, test } from 'vitest';
import { surchargeWarning } from '../../../renderer/screens/settings/surcharge-warning.ts';

test.each([
  ['US', 'NH', 3, null],
  ['US', 'Maine', 0, null],
  ['US', 'me', 3, 'ME forbids surcharges'],
  ['US', 'Colorado', 2, null],
  ['US', 'Colorado', 2.5, 'CO limits surcharges to 2%'],
  ['US', null, 3, 'The state in your profile is missing'],
  ['CA', 'Québec', 2, 'QC forbids surcharges'],
  ['DE', null, 1, 'not supported in the country'],
])('warns of a surcharge in %s, %s at %s %%: %s', (country, state, percent, text) => {
  const warning = surchargeWarning({ country, state }, percent);
  if (text === null) expect(warning).toBeNull();
  else expect(warning).toContain(text);
});
