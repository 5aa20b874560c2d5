// @module-tag full
import { expect, onTestFinished, test } from 'vitest';
import { describeOnAnyDatabase, expectData } from '../../support/server.ts';
import { NO_EXIM, startExim, UNKNOWN_MAILBOX } from './exim.ts';
import { forget, freshAddress, putChannel, sent, settled, tellOfRefund, tried } from './outbox.ts';

const LOGIN = { user: 'till', password: 'right-pass' };

describeOnAnyDatabase(`email through Exim${NO_EXIM === undefined ? '' : ` (not run: ${NO_EXIM})`}`, (fixture) => {
  test.skipIf(NO_EXIM !== undefined)(
    'delivers a receipt once over STARTTLS, with its text, HTML and PDF, and stores why a server refuses',
    async () => {
      const { api, credentials } = fixture();
      const exim = await startExim(LOGIN);
      onTestFinished(() => exim.stop());
      const setChannel = (more: Record<string, unknown>) =>
        expectData(
          putChannel(api, '/notifications/channels/email', {
            host: 'localhost',
            port: exim.port,
            security: 'starttls',
            fromAddress: 'till@shop.example',
            fromName: null,
            ...LOGIN,
            ...more,
          }),
        );
      await api.admin.put(`/merchants/${credentials.merchantId}/branding`, { companyName: 'Café Ñandú & Søn 咖啡' });

      await setChannel({ password: 'wrong-pass' });
      const early = freshAddress();
      await tellOfRefund(api, early);
      const waiting = await tried(api, early);
      expect(waiting.lastError).toMatch(/rejected the sign-in.*535/);
      expect(waiting.lastError).not.toContain('wrong-pass');

      await setChannel({});
      const transactionId = await tellOfRefund(api, freshAddress());
      const to = freshAddress();
      await expectData(api.admin.post('/notifications/receipt/email', { transactionId, email: to }));
      const message = await sent(api, to);
      await expect.poll(() => exim.to(to)).toHaveLength(1);
      const [mail] = exim.to(to);
      expect(mail?.from).toEqual({ name: 'Café Ñandú & Søn 咖啡', address: 'till@shop.example' });
      expect(mail?.subject).toBe(message.subject);
      expect(mail?.text?.trimEnd()).toBe(message.body.trimEnd());
      expect(mail?.html).toContain('Café Ñandú &amp; Søn 咖啡');
      const pdf = mail?.attachments.find(({ mimeType }) => mimeType === 'application/pdf');
      expect(
        Buffer.from(pdf?.content as ArrayBuffer)
          .subarray(-6)
          .toString()
          .trim(),
      ).toBe('%%EOF');

      const unknown = `${UNKNOWN_MAILBOX}@shop.example`;
      await expectData(api.admin.post('/notifications/receipt/email', { transactionId, email: unknown }));
      const refused = await settled(api, unknown, ({ status }) => status === 'failed');
      expect(refused.lastError).toContain('unknown is no mailbox of this server');
      expect(exim.to(unknown)).toEqual([]);
      await forget(fixture(), 'email');
    },
  );
});
