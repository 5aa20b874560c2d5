/** Script of the documentation: search, credentials of this tab, code in five languages, and requests to this server. */
export const SCRIPT = `'use strict';
(function () {
  var STORE = 'paydesk.explorer';
  var find = function (selector) { return document.querySelector(selector); };
  var all = function (selector) { return Array.prototype.slice.call(document.querySelectorAll(selector)); };
  var credentials = {};
  try { credentials = JSON.parse(sessionStorage.getItem(STORE) || '{}'); } catch (error) { credentials = {}; }
  function keep() { sessionStorage.setItem(STORE, JSON.stringify(credentials)); }

  var search = find('#search');
  search.addEventListener('input', function () {
    var words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    all('nav details').forEach(function (group) {
      var shown = 0;
      Array.prototype.forEach.call(group.querySelectorAll('li'), function (item) {
        var isShown = words.every(function (word) { return item.dataset.text.indexOf(word) >= 0; });
        item.hidden = !isShown;
        if (isShown) shown += 1;
      });
      group.hidden = shown === 0;
      if (words.length > 0) group.open = shown > 0;
    });
  });
  document.addEventListener('keydown', function (event) {
    if (event.key === '/' && !/INPUT|TEXTAREA|SELECT/.test(document.activeElement.tagName)) { event.preventDefault(); search.focus(); }
  });
  var current = find('nav [aria-current]');
  if (current) current.scrollIntoView({ block: 'center' });

  all('[role=tablist]').forEach(function (list) {
    var tabs = Array.prototype.slice.call(list.querySelectorAll('[role=tab]'));
    function select(tab) {
      tabs.forEach(function (each) {
        var isSelected = each === tab;
        each.setAttribute('aria-selected', String(isSelected));
        each.tabIndex = isSelected ? 0 : -1;
        document.getElementById(each.getAttribute('aria-controls')).hidden = !isSelected;
      });
      localStorage.setItem('paydesk.docs.language', tab.dataset.language);
    }
    tabs.forEach(function (tab, index) {
      tab.addEventListener('click', function () { select(tab); });
      tab.addEventListener('keydown', function (event) {
        var step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
        if (step === 0) return;
        var next = tabs[(index + step + tabs.length) % tabs.length];
        select(next);
        next.focus();
      });
    });
    var last = localStorage.getItem('paydesk.docs.language');
    select(tabs.filter(function (tab) { return tab.dataset.language === last; })[0] || tabs[0]);
  });

  var templates = all('[data-snippet]').map(function (element) { return { element: element, text: element.textContent }; });
  function fillSnippets() {
    templates.forEach(function (each) {
      each.element.textContent = each.text
        .split('http://127.0.0.1:4801').join(location.origin)
        .split('YOUR_API_KEY').join(credentials.apiKey || 'YOUR_API_KEY')
        .split('YOUR_TENANT_ID').join(credentials.tenantId || 'YOUR_TENANT_ID')
        .split('YOUR_ACCESS_TOKEN').join(credentials.token || 'YOUR_ACCESS_TOKEN');
    });
  }
  all('[data-copy]').forEach(function (button) {
    button.addEventListener('click', function () {
      var shown = all('[data-snippet]').filter(function (element) { return !element.closest('[hidden]'); })[0];
      navigator.clipboard.writeText(shown.textContent).then(function () { button.textContent = 'Copied'; });
    });
  });

  function fillCredentials() {
    all('[data-credential]').forEach(function (input) { input.value = credentials[input.dataset.credential] || ''; });
    all('[data-parameter]').forEach(function (input) { if (/^mer_/.test(input.value) && credentials.merchantId) input.value = credentials.merchantId; });
    fillSnippets();
  }
  all('[data-credential]').forEach(function (input) {
    input.addEventListener('input', function () { credentials[input.dataset.credential] = input.value.trim(); keep(); fillSnippets(); });
  });
  function signIn(email, password) {
    return fetch('/api/v1/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tenant-id': credentials.tenantId || '' },
      body: JSON.stringify({ email: email, password: password }),
    }).then(function (response) { return response.json(); }).then(function (body) {
      if (body.data && body.data.token) { credentials.token = body.data.token; keep(); fillCredentials(); }
      return body;
    });
  }
  fillCredentials();
  fetch('/docs/credentials.json').then(function (response) { return response.ok ? response.json() : null; }).then(function (known) {
    if (!known) return;
    ['apiKey', 'tenantId', 'merchantId'].forEach(function (name) { if (!credentials[name]) credentials[name] = known[name]; });
    fillCredentials();
    if (find('[data-credential=token]') && known.adminEmail && credentials.tenantId === known.tenantId) signIn(known.adminEmail, known.adminPassword);
  });

  all('[data-card]').forEach(function (button) {
    button.addEventListener('click', function () {
      var body = find('#body');
      body.value = body.value.replace(/("(?:number|cardNumber|CardNumber)": ")\\d+(")/, '$1' + button.dataset.card + '$2');
      body.focus();
    });
  });

  var permissions = find('#permission-filter');
  if (permissions) {
    var typed = find('#permission-search');
    var caller = find('#permission-caller');
    var filterPermissions = function () {
      var words = typed.value.toLowerCase().split(/\\s+/).filter(Boolean);
      var rows = all('#permissions tbody tr');
      rows.forEach(function (row) {
        var isCaller = caller.value === '' || row.dataset.callers.indexOf('|' + caller.value + '|') >= 0;
        row.hidden = !isCaller || !words.every(function (word) { return row.dataset.text.indexOf(word) >= 0; });
      });
      find('#permission-count').textContent = rows.filter(function (row) { return !row.hidden; }).length;
    };
    permissions.addEventListener('input', filterPermissions);
    permissions.addEventListener('submit', function (event) { event.preventDefault(); });
    filterPermissions();
  }

  var form = find('#try');
  if (!form) return;
  form.addEventListener('submit', function (event) {
    event.preventDefault();
    var path = form.dataset.path;
    var query = [];
    all('[data-parameter]').forEach(function (input) {
      var value = input.value.trim();
      if (input.dataset.in === 'path') path = path.replace('{' + input.dataset.parameter + '}', encodeURIComponent(value));
      else if (value !== '') query.push(encodeURIComponent(input.dataset.parameter) + '=' + encodeURIComponent(value));
    });
    var headers = {};
    var surface = form.dataset.surface;
    if (surface === 'public') headers['x-api-key'] = credentials.apiKey || '';
    if (surface === 'sdk') headers.authorization = 'Bearer ' + (credentials.apiKey || '');
    if (surface === 'admin' && credentials.token) headers.authorization = 'Bearer ' + credentials.token;
    if (surface !== 'sdk' && credentials.tenantId) headers['x-tenant-id'] = credentials.tenantId;
    var body = find('#body');
    if (body) headers['content-type'] = 'application/json';
    var key = find('#idempotency-key');
    if (key && key.value.trim()) headers['idempotency-key'] = key.value.trim();
    var button = form.querySelector('button.main');
    var output = find('#response');
    var status = find('#response-status');
    button.disabled = true;
    var started = performance.now();
    fetch(path + (query.length ? '?' + query.join('&') : ''), { method: form.dataset.method, headers: headers, body: body ? body.value : undefined })
      .then(function (response) {
        return response.text().then(function (text) {
          var ms = Math.round(performance.now() - started);
          status.textContent = response.status + ' in ' + ms + ' ms';
          status.className = 'status ' + (response.ok ? 'ok' : 'fault');
          var shown = text;
          try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch (error) { shown = text.slice(0, 20000); }
          output.textContent = shown;
          var link = find('#response-help');
          var code = /"docUrl": "([^"]+)"/.exec(shown);
          link.hidden = !code;
          if (code) { link.href = code[1]; link.textContent = 'What ' + code[1].split('/').pop() + ' means'; }
        });
      })
      .catch(function () { status.textContent = 'The server did not respond.'; status.className = 'status fault'; })
      .then(function () { button.disabled = false; find('#response-box').hidden = false; });
  });
})();
`;
