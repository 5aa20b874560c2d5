import { FIELDS_FRAME_PATH, FIELDS_VERSION } from './version.ts';

/**
 * Script for a shop's page. It mounts a Paydesk frame in an element; entered card data stays in the frame. Every message contains the
 * frame's channel, is accepted only from the frame's window and origin, and is sent only to that origin.
 */
export const SHOP_SCRIPT = `'use strict';
(function () {
  var SIGN = 'paydesk-fields-1';
  var RESPONSE_TIMEOUT_MS = 30000;
  var source = document.currentScript && document.currentScript.src;
  if (!source) throw new Error('PaydeskFields: load this file with its own script element, not as a module.');
  var origin = new URL(source).origin;

  function failure(error) {
    var thrown = new Error(error.message);
    thrown.name = 'PaydeskFieldsError';
    thrown.code = error.code;
    thrown.field = error.field || null;
    return thrown;
  }
  function randomChannel() {
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
    var channel = randomChannel();
    var listeners = { ready: [], change: [] };
    var waiting = new Map();
    var calls = 0;
    var isReady = false;
    var isDestroyed = false;
    var frame = document.createElement('iframe');
    frame.title = language === 'es' ? 'Datos de la tarjeta' : 'Card details';
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
    frame.setAttribute('scrolling', 'no');
    frame.style.cssText = 'display:block;width:100%;height:150px;border:0;color-scheme:normal';
    frame.src = origin + '${FIELDS_FRAME_PATH}?lang=' + language + '#' + encodeURIComponent(JSON.stringify({ channel: channel, origin: location.origin }));

    function post(type, more) {
      frame.contentWindow.postMessage(Object.assign({ paydesk: SIGN, channel: channel, type: type }, more), origin);
    }
    function emit(event, detail) { listeners[event].slice().forEach(function (listener) { listener(detail); }); }
    function settle(id, error, value) {
      var call = waiting.get(id);
      if (!call) return;
      waiting.delete(id);
      clearTimeout(call.timer);
      if (error) call.reject(failure(error)); else call.resolve(value);
    }
    function onMessage(event) {
      var message = event.data;
      if (isDestroyed || event.source !== frame.contentWindow || event.origin !== origin) return;
      if (!message || message.paydesk !== SIGN || message.channel !== channel) return;
      if (message.type === 'hello') post('settings', settings);
      else if (message.type === 'ready') { isReady = true; emit('ready', {}); }
      else if (message.type === 'size' && message.height >= 40 && message.height <= 600) frame.style.height = Math.ceil(message.height) + 'px';
      else if (message.type === 'change') emit('change', message.state);
      else if (message.type === 'tokenized') settle(message.id, message.error, message.value);
    }
    addEventListener('message', onMessage);
    element.replaceChildren(frame);

    return {
      tokenize: function () {
        return new Promise(function (resolve, reject) {
          if (isDestroyed || !isReady) return reject(failure({ code: 'NOT_READY', message: isDestroyed ? 'The card fields were removed.' : 'The card fields are not loaded yet.' }));
          var id = String(calls += 1);
          var timer = setTimeout(function () { settle(id, { code: 'TIMEOUT', message: 'There was no response. Nothing was charged. Try again.' }); }, RESPONSE_TIMEOUT_MS);
          waiting.set(id, { resolve: resolve, reject: reject, timer: timer });
          post('tokenize', { id: id });
        });
      },
      on: function (event, listener) {
        if (!listeners[event]) throw new TypeError('PaydeskFields: unknown event ' + event + '. Known events: ready, change.');
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
        isDestroyed = true;
        removeEventListener('message', onMessage);
        Array.from(waiting.keys()).forEach(function (id) { settle(id, { code: 'NOT_READY', message: 'The card fields were removed.' }); });
        frame.remove();
      }
    };
  }

  window.PaydeskFields = Object.freeze({ version: '${FIELDS_VERSION}', mount: mount });
})();
`;
