import { startSimulator } from '../../simulators/index.ts';
import { surfaceOf } from '../../test/support/api-client.ts';
import { CONFIRMED, gatewayBody, saleAtSimulator } from '../../test/support/live-server.ts';
import type { TransactionRecord } from '../../test/support/sales.ts';
import { expectData } from '../../test/support/server.ts';
import { until } from '../../test/support/until.ts';

export const LIVE_OWNER = { email: 'owner@live.example', password: CONFIRMED.currentPassword };

const BANK = { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ada' };
const CARD = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2039' };

/** Runs the operations that only a live account has, at the simulator of a processor: stored cards, bank payments and reported chargebacks. */
export async function operateLive(baseUrl: string, tenantId: string, merchantId: string): Promise<void> {
  const tenant = { 'X-Tenant-ID': tenantId };
  const bare = surfaceOf(baseUrl, '', () => ({}));
  const { token } = await expectData(bare.post<{ token: string }>('/api/v1/auth/login', LIVE_OWNER, tenant));
  const admin = surfaceOf(baseUrl, '/api/v1', () => ({ ...tenant, Authorization: `Bearer ${token}` }));
  const simulator = await startSimulator('authorizenet');
  try {
    await expectData(admin.post(`/merchants/${merchantId}/gateways`, gatewayBody(simulator)), 201);
    const { customerId } = await expectData(admin.post<{ customerId: string }>('/customers', { firstName: 'Ada', merchantId }), 201);
    const stored = { card: CARD, consentText: 'Charge it.' };
    await expectData(admin.post(`/customers/${customerId}/payment-methods`, stored), 201);
    await expectData(admin.post('/transactions', { type: 'sale', amount: 30, customerId, paymentMethod: 'token' }));
    await expectData(admin.post('/transactions', { type: 'sale', amount: 31, paymentMethod: 'ach', bankAccount: BANK }));
    const sale = await expectData(admin.post<TransactionRecord>('/transactions', saleAtSimulator(64)));
    simulator.closeBatch();
    const reference = simulator.ledger.byOurReference(sale.processorRef)[0]?.reference ?? '';
    const chargeback = { reference, code: '10.4', reason: 'Fraud', amountMinor: 6_400 };
    await fetch(`${simulator.origin}/__peer/chargeback`, { method: 'POST', body: JSON.stringify(chargeback) });
    await expectData(admin.post('/disputes/check'));
    await until(
      'the chargeback is a dispute',
      async () => (await expectData(admin.get<unknown[]>(`/disputes?transactionId=${sale.transactionId}`))).length > 0,
    );
  } finally {
    await simulator.stop();
  }
}
