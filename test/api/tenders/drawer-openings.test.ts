import { expect } from 'vitest';
import { createShop, setPin, setRules, type Waiting } from '../../support/approvals.ts';
import { expectData, expectError, onAnyDatabase } from '../../support/server.ts';
import { closeShift, openShift, refundTender, type ShiftRecord, takeTender } from '../../support/tenders.ts';

const DRAWER = '/notifications/drawer';

interface Opened {
  content: string;
  shiftId: string | null;
}

onAnyDatabase('records openings of the drawer without a sale in the shift, its reports and the audit log', async (fixture) => {
  const { api } = fixture;
  const { merchantId, cashier, manager } = await createShop(fixture, { drawerOpening: true });
  const { shiftId } = await openShift(fixture, { drawer: 'Bar', amount: 100, merchantId });
  const opening = { merchantId, drawer: 'Bar', reason: 'Change for the parking meter' };

  // The cash of a sale and of its refund opens the drawer once each, without an approval.
  const sale = await takeTender(fixture, 12.34, { merchantId, drawer: 'Bar' });
  const forSale = { ...opening, reason: `Cash for ${sale.number}`, tenderId: sale.tenderId };
  expect(await expectData(cashier.as.post<Opened>(DRAWER, forSale))).toMatchObject({ shiftId: null });
  const refund = await expectData(refundTender(fixture, sale.tenderId, { amount: 2 }), 201);
  await expectData(cashier.as.post<Opened>(DRAWER, { ...forSale, refundId: refund.refundId }));
  expect((await cashier.as.post<Waiting>(DRAWER, forSale)).status).toBe(202);
  await expectError(cashier.as.post(DRAWER, { ...forSale, refundId: 'trf_0' }), 404, 'NOT_FOUND', 'refundId');
  const check = await takeTender(fixture, 5, { kind: 'check', checkNumber: '9', merchantId });
  await expectError(cashier.as.post(DRAWER, { ...opening, tenderId: check.tenderId }), 400, 'VALIDATION_ERROR', 'tenderId');
  await expectError(cashier.as.post(DRAWER, { ...opening, refundId: refund.refundId }), 400, 'REQUIRED_FIELD_MISSING', 'tenderId');
  await expectError(cashier.as.post(DRAWER, { ...opening, reason: '  ' }), 400, 'REQUIRED_FIELD_MISSING', 'reason');

  // The manager approves at the workstation of the cashier, and the opening is recorded once.
  await setPin(manager, '7391');
  const key = { 'Idempotency-Key': `drawer ${shiftId}` };
  const { approvalId } = await expectData(cashier.as.post<Waiting>(DRAWER, opening, key), 202);
  expect((await expectData(cashier.as.post<Waiting>(DRAWER, opening, key), 202)).approvalId).toBe(approvalId);
  const approve = () => cashier.as.post(`/approvals/${approvalId}/approve`, { approverId: manager.userId, pin: '7391' });
  const decided = await expectData(approve());
  expect(decided).toMatchObject({ status: 'approved', kind: 'drawer_opening', amount: null, details: { drawer: 'Bar' } });
  expect(decided.result).toMatchObject({ data: { shiftId, contentType: 'application/vnd.escpos' } });
  // The request that waited gets the result of the approved operation and does not open the drawer again.
  const repeated = await cashier.as.post<Opened>(DRAWER, opening, key);
  expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(repeated.body).toEqual(decided.result);
  await expectData(manager.as.post(DRAWER, { ...opening, pin: 5, reason: 'Check of the notes' }));

  const { movements = [] } = await expectData(api.admin.get<ShiftRecord>(`/shifts/${shiftId}`));
  const openings = movements.filter(({ kind }) => kind === 'no_sale');
  expect(openings.map(({ reason, amount }) => [reason, amount])).toEqual([
    ['Change for the parking meter', 0],
    ['Check of the notes', 0],
  ]);
  expect(openings[0]).toMatchObject({ actor: cashier.email });
  const report = () => expectData(api.admin.get(`/shifts/${shiftId}/report`));
  expect(await report()).toMatchObject({ kind: 'x', drawerOpenings: 2, expectedAmount: 110.34 });
  const closed = await expectData(closeShift(fixture, shiftId, { amount: 110.34 }));
  expect(closed.varianceAmount).toBe(0);
  expect(await report()).toMatchObject({ kind: 'z', drawerOpenings: 2 });
  const printed = await expectData(api.admin.post<{ content: string }>('/notifications/receipt/print', { shiftId, format: 'text' }));
  expect(printed.content).toMatch(/Opened without sale +2/);

  const [, entry] = await expectData(
    api.admin.get<{ after: object; actor: string }[]>(`/audit-logs?action=drawer.opened&resource=merchants/${merchantId}/drawer&limit=2`),
  );
  expect(entry).toMatchObject({
    actor: cashier.email,
    after: { withoutSale: true, drawer: 'Bar', shiftId, reason: opening.reason, approvedBy: manager.email },
  });

  // Without an open shift, only the audit log records it.
  expect(await expectData(manager.as.post<Opened>(DRAWER, opening))).toMatchObject({ shiftId: null });
});

onAnyDatabase('names the approver on a refund of a tender and its receipt', async (fixture) => {
  const { api } = fixture;
  const { merchantId, cashier, manager } = await createShop(fixture, { refundAbove: 10 });
  await setRules(fixture, { refundAbove: 10 }, merchantId);
  const { tenderId } = await takeTender(fixture, 40, { merchantId });
  const own = await expectData(cashier.as.post<{ approvedBy: string | null }>(`/tenders/${tenderId}/refund`, { amount: 4 }), 201);
  expect(own.approvedBy).toBeNull();
  const { approvalId } = await expectData(cashier.as.post<Waiting>(`/tenders/${tenderId}/refund`, { amount: 20 }), 202);
  await expectData(manager.as.post(`/approvals/${approvalId}/approve`, {}));
  const { refunds } = await expectData(
    api.admin.get<{ refunds: { refundId: string; createdBy: string; approvedBy: string | null }[] }>(`/tenders/${tenderId}`),
  );
  expect(refunds[1]).toMatchObject({ createdBy: cashier.email, approvedBy: manager.email });
  const receipt = await expectData(
    api.admin.post<{ content: string }>('/notifications/receipt/print', {
      tenderId,
      refundId: refunds[1]?.refundId,
      format: 'text',
    }),
  );
  expect(receipt.content).toContain('Approved by');
  expect(receipt.content).toContain(manager.email);
});
