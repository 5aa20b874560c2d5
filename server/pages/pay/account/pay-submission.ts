import type { Core } from '#core';
import type { Visitor } from '#core/billing/customer-page';
import type { OpenInvoice } from '#core/billing/invoicing';
import { exponentOf, ServiceError } from '#core/kernel';
import { faultsOf, isComplete, methodOf, readForm, reusableFields } from '../form.ts';
import type { Page } from '../layout.ts';
import { refusalOf } from '../refusals.ts';
import { missingSurcharge, shownSurcharge } from '../surcharge.ts';
import { isPayable } from './overview.ts';
import { payInvoicesPage, type Refused } from './pay-invoices.ts';
import { refusedPage } from './steps.ts';
import { type AccountView, payViewOf, sumOf } from './view.ts';

const CHOSEN = /^(inv_\w{26}):(\d{1,15})$/;
const CHOSEN_MAX = 20;
const METHOD = /^pm_\w{26}$/;
const ATTEMPT = /^[\w-]{16,64}$/;
const CONFLICT = 409;

/** Pays the invoices of a form. Returns the ID of the submission, or the page that says why nothing was charged. */
export async function submitPayment(
  pages: Core['customerPages'],
  visitor: Visitor,
  view: AccountView,
  form: URLSearchParams,
): Promise<string | Page> {
  const chosen = chosenFrom(view, form.getAll('invoice'));
  const attemptKey = form.get('attempt') ?? '';
  // A form that was sent before shows the result of its payments, although its invoices are paid now.
  const known = ATTEMPT.test(attemptKey) ? await pages.knownPayment(visitor.token, attemptKey) : null;
  if (known !== null) return known;
  if (chosen === null) return refusedPage(view, view.texts.pay.changed, CONFLICT);
  const stored = form.get('stored');
  const isStored = stored !== null;
  const payView = payViewOf(view, sumOf(chosen.map(({ payable }) => payable)));
  const values = readForm(form, payView);
  const kept = reusableFields(values);
  const again = (refused: Refused, status: number) => payInvoicesPage(view, chosen, { kept, isStored, ...refused }, status);
  if (!ATTEMPT.test(attemptKey) || (isStored ? !METHOD.test(stored) : !isComplete(values, payView)))
    return again({ notice: view.payTexts.errors.stale }, 400);
  const faults = isStored ? {} : faultsOf(values, payView, view.payTexts);
  if (Object.keys(faults).length > 0) return again({ faults }, 400);
  const isCard = values.method === 'card';
  try {
    return await pages.pay(visitor, {
      attemptKey,
      invoices: chosen.map(({ invoiceId, payable }) => ({ invoiceId, amountMinor: payable.minor })),
      surchargeMinor: Math.round(Number(values.surcharge) * 10 ** exponentOf(payView.payable.currency as never)),
      ...(isStored
        ? { method: { kind: 'stored', paymentMethodId: stored } }
        : {
            method: methodOf(values, payView) as never,
            consentText: isCard ? undefined : view.payTexts.mandate(view.brand.companyName),
            name: values.name,
            email: values.email === '' ? undefined : values.email,
            zip: isCard && payView.requireZip ? values.zip : undefined,
          }),
    });
  } catch (error) {
    const missing = missingSurcharge(error);
    if (missing !== null) {
      const surcharge = shownSurcharge(missing, view.language, view.payTexts);
      return again({ surcharge, notice: view.payTexts.surcharge.notShown(surcharge.line) }, CONFLICT);
    }
    const refusal = refusalOf(error, payView, view.payTexts);
    if (refusal === null || !(error instanceof ServiceError)) throw error;
    if (refusal.kind === 'field') return again({ faults: { [refusal.field]: refusal.text } }, refusal.status);
    if (refusal.kind === 'state') return refusedPage(view, view.texts.pay.changed, CONFLICT);
    return again({ notice: refusal.text }, refusal.status);
  }
}

/** Returns the open invoices of a form whose amounts are those that the payer saw; null if one of them has changed or belongs to someone else. */
function chosenFrom({ content }: AccountView, named: readonly string[]): OpenInvoice[] | null {
  if (named.length === 0 || named.length > CHOSEN_MAX) return null;
  const chosen: OpenInvoice[] = [];
  for (const text of named) {
    const [, id, minor] = CHOSEN.exec(text) ?? [];
    const found = content.invoices.find(({ invoiceId }) => invoiceId === id);
    if (!found || !isPayable(found) || found.payable.minor !== Number(minor) || chosen.includes(found)) return null;
    chosen.push(found);
  }
  return chosen;
}
