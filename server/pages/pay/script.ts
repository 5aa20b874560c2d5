/**
 * What a page for payers does beside what its form does by itself: the number in groups, the slash of the expiry, the brand, the amount on the
 * button, one press at a time, and the outcome of a payment under way. It sends nothing but a request for the page it is on.
 */
export const SCRIPT = `'use strict';
(function () {
  var POLL_MS = 3000, POLLS_MAX = 400;
  var byId = function (id) { return document.getElementById(id); };
  var form = byId('pay');
  var faults = byId('faults');
  if (faults) faults.focus();

  function digitsBefore(text, at) { return text.slice(0, at).replace(/\\D/g, '').length; }
  /** Writes a field anew and leaves the caret behind the digit it was behind. */
  function rewrite(field, text) {
    if (field.value === text) return;
    var count = digitsBefore(field.value, field.selectionStart);
    var atEnd = field.selectionStart === field.value.length;
    field.value = text;
    if (document.activeElement !== field) return;
    var at = text.length;
    if (!atEnd) for (at = 0; at < text.length && digitsBefore(text, at) < count; at += 1);
    field.setSelectionRange(at, at);
  }

  var BRANDS = [['Visa', /^4/], ['Mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/], ['Amex', /^3[47]/], ['Discover', /^(6011|65|64[4-9])/]];
  var number = byId('number');
  if (number) number.addEventListener('input', function () {
    var digits = number.value.replace(/\\D/g, '').slice(0, 19);
    var groups = /^3[47]/.test(digits) ? digits.match(/^(\\d{1,4})(\\d{0,6})(\\d{0,5})/) : null;
    rewrite(number, (groups ? groups.slice(1).filter(Boolean) : digits.match(/\\d{1,4}/g) || []).join(' '));
    var found = BRANDS.filter(function (each) { return each[1].test(digits); })[0];
    byId('brand').textContent = found ? found[0] : '';
  });

  var expiry = byId('expiry');
  if (expiry) expiry.addEventListener('input', function (event) {
    if (/^delete/.test(event.inputType || '')) return;
    var digits = expiry.value.replace(/\\D/g, '');
    if (/^[2-9]/.test(digits) || /^1[3-9]/.test(digits) && digits.length === 2) digits = '0' + digits;
    var year = digits.length === 6 && digits.slice(2, 4) === '20' ? digits.slice(4) : digits.slice(2, 6);
    rewrite(expiry, digits.length < 2 ? digits : digits.slice(0, 2) + '/' + year);
  });

  var amount = byId('amount');
  var button = byId('submit');
  function label() {
    var typed = amount.value.trim();
    button.textContent = /^\\d{1,11}(\\.\\d+)?$/.test(typed) ? button.dataset.pay.replace('{}', typed + ' ' + button.dataset.currency) : button.dataset.idle;
  }
  if (amount && button) { amount.addEventListener('input', label); label(); }

  if (form) {
    var sent = false;
    form.addEventListener('submit', function (event) {
      if (sent) { event.preventDefault(); return; }
      sent = true;
      button.setAttribute('aria-disabled', 'true');
      button.textContent = button.dataset.paying;
    });
    // Back from the answer: a browser may show the page as it was left, or put what was typed into a new one.
    addEventListener('pageshow', function (event) {
      var entry = performance.getEntriesByType('navigation')[0];
      if (event.persisted) location.reload();
      else if (entry && entry.type === 'back_forward') ['number', 'cvv', 'account'].forEach(function (id) { if (byId(id)) byId(id).value = ''; });
    });
  }

  if (document.querySelector('[data-wait]')) {
    var polls = 0;
    var ask = function () {
      polls += 1;
      fetch(location.href, { cache: 'no-store' }).then(function (answer) { return answer.ok ? answer.text() : 'data-wait'; }).then(function (text) {
        if (text.indexOf('data-wait') < 0) location.reload();
        else if (polls < POLLS_MAX) setTimeout(ask, POLL_MS);
      }, function () { if (polls < POLLS_MAX) setTimeout(ask, POLL_MS); });
    };
    setTimeout(ask, POLL_MS);
  }
})();
`;
