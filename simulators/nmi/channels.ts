// Rules about `industry`, stored credentials and SEC codes. They are written down independently of the connector.
type Form = ReadonlyMap<string, string>;

const INDUSTRIES = ['moto', 'retail', 'ecommerce'];
const CONSUMER_CODES = ['PPD', 'WEB', 'TEL'];
export const CHANNEL_FIELDS = ['industry', 'billing_number', 'billing_total'];

/** Returns the text of the fault in the channel of a payment; null if there is none. */
export function channelFault(form: Form): string | null {
  return form.get('payment') === 'check' ? bankFault(form) : (cardFault(form) ?? billingFault(form));
}

function cardFault(form: Form): string | null {
  const industry = form.get('industry');
  if (form.has('sec_code')) return 'Invalid sec_code';
  // A charge under an agreement has no industry: no customer takes part.
  const isStanding = form.get('initiated_by') === 'merchant' || form.has('billing_method') || isFirstOfMerchant(form);
  if (industry === undefined) return isStanding ? null : 'The industry field is required';
  if (!INDUSTRIES.includes(industry)) return 'Invalid industry';
  return form.get('initiated_by') === 'merchant' || form.has('billing_method') ? 'Invalid industry' : null;
}

/** The first charge under an agreement that is not on a schedule is sent in the name of the customer. */
const isFirstOfMerchant = (form: Form) => form.get('stored_credential_indicator') === 'stored';

function bankFault(form: Form): string | null {
  const [code = '', holder] = [form.get('sec_code'), form.get('account_holder_type')];
  if (form.has('industry')) return 'Invalid industry';
  if (form.get('type') === 'credit' && code !== 'PPD' && code !== 'CCD') return 'Invalid sec_code';
  if (holder === 'business') return code === 'CCD' ? billingFault(form) : 'Invalid sec_code';
  return CONSUMER_CODES.includes(code) ? billingFault(form) : 'Invalid sec_code';
}

function billingFault(form: Form): string | null {
  const [method, number, total] = ['billing_method', 'billing_number', 'billing_total'].map((name) => form.get(name));
  if (method !== undefined && method !== 'recurring' && method !== 'installment') return 'Invalid billing_method';
  if (method !== 'installment') return number === undefined && total === undefined ? null : 'Invalid billing_number';
  const isCount = (text: string | undefined) => /^[1-9]\d{0,2}$/.test(text ?? '');
  if (!isCount(number)) return 'Invalid billing_number';
  return isCount(total) && Number(number) <= Number(total) ? null : 'Invalid billing_total';
}

/** Channel of a form as the ledger shows it. */
export const channelDetails = (form: Form): Record<string, string> =>
  Object.fromEntries(
    ['industry', 'initiated_by', 'stored_credential_indicator', 'billing_method', 'sec_code', 'account_holder_type'].flatMap((name) => {
      const value = form.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
