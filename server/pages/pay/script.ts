import { CARD_ENTRY_SCRIPT } from '../card-entry.ts';

/**
 * Script of the payment pages, which also work without it. It adds grouped numbers, the slash of the expiry date, the brand, the amount on the button, a
 * single submission, and polling of a pending payment. It requests only its own page.
 */
export const SCRIPT = `'use strict';
(function () {
  ${CARD_ENTRY_SCRIPT}
  var POLL_MS = 3000, POLLS_MAX = 400;
  var byId = function (id) { return document.getElementById(id); };
  var form = byId('pay');
  var faults = byId('faults');
  if (faults) faults.focus();

  var number = byId('number');
  if (number) number.addEventListener('input', function () {
    cardEntry.rewrite(number, cardEntry.groupsOf(number.value));
    var found = cardEntry.brandOf(number.value.replace(/\\D/g, ''));
    byId('brand').textContent = found ? found.name : '';
  });

  var expiry = byId('expiry');
  if (expiry) expiry.addEventListener('input', function (event) {
    if (!/^delete/.test(event.inputType || '')) cardEntry.rewrite(expiry, cardEntry.expiryAsTyped(expiry.value));
  });

  var amount = byId('amount');
  var button = byId('submit');
  var isSent = false;
  var unit = button ? Math.pow(10, button.dataset.decimals) : 1;
  var sum = amount || byId('fixed-amount');
  var tipAmount = byId('tipAmount');
  function chosenTip() {
    var chosen = form.querySelector('[name=tip]:checked');
    return chosen ? chosen.value : '';
  }
  function minorOf(text) { return /^\\d{1,11}(\\.\\d+)?$/.test(text.trim()) ? Math.round(Number(text.trim()) * unit) : NaN; }
  function tipOn(base, percent) { return Math.round(base * percent / 100); }
  function inWords(minor) {
    var digits = { minimumFractionDigits: Number(button.dataset.decimals), maximumFractionDigits: Number(button.dataset.decimals) };
    return (minor / unit).toLocaleString(document.documentElement.lang, digits) + ' ' + button.dataset.currency;
  }
  // The button shows the total with tip and surcharge, and each suggested tip its amount.
  function label() {
    var base = minorOf(sum.value), tip = chosenTip();
    document.querySelectorAll('[data-percent]').forEach(function (shown) {
      if (amount) shown.textContent = base > 0 ? inWords(tipOn(base, shown.dataset.percent)) : '';
    });
    var total = base + minorOf(byId('surcharge').value) + (tip === '' ? 0 : tip === 'custom' ? minorOf(tipAmount.value) : tipOn(base, tip));
    button.textContent = isNaN(total) ? button.dataset.idle : button.dataset.pay.replace('{}', inWords(total));
  }
  if (button && sum) {
    [amount, tipAmount].concat(Array.from(form.querySelectorAll('[name=tip]'))).forEach(function (field) { if (field) field.addEventListener('input', label); });
    label();
  }

  // The surcharge of a card, by its first digits only, as soon as they and the ZIP code are typed.
  var line = byId('surcharge-line');
  var zip = byId('zip');
  var asked = '', turn = 0;
  function quote() {
    var bank = byId('method-ach');
    var digits = bank && bank.checked ? '' : number.value.replace(/\\D/g, '').slice(0, 8);
    var wanted = digits.length === 8 && zip.value.trim().length >= 5 ? new URLSearchParams({ firstDigits: digits, zip: zip.value, amount: sum.value.trim(), tip: chosenTip(), tipAmount: tipAmount ? tipAmount.value.trim() : '' }).toString() : '';
    if (wanted === asked) return;
    asked = wanted;
    turn += 1;
    var mine = turn;
    if (wanted === '') return show({ decimal: '0', line: '', button: '' });
    fetch(line.dataset.url, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: wanted, cache: 'no-store' })
      .then(function (response) { return response.ok ? response.json() : { decimal: '0', line: '', button: '' }; })
      .then(function (found) { if (mine === turn) show(found); }, function () { if (mine === turn) asked = ''; });
  }
  function show(found) {
    byId('surcharge').value = found.decimal;
    line.textContent = found.line;
    if (isSent) return;
    if (found.line !== '') button.textContent = found.button;
    else label();
  }
  if (line && number && zip) {
    [number, zip, amount, tipAmount, byId('method-ach'), byId('method-card')].concat(Array.from(form.querySelectorAll('[name=tip]'))).forEach(function (field) { if (field) field.addEventListener('input', quote); });
    if (number.value !== '') quote();
  }

  if (form) {
    form.addEventListener('submit', function (event) {
      if (isSent) { event.preventDefault(); return; }
      isSent = true;
      button.setAttribute('aria-disabled', 'true');
      button.textContent = button.dataset.paying;
    });
    // After returning from the result, a browser may show the page as it was, or restore typed text in a new one.
    addEventListener('pageshow', function (event) {
      var entry = performance.getEntriesByType('navigation')[0];
      if (event.persisted) location.reload();
      else if (entry && entry.type === 'back_forward') ['number', 'cvv', 'account'].forEach(function (id) { if (byId(id)) byId(id).value = ''; });
    });
  }

  if (document.querySelector('[data-wait]')) {
    var polls = 0;
    var poll = function () {
      polls += 1;
      fetch(location.href, { cache: 'no-store' }).then(function (response) { return response.ok ? response.text() : 'data-wait'; }).then(function (text) {
        if (text.indexOf('data-wait') < 0) location.reload();
        else if (polls < POLLS_MAX) setTimeout(poll, POLL_MS);
      }, function () { if (polls < POLLS_MAX) setTimeout(poll, POLL_MS); });
    };
    setTimeout(poll, POLL_MS);
  }
})();
`;
