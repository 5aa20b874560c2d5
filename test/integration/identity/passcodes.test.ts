import { expect, test, vi } from 'vitest';
import { openTestCore } from '../../support/core.ts';

test.each(['sqlite', 'postgres'] as const)('searches a passcode in its own tenant only (%s)', async (kind) => {
  const { core, actor, close } = await openTestCore(undefined, kind);
  const { otpId } = await core.identity.passcodes.generate(actor, { type: 'email', destination: 'ana@customer.example' });
  const across = vi.spyOn(core.database, 'readAcrossTenants');
  await expect(core.identity.passcodes.verify(actor, otpId, 'none')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(core.identity.passcodes.resend(actor, otpId)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  await expect(core.identity.passcodes.verify({ ...actor, tenantId: 'ten_other' }, otpId, 'none')).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(across).not.toHaveBeenCalled();
  across.mockRestore();
  await close();
});
