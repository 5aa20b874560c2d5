import { CARD_ENTRY_SCRIPT } from '../card-entry.ts';

/**
 * Script of the frame. It reads the card number on request and sends it to the origin of the frame only. Messages to the shop's page contain
 * a token, a brand, four digits, or whether a field is filled. The script accepts messages only from its parent at the origin that mounted
 * it, and responds to that origin only.
 */
export const FRAME_SCRIPT = `'use strict';
(function () {
  ${CARD_ENTRY_SCRIPT}
  var SIGN = 'paydesk-fields-1';
  var STYLES = {
    color: ['--fields-ink', /^(#[0-9a-f]{3}|#[0-9a-f]{6}|rgb\\(\\d{1,3}, ?\\d{1,3}, ?\\d{1,3}\\))$/i],
    background: ['--fields-background', /^(transparent|#[0-9a-f]{3}|#[0-9a-f]{6}|rgb\\(\\d{1,3}, ?\\d{1,3}, ?\\d{1,3}\\))$/i],
    borderColor: ['--fields-edge', /^(#[0-9a-f]{3}|#[0-9a-f]{6}|rgb\\(\\d{1,3}, ?\\d{1,3}, ?\\d{1,3}\\))$/i],
    fontSize: ['--fields-size', /^(1[2-9]|2[0-8])px$/]
  };
  var texts = JSON.parse(document.body.dataset.texts);
  var parentWindow = window.parent;
  var mounted;
  try { mounted = JSON.parse(decodeURIComponent(location.hash.slice(1))); } catch (_) { mounted = null; }
  history.replaceState(null, '', location.pathname + location.search);
  if (parentWindow === window || !mounted || !/^[0-9a-f]{32}$/.test(mounted.channel) || !/^https?:\\/\\/[^/?#]+$/.test(mounted.origin)) return;
  var channel = mounted.channel;
  var shop = mounted.origin;
  var settings = null;
  var number = document.getElementById('number');
  var expiry = document.getElementById('expiry');
  var brand = document.getElementById('brand');
  var touched = { number: false, expiry: false };

  function post(type, more) { parentWindow.postMessage(Object.assign({ paydesk: SIGN, channel: channel, type: type }, more), shop); }

  function digitsOf(field) { return field.value.replace(/\\D/g, ''); }

  function show(field, message) {
    var output = document.getElementById(field.id + '-fault');
    output.textContent = message;
    if (message) { field.setAttribute('aria-invalid', 'true'); field.setAttribute('aria-describedby', output.id); }
    else { field.removeAttribute('aria-invalid'); field.removeAttribute('aria-describedby'); }
    size();
  }
  function size() { post('size', { height: document.documentElement.getBoundingClientRect().height }); }
  function state() {
    var digits = digitsOf(number);
    var found = cardEntry.brandOf(digits);
    var fields = {
      number: { isEmpty: number.value === '', isValid: cardEntry.isCardNumber(digits) },
      expiry: { isEmpty: expiry.value === '', isValid: cardEntry.expiryOf(expiry.value) !== null }
    };
    return { isComplete: fields.number.isValid && fields.expiry.isValid, brand: found ? found.code : null, fields: fields };
  }
  var lastState = '';
  function changed() {
    var now = state();
    if (JSON.stringify(now) === lastState) return;
    lastState = JSON.stringify(now);
    post('change', { state: now });
  }

  number.addEventListener('input', function () {
    cardEntry.rewrite(number, cardEntry.groupsOf(number.value));
    var found = cardEntry.brandOf(digitsOf(number));
    brand.textContent = found ? found.name : '';
    if (cardEntry.isCardNumber(digitsOf(number))) show(number, '');
    changed();
  });
  expiry.addEventListener('input', function (event) {
    if (!/^delete/.test(event.inputType || '')) cardEntry.rewrite(expiry, cardEntry.expiryAsTyped(expiry.value));
    if (cardEntry.expiryOf(expiry.value)) show(expiry, '');
    changed();
  });
  [number, expiry].forEach(function (field) {
    field.addEventListener('blur', function () {
      if (field.value !== '') show(field, state().fields[field.id].isValid ? '' : texts[field.id].wrong);
    });
  });

  // Browsers that refuse storage to frames of other sites get a new ID for each page.
  function deviceId() {
    var name = 'paydesk-device';
    try { var kept = localStorage.getItem(name); if (/^[\\w-]{22}$/.test(kept || '')) return kept; } catch (_) {}
    var bytes = crypto.getRandomValues(new Uint8Array(16));
    var made = btoa(String.fromCharCode.apply(null, bytes)).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
    try { localStorage.setItem(name, made); } catch (_) {}
    return made;
  }
  function refuse(id, code, field, message) {
    if (field) { show(field, message); field.focus(); }
    post('tokenized', { id: id, error: { code: code, message: message, field: field ? field.id : null } });
  }
  function tokenize(id) {
    var at = cardEntry.expiryOf(expiry.value);
    if (number.value === '') return refuse(id, 'REQUIRED_FIELD_MISSING', number, texts.number.missing);
    if (!cardEntry.isCardNumber(digitsOf(number))) return refuse(id, 'INVALID_CARD_NUMBER', number, texts.number.wrong);
    if (expiry.value === '') return refuse(id, 'REQUIRED_FIELD_MISSING', expiry, texts.expiry.missing);
    if (!at) return refuse(id, 'INVALID_EXPIRY', expiry, texts.expiry.wrong);
    fetch('/api/v1/public/tokenize-card', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-client-token': settings.clientToken, 'x-tenant-id': settings.tenantId },
      body: JSON.stringify({ cardNumber: digitsOf(number), expiryMonth: at.month, expiryYear: at.year, deviceId: deviceId() }),
      cache: 'no-store',
      credentials: 'omit'
    }).then(function (response) { return response.json(); }).then(function (result) {
      if (!result.success) {
        var fields = { cardNumber: number, expiryMonth: expiry, expiryYear: expiry };
        var field = fields[result.error.field] || null;
        var known = result.error.code === 'CARD_EXPIRED' ? texts.expired : texts.codes[result.error.code] || (field ? texts[field.id].wrong : texts.failed);
        return refuse(id, result.error.code, field, known);
      }
      var card = result.data;
      post('tokenized', { id: id, value: { token: card.token, brand: card.brand, last4: card.last4, expiryMonth: card.expiryMonth, expiryYear: card.expiryYear } });
    }).catch(function () { refuse(id, 'SERVICE_UNAVAILABLE', null, texts.failed); });
  }

  function applySettings(input) {
    if (!input || typeof input.clientToken !== 'string' || typeof input.tenantId !== 'string') return;
    var isFirst = settings === null;
    settings = { clientToken: input.clientToken, tenantId: input.tenantId };
    Object.keys(STYLES).forEach(function (name) {
      var value = input.style && input.style[name];
      if (typeof value === 'string' && STYLES[name][1].test(value)) document.documentElement.style.setProperty(STYLES[name][0], value);
    });
    size();
    if (isFirst) { post('ready'); changed(); }
  }

  addEventListener('message', function (event) {
    var message = event.data;
    if (event.source !== parentWindow || event.origin !== shop) return;
    if (!message || message.paydesk !== SIGN || message.channel !== channel) return;
    if (message.type === 'settings') applySettings(message);
    else if (settings === null) return;
    else if (message.type === 'tokenize' && typeof message.id === 'string') tokenize(message.id);
    else if (message.type === 'clear') {
      number.value = ''; expiry.value = ''; brand.textContent = '';
      show(number, ''); show(expiry, ''); changed();
    } else if (message.type === 'focus') number.focus();
  });
  addEventListener('resize', size);
  post('hello');
})();
`;
