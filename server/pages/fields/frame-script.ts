import { CARD_ENTRY_SCRIPT } from '../card-entry.ts';

/**
 * Script of the frame. It reads the number when it is requested and sends it to our own origin only. Messages to the shop's page contain a
 * token, a brand, four digits, or whether a field is filled. It accepts messages of its own parent at the origin that mounted it, and
 * responds to that origin only.
 */
export const FRAME_SCRIPT = `'use strict';
(function () {
  ${CARD_ENTRY_SCRIPT}
  var SIGN = 'paydesk-fields-1';
  var STYLES = {
    color: ['--fields-ink', /^(#[0-9a-f]{3}|#[0-9a-f]{6}|rgb\\(\\d{1,3}, ?\\d{1,3}, ?\\d{1,3}\\))$/i],
    background: ['--fields-paper', /^(transparent|#[0-9a-f]{3}|#[0-9a-f]{6}|rgb\\(\\d{1,3}, ?\\d{1,3}, ?\\d{1,3}\\))$/i],
    borderColor: ['--fields-edge', /^(#[0-9a-f]{3}|#[0-9a-f]{6}|rgb\\(\\d{1,3}, ?\\d{1,3}, ?\\d{1,3}\\))$/i],
    fontSize: ['--fields-size', /^(1[2-9]|2[0-8])px$/]
  };
  var words = JSON.parse(document.body.dataset.words);
  var parentWindow = window.parent;
  var handed;
  try { handed = JSON.parse(decodeURIComponent(location.hash.slice(1))); } catch (_) { handed = null; }
  history.replaceState(null, '', location.pathname + location.search);
  if (parentWindow === window || !handed || !/^[0-9a-f]{32}$/.test(handed.channel) || !/^https?:\\/\\/[^/?#]+$/.test(handed.origin)) return;
  var channel = handed.channel;
  var shop = handed.origin;
  var settings = null;
  var number = document.getElementById('number');
  var expiry = document.getElementById('expiry');
  var brand = document.getElementById('brand');
  var touched = { number: false, expiry: false };

  function post(type, more) { parentWindow.postMessage(Object.assign({ paydesk: SIGN, channel: channel, type: type }, more), shop); }

  function digitsOf(field) { return field.value.replace(/\\D/g, ''); }

  function show(field, message) {
    var place = document.getElementById(field.id + '-fault');
    place.textContent = message;
    if (message) { field.setAttribute('aria-invalid', 'true'); field.setAttribute('aria-describedby', place.id); }
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
  var told = '';
  function changed() {
    var now = state();
    if (JSON.stringify(now) === told) return;
    told = JSON.stringify(now);
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
      if (field.value !== '') show(field, state().fields[field.id].isValid ? '' : words[field.id].wrong);
    });
  });

  function refuse(id, code, field, message) {
    if (field) { show(field, message); field.focus(); }
    post('tokenized', { id: id, error: { code: code, message: message, field: field ? field.id : null } });
  }
  function tokenize(id) {
    var at = cardEntry.expiryOf(expiry.value);
    if (number.value === '') return refuse(id, 'REQUIRED_FIELD_MISSING', number, words.number.missing);
    if (!cardEntry.isCardNumber(digitsOf(number))) return refuse(id, 'INVALID_CARD_NUMBER', number, words.number.wrong);
    if (expiry.value === '') return refuse(id, 'REQUIRED_FIELD_MISSING', expiry, words.expiry.missing);
    if (!at) return refuse(id, 'INVALID_EXPIRY', expiry, words.expiry.wrong);
    fetch('/api/v1/public/tokenize-card', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-client-token': settings.clientToken, 'x-tenant-id': settings.tenantId },
      body: JSON.stringify({ cardNumber: digitsOf(number), expiryMonth: at.month, expiryYear: at.year }),
      cache: 'no-store',
      credentials: 'omit'
    }).then(function (answer) { return answer.json(); }).then(function (answer) {
      if (!answer.success) {
        var fields = { cardNumber: number, expiryMonth: expiry, expiryYear: expiry };
        var field = fields[answer.error.field] || null;
        var known = answer.error.code === 'CARD_EXPIRED' ? words.expired : words.codes[answer.error.code] || (field ? words[field.id].wrong : words.failed);
        return refuse(id, answer.error.code, field, known);
      }
      var card = answer.data;
      post('tokenized', { id: id, value: { token: card.token, brand: card.brand, last4: card.last4, expiryMonth: card.expiryMonth, expiryYear: card.expiryYear } });
    }).catch(function () { refuse(id, 'SERVICE_UNAVAILABLE', null, words.failed); });
  }

  function adopt(given) {
    if (!given || typeof given.clientToken !== 'string' || typeof given.tenantId !== 'string') return;
    var isFirst = settings === null;
    settings = { clientToken: given.clientToken, tenantId: given.tenantId };
    Object.keys(STYLES).forEach(function (name) {
      var value = given.style && given.style[name];
      if (typeof value === 'string' && STYLES[name][1].test(value)) document.documentElement.style.setProperty(STYLES[name][0], value);
    });
    size();
    if (isFirst) { post('ready'); changed(); }
  }

  addEventListener('message', function (event) {
    var said = event.data;
    if (event.source !== parentWindow || event.origin !== shop) return;
    if (!said || said.paydesk !== SIGN || said.channel !== channel) return;
    if (said.type === 'settings') adopt(said);
    else if (settings === null) return;
    else if (said.type === 'tokenize' && typeof said.id === 'string') tokenize(said.id);
    else if (said.type === 'clear') {
      number.value = ''; expiry.value = ''; brand.textContent = '';
      show(number, ''); show(expiry, ''); changed();
    } else if (said.type === 'focus') number.focus();
  });
  addEventListener('resize', size);
  post('hello');
})();
`;
