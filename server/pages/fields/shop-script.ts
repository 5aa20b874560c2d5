import { FIELDS_FRAME_PATH, FIELDS_VERSION } from './version.ts';

/**
 * Script for a shop's page. It mounts a Paydesk frame in an element; typed text stays in the frame. Every message names the frame's
 * channel, is accepted only from the frame's window and our origin, and is sent only to that origin.
 */
export const SHOP_SCRIPT = `'use strict';
(function () {
  var SIGN = 'paydesk-fields-1';
  var ANSWER_MS = 30000;
  var source = document.currentScript && document.currentScript.src;
  if (!source) throw new Error('PaydeskFields: load this file with a script element of its own, not as a module.');
  var origin = new URL(source).origin;

  function failure(error) {
    var thrown = new Error(error.message);
    thrown.name = 'PaydeskFieldsError';
    thrown.code = error.code;
    thrown.field = error.field || null;
    return thrown;
  }
  function unguessable() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), function (byte) { return byte.toString(16).padStart(2, '0'); }).join('');
  }
  function text(options, name) {
    if (typeof options[name] !== 'string' || options[name] === '') throw new TypeError('PaydeskFields: ' + name + ' is required.');
    return options[name];
  }

  function mount(element, options) {
    if (!(element instanceof Element)) throw new TypeError('PaydeskFields: the first argument is the element to mount into.');
    var settings = { clientToken: text(options, 'clientToken'), tenantId: text(options, 'tenantId'), style: options.style || {} };
    var language = options.language === 'es' ? 'es' : 'en';
    var channel = unguessable();
    var listeners = { ready: [], change: [] };
    var waiting = new Map();
    var calls = 0;
    var isReady = false;
    var isGone = false;
    var frame = document.createElement('iframe');
    frame.title = language === 'es' ? 'Datos de la tarjeta' : 'Card details';
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
    frame.setAttribute('scrolling', 'no');
    frame.style.cssText = 'display:block;width:100%;height:150px;border:0;color-scheme:normal';
    frame.src = origin + '${FIELDS_FRAME_PATH}?lang=' + language + '#' + encodeURIComponent(JSON.stringify({ channel: channel, origin: location.origin }));

    function post(type, more) {
      frame.contentWindow.postMessage(Object.assign({ paydesk: SIGN, channel: channel, type: type }, more), origin);
    }
    function tell(event, detail) { listeners[event].slice().forEach(function (listener) { listener(detail); }); }
    function settle(id, error, value) {
      var call = waiting.get(id);
      if (!call) return;
      waiting.delete(id);
      clearTimeout(call.timer);
      if (error) call.reject(failure(error)); else call.resolve(value);
    }
    function hear(event) {
      var said = event.data;
      if (isGone || event.source !== frame.contentWindow || event.origin !== origin) return;
      if (!said || said.paydesk !== SIGN || said.channel !== channel) return;
      if (said.type === 'hello') post('settings', settings);
      else if (said.type === 'ready') { isReady = true; tell('ready', {}); }
      else if (said.type === 'size' && said.height >= 40 && said.height <= 600) frame.style.height = Math.ceil(said.height) + 'px';
      else if (said.type === 'change') tell('change', said.state);
      else if (said.type === 'tokenized') settle(said.id, said.error, said.value);
    }
    addEventListener('message', hear);
    element.replaceChildren(frame);

    return {
      tokenize: function () {
        return new Promise(function (resolve, reject) {
          if (isGone || !isReady) return reject(failure({ code: 'NOT_READY', message: isGone ? 'The card fields were removed.' : 'The card fields are not loaded yet.' }));
          var id = String(calls += 1);
          var timer = setTimeout(function () { settle(id, { code: 'TIMEOUT', message: 'There was no answer. Nothing was charged; try again.' }); }, ANSWER_MS);
          waiting.set(id, { resolve: resolve, reject: reject, timer: timer });
          post('tokenize', { id: id });
        });
      },
      on: function (event, listener) {
        if (!listeners[event]) throw new TypeError('PaydeskFields: there is no event ' + event + '; ready and change are.');
        listeners[event].push(listener);
        if (event === 'ready' && isReady) listener({});
        return function () { listeners[event] = listeners[event].filter(function (each) { return each !== listener; }); };
      },
      update: function (changes) {
        Object.assign(settings, { clientToken: changes.clientToken || settings.clientToken, style: changes.style || settings.style });
        if (isReady) post('settings', settings);
      },
      clear: function () { if (isReady) post('clear'); },
      focus: function () { frame.focus(); if (isReady) post('focus'); },
      destroy: function () {
        isGone = true;
        removeEventListener('message', hear);
        Array.from(waiting.keys()).forEach(function (id) { settle(id, { code: 'NOT_READY', message: 'The card fields were removed.' }); });
        frame.remove();
      }
    };
  }

  window.PaydeskFields = Object.freeze({ version: '${FIELDS_VERSION}', mount: mount });
})();
`;
