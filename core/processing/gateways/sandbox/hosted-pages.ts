import { randomBytes } from 'node:crypto';
import type { Database } from '#core/database';
import { isoTime, money, ServiceError, storedCurrency } from '#core/kernel';
import { brandOfDigits, type CardSource } from '#core/records/vault';
import { hasCorrectCheckDigit } from '#shared/card-types';
import type { HostedPageConnector, HostedPageStatus, NewHostedPage } from '../hosted-pages.ts';
import type { Outcome } from '../outcome.ts';
import { outcomeOf, paymentEntry } from './entry.ts';
import { HOSTED_PAGES, type HostedPageRow, LEDGER } from './ledger.ts';
import { decide } from './outcomes.ts';

/** Payment page of the sandbox processor, as a payer sees it. */
export interface SandboxHostedPage {
  readonly state: 'open' | 'paid' | 'closed';
  readonly amount: ReturnType<typeof money>;
  readonly description: string;
  readonly companyName: string;
}

/** Card that a payer types on the page. */
export interface SandboxCardInput {
  readonly number: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly cvv: string;
}

/** Result of a payer's try: the page is paid, or the card was declined and another may be used. */
export type SandboxPageResult = { readonly kind: 'paid' } | { readonly kind: 'declined'; readonly reason: string };

interface HostedPagesOptions {
  readonly ledger: Database;
  /** Calls the processor in the mode of the gateway: it may be down or slow. */
  readonly withMode: <Answer>(
    of: { readonly tenantId: string; readonly gatewayId: string | null },
    answer: () => Promise<Answer>,
  ) => Promise<Answer | Extract<Outcome, { kind: 'not-sent' }>>;
  readonly isSilent: (tenantId: string, gatewayId: string | null) => Promise<boolean>;
  readonly lost: () => Promise<Outcome>;
  readonly nowOf: (of: { readonly tenantId: string }) => number;
  /** Returns the address of a page of this server, which shows the pages of the sandbox processor. */
  readonly pageUrl: (path: string) => string;
}

const TOKEN_BYTES = 18;
const TOKEN = /^[\w-]{24}$/;
const SILENT: HostedPageStatus = { kind: 'unknown', cause: 'The sandbox gateway loses its answers.' };

/** Creates the payment pages of the sandbox processor, which this server shows in place of another company's. */
export function createSandboxHostedPages({ ledger, withMode, isSilent, lost, nowOf, pageUrl }: HostedPagesOptions) {
  async function pageOf(token: string): Promise<HostedPageRow> {
    const row = TOKEN.test(token) ? await ledger.readAcrossTenants().one(HOSTED_PAGES, { token }) : null;
    if (!row) throw new ServiceError('NOT_FOUND', 'There is no such page.');
    return row;
  }

  async function create(page: NewHostedPage) {
    const { tenantId, gatewayId, processorRef, merchantId, amount, description, companyName } = page;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const created = await withMode(page, async () => {
      await ledger.unitOfWork.writeBatch(tenantId, (batch) =>
        batch.insert(HOSTED_PAGES, {
          tenant_id: tenantId,
          processor_ref: processorRef,
          token,
          merchant_id: merchantId,
          gateway_id: gatewayId,
          amount_minor: amount.minor,
          currency: amount.currency,
          description,
          company_name: companyName,
          closed: 0,
          brand: null,
          created_at: isoTime(nowOf(page)),
        }),
      );
      return (await isSilent(tenantId, gatewayId)) ? ((await lost()) as Extract<Outcome, { kind: 'unknown' }>) : null;
    });
    return created ?? { kind: 'created' as const, reference: token, address: { url: pageUrl(`/sandbox/pay/${token}`) } };
  }

  async function statusOf(tenantId: string, processorRef: string): Promise<HostedPageStatus> {
    const read = ledger.read(tenantId);
    const [page, entry] = await Promise.all([
      read.one(HOSTED_PAGES, { processor_ref: processorRef }),
      read.one(LEDGER, { processor_ref: processorRef }),
    ]);
    if (page === null || entry === null) return { kind: 'unpaid' };
    const outcome = outcomeOf(entry);
    if (outcome.kind !== 'approved') return { kind: 'unpaid' };
    const { reference, authCode, avsResponse, cvvResponse } = outcome;
    const amount = money(entry.amount_minor, storedCurrency(entry.currency));
    const card = { brand: page.brand ?? 'card', last4: entry.last4 ?? '' };
    return { kind: 'paid', payments: [{ reference, amount, authCode, avsResponse, cvvResponse, card }] };
  }

  const connector: HostedPageConnector = {
    delivery: 'link',
    opensWithinMs: null,
    create,
    async find(inquiry) {
      const { tenantId, gatewayId, processorRef } = inquiry;
      const status = await withMode(inquiry, async () =>
        (await isSilent(tenantId, gatewayId)) ? SILENT : statusOf(tenantId, processorRef),
      );
      return status.kind === 'not-sent' ? { kind: 'unknown', cause: status.reason } : status;
    },
    async close(page) {
      const { tenantId, processorRef } = page;
      const closed = await withMode(page, () =>
        ledger.unitOfWork.transaction(tenantId, (work) => work.update(HOSTED_PAGES, { processor_ref: processorRef }, { closed: 1 })),
      );
      return closed === 1;
    },
  };

  return {
    connector,
    /** Returns the page with a token. @throws ServiceError NOT_FOUND. */
    async show(token: string): Promise<SandboxHostedPage> {
      const page = await pageOf(token);
      const { kind } = await statusOf(page.tenant_id, page.processor_ref);
      return {
        state: kind === 'paid' ? 'paid' : page.closed === 1 ? 'closed' : 'open',
        amount: money(page.amount_minor, storedCurrency(page.currency)),
        description: page.description,
        companyName: page.company_name,
      };
    },
    /**
     * Pays a page. It is paid once, also by several payers at the same time. @throws ServiceError NOT_FOUND; RESOURCE_CONFLICT for a page that is paid or
     * closed; INVALID_CARD_NUMBER.
     */
    async pay(token: string, input: SandboxCardInput): Promise<SandboxPageResult> {
      const { tenant_id: tenantId, processor_ref: processorRef, ...page } = await pageOf(token);
      const number = input.number.replace(/[ -]/g, '');
      const brand = brandOfDigits(number);
      if (!/^\d{12,19}$/.test(number) || brand === '' || !hasCorrectCheckDigit(number))
        throw new ServiceError('INVALID_CARD_NUMBER', 'The card number is not valid.', { field: 'number' });
      const source: CardSource = { kind: 'card', ...input, number, brand };
      const amount = money(page.amount_minor, storedCurrency(page.currency));
      const ids = { tenantId, gatewayId: page.gateway_id, merchantId: page.merchant_id, processorRef };
      const charge = { ...ids, amount, source, channel: 'internet', forInvoice: true } as const;
      const decision = decide(charge);
      return ledger.unitOfWork.transaction(tenantId, async (work): Promise<SandboxPageResult> => {
        const row = await work.lockOne(HOSTED_PAGES, { processor_ref: processorRef });
        if (row?.closed === 1 || (await work.one(LEDGER, { processor_ref: processorRef })))
          throw new ServiceError('RESOURCE_CONFLICT', 'This page no longer accepts payments.');
        if (decision.outcome.kind === 'declined') return { kind: 'declined', reason: decision.outcome.declineReason };
        work.insert(LEDGER, paymentEntry('sale', charge, decision, nowOf({ tenantId })));
        await work.update(HOSTED_PAGES, { processor_ref: processorRef }, { brand });
        return { kind: 'paid' };
      });
    },
  };
}
