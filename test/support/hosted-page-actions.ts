// Invoices on pages of simulated processors in a core that works on its own.
import type { HostedPage } from '#core/billing/invoicing';
import { payOnSimulatedPage } from './hosted-pages.ts';
import type { LiveCore } from './live-core.ts';

type Simulator = Awaited<ReturnType<LiveCore['addSimulator']>>;

/** Returns the operations of a merchant and its payers on payment pages of processors. */
export function hostedPageActions(live: () => LiveCore) {
  const route = (gateway: string) =>
    live().core.merchants.changeSection(live().actor, live().merchantId, 'gateway-routing', { rules: [{ default: gateway }] });
  const pages = () => live().core.invoicing.hostedPages;
  const invoiceOf = (id: string) => live().core.invoicing.get(live().actor, id);
  const check = (id: string) => pages().check(live().actor, id);
  const pay = (simulator: Simulator, { processorRef }: HostedPage): ReturnType<typeof payOnSimulatedPage> =>
    payOnSimulatedPage(simulator, processorRef);

  async function newLink(amount = 40, more: Record<string, unknown> = {}): Promise<string> {
    const { invoice } = await live().core.invoicing.createLink(live().actor, { amount, customerEmail: 'ann@customer.example', ...more });
    return invoice.invoiceId;
  }
  async function newPage(amount = 40) {
    const id = await newLink(amount);
    return { id, page: await pages().create(live().actor, id, {}) };
  }
  const payCash = (id: string, amount: number) => live().core.invoicing.pay(live().actor, id, { paymentMethod: 'cash', amount });
  const transactionOf = (id: string) => live().core.payments.get(live().actor, id);
  return { route, pages, invoiceOf, check, pay, newLink, newPage, payCash, transactionOf };
}
