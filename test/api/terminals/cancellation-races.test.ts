import { expect, test } from 'vitest';
import { startSimulator } from '../../../simulators/index.ts';
import { addSimulatorGateway, startLiveServer } from '../../support/live-server.ts';
import { saleOn, type TerminalRecord } from '../../support/readers.ts';
import type { TransactionRecord } from '../../support/sales.ts';
import { ANY_DATABASE, expectData } from '../../support/server.ts';
import { startTamperingProxy } from '../../support/tampering-proxy.ts';
import { until } from '../../support/until.ts';

test.each(ANY_DATABASE)('a canceled dialog whose authorization is in progress is not a failed payment (%s)', async (database) => {
  const live = await startLiveServer(database);
  const proxy = await startTamperingProxy(await startSimulator('nmi'));
  try {
    await addSimulatorGateway(live, proxy);
    const { terminalId } = await expectData(live.api.admin.post<TerminalRecord>('/terminals', { code: 'A1B2C3', name: 'Counter 1' }), 201);
    let asked = 0;
    proxy.tamper(({ path, answer }) => {
      if (path.includes('asyncstatus')) return JSON.stringify({ asyncStatus: 'cancelledAtTerminal' });
      const open = answer.replace('<condition>pendingsettlement', '<condition>in_progress');
      if (open !== answer) asked += 1;
      return open;
    });
    const sold = live.api.admin.post<TransactionRecord>('/transactions', saleOn(terminalId, 30));
    await until('the customer presents the card', () => proxy.present({ action: 'authorize' }));
    const { transactionId } = await expectData(sold, 202);
    await until('the records are asked', () => asked >= 2);
    const read = () => expectData(live.api.admin.get<TransactionRecord>(`/transactions/${transactionId}`));
    expect((await read()).status).toBe('pending');
    proxy.tamper(({ path, answer }) => (path.includes('asyncstatus') ? JSON.stringify({ asyncStatus: 'cancelledAtTerminal' }) : answer));
    expect(await until('the payment is decided', async () => ((await read()).status === 'pending' ? null : read()))).toMatchObject({
      status: 'approved',
    });
  } finally {
    await live.stop();
    await proxy.stop();
  }
});
