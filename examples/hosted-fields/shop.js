/** ID of this order. If the button is pressed twice, or again after a lost connection, the order is charged once. */
const order = crypto.randomUUID();
const form = document.querySelector('#checkout');
const button = form.querySelector('button');
const outcome = document.querySelector('#outcome');

const post = async (path, body = {}) => {
  const response = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return response.json();
};

async function start() {
  const { clientToken, tenantId } = await post('/client-token');
  const fields = PaydeskFields.mount(document.querySelector('#card'), {
    clientToken,
    tenantId,
    language: document.documentElement.lang,
    style: { color: '#1b1b1b', borderColor: '#767676', fontSize: '16px' },
  });
  fields.on('ready', () => {
    button.disabled = false;
  });

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    outcome.textContent = '';
    try {
      const { token, brand, last4 } = await fields.tokenize();
      const charged = await post('/charge', { token, order });
      if (charged.isPaid) {
        fields.destroy();
        button.hidden = true;
        outcome.textContent = `Paid with ${brand} ending ${last4}. ${charged.transactionId}`;
        return;
      }
      outcome.textContent = charged.error ? charged.error.message : 'The card was declined. Nothing was charged.';
    } catch (error) {
      outcome.textContent = error.message;
      // The client token is valid for 30 minutes. Get a fresh one, so that the next attempt succeeds.
      if (error.code === 'TOKEN_EXPIRED') fields.update(await post('/client-token'));
    }
    button.disabled = false;
  });
}

start();
